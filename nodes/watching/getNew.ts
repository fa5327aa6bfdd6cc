import type { INode } from 'n8n-workflow';

import { optionsOf } from '../table/common';
import { always, form, when, type Parameter, type Parameters } from '../table/form';
import { choice, number, text, wholeNumber } from '../table/kinds';
import { type RunContext, isRepeated } from '../table/operation';
import { nonBlank, scalar, trimmed } from '../table/schema';
import { HOUR, MINUTE } from '../time';
import { isObject, type JsonObject } from '../json';
import { ListWatcher, type FollowedList } from './listWatcher';
import { progressFrom } from './progress';

/** How many records a manual execution shows. */
const SHOWN = 10;

/** How long the reading for an item may take (ms). The next execution waits until this one has ended. */
const MOST_TIME = 5 * MINUTE;

/** Name of the option that limits how many records come. */
export const LIMIT = 'Limit per Execution';

/** What to do with the records that exist when an account is read for the first time. */
const FIRST_RUN = { skip: 'Skip Existing Records', recent: 'Return Recent Records' } as const;

/** The parameters of every Get New. @param own further options */
export const getNewForm = <F, P extends Parameters>(filters: Parameter<F>, own: P) =>
	form({
		firstRun: choice(FIRST_RUN, {
			displayName: 'First Run',
			meanings: {
				recent: 'Return the records of the last hours too',
				skip: 'Return only records that come after the first run',
			},
			description:
				'What to do with the records that exist when an account is read for the first time',
		}),
		...when(
			{ show: { firstRun: ['recent'] } },
			{
				firstHours: number({
					displayName: 'Hours',
					min: 1,
					max: 24 * 90,
					default: 24,
					description: 'How many hours back the first run returns records',
				}),
			},
		),
		filters,
		options: optionsOf({
			account: text(
				{
					displayName: 'Account',
					placeholder: 'e.g. bright-dental',
					description:
						'Name of the client. The node recognizes the client by it, even if the key changes. Defaults to the key of the item.',
				},
				scalar(trimmed(nonBlank(200))),
			),
			executionLimit: always(
				wholeNumber({
					displayName: LIMIT,
					min: 1,
					default: 500,
					description:
						'How many records to return for each item. The others come with the next executions. Defaults to 500.',
				}),
			),
			lookBack: always(
				number({
					displayName: 'Look Back (Hours)',
					min: 1,
					max: 168,
					default: 3,
					description: 'How far back to look for records that show up late. Defaults to 3.',
				}),
			),
			...own,
		}),
	});

/** Why these accounts may not be read together. */
const refuseRetries = (inputs: unknown[], refused: number, node: INode): string | undefined =>
	isRepeated(node, inputs.length + refused)
		? "'Retry On Fail' is on, so new records could be lost: if one item fails, n8n runs the node again, and the others have nothing new then. Turn it off in the settings of this node, or let the workflow stop when an item fails"
		: undefined;

/** What every Get New has. */
export const likeEveryGetNew = {
	hint: 'For a workflow that a schedule starts, with one item per client in front. For one account, the YK Voice Trigger is simpler.',
	refuse: refuseRetries,
};

/** What the user chose. Spans in hours. */
interface Chosen {
	firstRun: keyof typeof FIRST_RUN;
	firstHours?: number;
	filters: object;
	options: { account?: string; executionLimit: number; lookBack: number };
	/** A filter that the API applies. With another one, what is remembered tells nothing. */
	asked?: string;
}

/**
 * The records of a list that are new for the account: each once, oldest first. Those that cannot be
 * returned now come with a later execution.
 *
 * @param what a memory for each
 * @returns in a manual execution the newest records, in the same order: n8n does not save what the node
 *   remembers then
 */
export async function readNew(
	what: string,
	list: FollowedList,
	{ firstRun, firstHours = 0, filters, options, asked }: Chosen,
	{ api, remember, tell }: Pick<RunContext, 'api' | 'remember' | 'tell'>,
): Promise<JsonObject[]> {
	const { account, executionLimit: limit, lookBack } = options;
	const watching = {
		api,
		account: '',
		key: '',
		deadline: Date.now() + MOST_TIME,
		limit,
		lookBack: lookBack * HOUR,
	};
	if (!remember.isKept) {
		tell(
			'This was a manual execution: of the newest 100 records, up to 10 that match are shown, and nothing is remembered. Publish the workflow to get each record once.',
		);
		const newest = await new ListWatcher(watching, list).newest(Math.min(SHOWN, limit));
		return newest.toReversed();
	}
	return await remember.update({ what, account, filters }, async (stored) => {
		const isRecent = stored === undefined && firstRun === 'recent';
		const start = { account: '', ...progressFrom(Date.now() - firstHours * HOUR) };
		const { state, records, notices, error, isBeginning } = await new ListWatcher(
			watching,
			list,
		).poll(isRecent ? start : isObject(stored) && stored.asked === asked ? stored : undefined);
		notices.forEach(tell);
		if (isBeginning) tell(stored === undefined ? BEGAN : BEGAN_AGAIN);
		if (error !== undefined) {
			const reason = error instanceof Error ? error.message : String(error);
			tell(`${PARTS_LATER} ${reason}`);
		}
		return { state: { ...state, asked }, result: records };
	});
}

const PARTS_LATER =
	'Parts of some records could not be read. These records come with a later execution.';

const BEGAN =
	'This was the first execution for an account: what exists was skipped, and what comes from now on is returned.';

const BEGAN_AGAIN =
	'What was remembered of an account cannot be used. Its records count as known, and what comes from now on is returned.';
