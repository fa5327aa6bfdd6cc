import { enterAs, type Names } from '../api/names';
import type { Api } from '../api/session';
import { callStatusOf, isOfAgent, isWithNumber, mayGoOn } from '../domain/call';
import { DIRECTION, directionReader } from '../domain/direction';
import { CALL_STATUS, isState } from '../domain/status';
import type { JsonObject } from '../json';
import { agentFilter } from '../table/common';
import type { SettingsOf } from '../table/form';
import { choice, several, text } from '../table/kinds';
import { phone } from '../table/schema';

/** The filters for calls, except the period. The API itself can only filter by the status. */
export const callFilters = {
	agent_id: agentFilter,
	call_status: several(
		CALL_STATUS,
		{
			displayName: 'Call Status',
			default: ['Completed'],
			description: 'Only calls that ended this way',
		},
		'must name at least one status',
	),
	direction: choice(DIRECTION, {
		displayName: 'Direction',
		description: 'Only inbound or only outbound calls',
	}),
	phone_number: text(
		{
			displayName: 'Phone Number',
			placeholder: 'e.g. +14155550123',
			description: 'Only calls from or to this number',
		},
		phone,
	),
};

export type CallFilters = SettingsOf<typeof callFilters>;

/** Splits the filters: `status` is for the API, which can filter by one status, and `byNode` for the node. */
export function splitCallFilters<T extends CallFilters>(filters: T) {
	const { agent_id, direction, phone_number, call_status: statuses = [], ...rest } = filters;
	const call_status = statuses.length > 1 ? statuses : undefined;
	const byNode: CallFilters = { agent_id, call_status, direction, phone_number };
	return { rest, status: statuses.length === 1 ? { call_status: statuses[0] } : {}, byNode };
}

export const hasNodeFilter = (filters: CallFilters): boolean =>
	Object.values(filters).some((filter) => filter !== undefined);

/** Filters the calls of one list by what the API has no filter for. */
export function callFilter(filters: CallFilters, names: Names, directionOf = directionReader()) {
	const { agent_id: agent, call_status: statuses, direction, phone_number: number } = filters;
	/** What calls are filtered by → how many do not show it. */
	const lacking = new Map<string, number>();
	const shown = new Set<string>();

	async function judge(call: JsonObject, api: Api): Promise<Record<string, boolean | undefined>> {
		const own = direction === undefined ? undefined : await directionOf(call, api);
		return {
			...(agent !== undefined && { "agent's ID": isOfAgent(call, agent, names) }),
			...(statuses !== undefined && { status: hasEndedAs(call, statuses, names) }),
			...(number !== undefined && { 'phone number': isWithNumber(call, number, names) }),
			...(direction !== undefined && { direction: own && own === direction }),
		};
	}

	return {
		/** A call that does not show what it is filtered by is left out. `finish` tells. */
		async isWanted(call: JsonObject, api: Api): Promise<boolean> {
			const fits = Object.entries(await judge(call, api));
			const isOut = fits.some(([, fit]) => fit === false);
			for (const [name, fit] of fits) {
				if (fit !== undefined) shown.add(name);
				else if (!isOut) lacking.set(name, (lacking.get(name) ?? 0) + 1);
			}
			return fits.every(([, fit]) => fit);
		},
		/** @throws Error if no call shows what it is filtered by: nobody knows which calls are wanted */
		finish(tell: (message: string) => void): void {
			for (const [name, count] of lacking) {
				if (!shown.has(name))
					throw new Error(
						`The calls of this account do not show their ${name}. Choose the agent from the list, only one 'Call Status', or remove this filter. If it has another name, ${enterAs('callAgent', 'callStatus', 'callNumber')}.`,
					);
				tell(`Calls left out, because they do not show their ${name}: ${count}.`);
			}
		},
	};
}

function hasEndedAs(
	call: JsonObject,
	statuses: readonly string[],
	names: Names,
): boolean | undefined {
	const status = callStatusOf(call, names);
	if (status !== undefined) return isState(statuses, status);
	// A call under way may have no status yet.
	return mayGoOn(call, names, Date.now()) ? false : undefined;
}
