import { readRecord } from '../../api/readRecord';
import type { Api } from '../../api/session';
import {
	callStatusOf,
	isOfAgent,
	mayGoOn,
	simplifyCall,
	wasCutShort,
	wasUnspoken,
} from '../../domain/call';
import {
	CALL_INCLUDES,
	CALL_PARTS,
	callPath,
	fieldsOfParts,
	saysSomething,
	withDetailFields,
	withParts,
	type CallPart,
} from '../../domain/callParts';
import { FullRecord } from '../../domain/simplify';
import { CALL_STATUS, passesStatus } from '../../domain/status';
import { fitting, without, type JsonObject } from '../../json';
import { agentFilter, filtersOf, includeParts } from '../../table/common';
import { always, form, type InputOf } from '../../table/form';
import { simplify } from '../../table/handling';
import { several, wholeNumber } from '../../table/kinds';
import { MINUTE } from '../../time';
import { listWatcher, type FollowedList, type Judged } from '../../watching/listWatcher';
import type { Watcher, Watching } from '../../watching/watcher';
import { triggerEvent } from '../event';
import { eventOptions, lookBack, pollLimit } from './eventFields';

type ItemOf = (call: JsonObject) => Promise<FullRecord>;

/** Reference: GET /call-history and the paths below it. */
const callEvent = {
	request: 'GET /call-history',
	simplify: simplifyCall,
	fields: () =>
		form({
			simplify,
			filters: filtersOf({
				agent_id: agentFilter,
				call_status: always(
					several(CALL_STATUS, {
						displayName: 'Call Status',
						description: 'Only calls that ended this way',
					}),
				),
			}),
			options: eventOptions({
				lookBack,
				pollLimit,
				include: always(includeParts(CALL_INCLUDES)),
			}),
		}),
};

interface FollowedCalls {
	input: InputOf<ReturnType<typeof callEvent.fields>>;
	/** Parts that the item has besides those that the user includes. */
	parts?: readonly CallPart[];
	/** The verdict on a call that has ended. Default: its item. */
	decide?(call: JsonObject, waited: number, itemOf: ItemOf): Promise<Judged>;
	api: Api;
}

/** The call history as a list to follow. A call is new when it has ended. */
function callList({ input, parts: more = [], decide, api }: FollowedCalls) {
	const { agent_id: agent, call_status: statuses } = input.filters;
	const parts = [...new Set<CallPart>([...input.options.include, ...more])];
	const { names } = api;
	const itemOf: ItemOf = async (call) => {
		const entry = await withParts(call, parts, api);
		return parts.length > 0 || decide ? entry.with({ incomplete: false }) : entry;
	};
	return {
		path: '/call-history',
		query: { sort: '-created_at' },
		wayOut: "Remove the filter by it, or choose another event under 'Trigger On'.",
		isOpen: (call) => mayGoOn(call, names, Date.now()),
		readOne: async (id) => await readRecord(api, { method: 'GET', path: callPath({ id }) }),
		async judge(call, waited) {
			const isTheirs = agent === undefined || isOfAgent(call, agent, names);
			if (isTheirs === undefined) return { lacks: "agent's ID" };
			const hasState = passesStatus(statuses, callStatusOf(call, names));
			if (hasState === undefined) return { lacks: 'status' };
			if (!isTheirs || !hasState) return 'unwanted';
			return (await decide?.(call, waited, itemOf)) ?? { item: await itemOf(call) };
		},
		incomplete: (call) => new FullRecord(call, { ...fieldsOfParts(parts), incomplete: true }),
	} satisfies FollowedList;
}

export const newCall = triggerEvent({
	...callEvent,
	name: 'New Call',
	description: 'When a call has ended',
	hint: 'One item per ended call. The summary may not exist yet: use callReady if the workflow needs it. Narrow with filters, not with an IF node. options.include adds details, summary or transcript.',
	watch: (input, watching) => listWatcher(watching, callList({ input, api: watching.api })),
});

/** How long a call that was cut short waits for a summary after its end (ms). */
const CUT_SHORT_WAIT = 5 * MINUTE;

export const callReady = triggerEvent({
	...callEvent,
	name: 'Call Ready',
	description: 'When the summary or the transcript of a call is ready',
	hint: 'For workflows that use summary or transcript. An item with ready false came without them after waitMinutes: branch on it.',
	fields: () =>
		form({
			waitFor: several(
				without(CALL_PARTS, 'detail'),
				{
					displayName: 'Wait For',
					default: ['summary'],
					description: 'The parts that must exist. They become part of the item.',
				},
				// Without a part to wait for, every call would be ready at once.
				'must name a summary or a transcript',
			),
			waitMinutes: wholeNumber({
				displayName: 'Wait at Most (Minutes)',
				min: 1,
				max: 1440,
				default: 60,
				description:
					'How long to wait after the call has ended. After that the call is sent anyway, with "ready": false. A call in which nobody spoke is sent at once, and one that failed or ended in the queue after 5 minutes.',
			}),
		}).and(callEvent.fields()),
	watch({ waitFor: parts, waitMinutes, ...input }, watching) {
		const waitFor = waitMinutes * MINUTE;
		const { api } = watching;
		const calls = callList({
			input,
			parts,
			async decide(call, _waited, itemOf) {
				const entry = await itemOf(call);
				const ready = parts.every((part) => saysSomething(entry.beside[part]));
				const verdict = { item: entry.with({ ready }) };
				if (ready || wasUnspoken(call, api.names)) return verdict;
				const most = wasCutShort(call, api.names) ? Math.min(waitFor, CUT_SHORT_WAIT) : waitFor;
				return { waitFor: most, verdict };
			},
			api,
		});
		const incomplete = (call: JsonObject) => calls.incomplete(call).with({ ready: false });
		return listWatcher(watching, { ...calls, incomplete });
	},
});

/** How long a call may take to show that it was transferred, or by whom it was served (ms). */
const DETAIL_WAIT = 10 * MINUTE;

/**
 * Follows the calls whose first field of these is true or has a text. If the list does not show the fields, the
 * detail of a call is read at its end, and if it says nothing yet, once more ten minutes later.
 * Reference: "Call history record", GET /call-history/{call_id}. It does not say whether the list has them all.
 */
function followDetail(
	input: FollowedCalls['input'],
	watching: Watching,
	...fields: [decisive: string, ...others: string[]]
): Watcher {
	const { api } = watching;
	const calls = callList({
		input,
		api,
		async decide(call, waited, itemOf) {
			const later = { waitFor: DETAIL_WAIT, verdict: 'unwanted' } as const;
			const isListed = fields.every((name) => call[name] !== undefined);
			if (!isListed && waited > 0 && waited < DETAIL_WAIT) return later;
			const whole = await withDetailFields(call, fields, api);
			const value = whole[fields[0]];
			if (value === undefined) return { lacks: fields[0] };
			if (value === false) return 'unwanted';
			if (!saysSomething(value)) return later;
			const shown = fitting(whole, (name) => fields.includes(name));
			return { item: (await itemOf(call)).with(shown) };
		},
	});
	return listWatcher(watching, calls);
}

export const callTransferred = triggerEvent({
	...callEvent,
	name: 'Call Transferred',
	description:
		'When a call that was handed to a person or an external number has ended. Costs one or two requests per ended call.',
	hint: 'The call is over when this starts. transfer_time says when it was handed over.',
	watch: (input, watching) => followDetail(input, watching, 'transfer_time'),
});

/** Null means that it is not measured, so the call waits for a while. */
export const fallbackProviderUsed = triggerEvent({
	...callEvent,
	name: 'Fallback Provider Used',
	description: 'When a fallback provider served a call, because the configured AI provider failed',
	hint: 'For alerts: the calls went on with another AI provider. A poll may return several, so send one message for all.',
	watch: (input, watching) =>
		followDetail(input, watching, 'ai_provider_fallback_used', 'ai_provider'),
});
