import { pathTo } from '../../api/path';
import type { Api } from '../../api/session';
import { checkCall, checksField, isSaid, partsToCheck, unchecked } from '../../checks/checkCall';
import { isObject, without, type JsonObject } from '../../json';
import {
	filtersOf,
	includeParts,
	optionsOf,
	outputField,
	recordPicker,
	sortBy,
	sorted,
} from '../../table/common';
import { counting, operation, type Resource } from '../../table/operation';
import { WithFile, type RowApi, type Sought } from '../../table/rowApi';
import { form, when, type InputOf } from '../../table/form';
import { ifNotFound } from '../../table/handling';
import { choice, text } from '../../table/kinds';
import { nonBlank, optional, trimmed } from '../../table/schema';
import { boundsOf, splitPeriod, timeFilters } from '../../filters/within';
import { callStatusOf, hasEnded, simplifyCall } from '../../domain/call';
import { CALL_HISTORY, CALL_INCLUDES, withParts } from '../../domain/callParts';
import {
	callFilter,
	callFilters,
	hasNodeFilter,
	splitCallFilters,
} from '../../filters/callFilters';
import { callStatistics } from '../../statistics/callStatistics';
import { toFileName } from '../../domain/fileName';
import { transcriptMarkdown, transcriptText } from '../../domain/transcript';
import { callOutcome, CallWatch } from '../../waiting/callWatch';
import { alsoWaitFor, waitAtMost } from '../../waiting/waitingFields';
import { MINUTE } from '../../time';

const TRANSCRIPT_FORMATS = {
	data: 'Structured Data',
	text: 'Text',
	textFile: 'Text File',
	markdown: 'Markdown File',
} as const;

const FILES = {
	textFile: [transcriptText, 'text/plain', 'txt'],
	markdown: [transcriptMarkdown, 'text/markdown', 'md'],
} as const;

const SORT = { '-created_at': 'Newest First', created_at: 'Oldest First' } as const;

const about = { call_id: recordPicker('Call', 'searchCalls') };

const NO_CALL = {
	404: 'There is no such call in this account, or the API shows it only after its end. Check the ID: Get Many shows it.',
};

const lacks = (part: string) => ({
	404: `There is no such call in this account, or it has no ${part} yet. Check the ID: Get Many shows it.`,
	409: `The call has no ${part} yet.`,
});

/** What one call can have besides its detail. */
const PARTS = without(CALL_INCLUDES, 'detail');

/** The filter of calls by what was said. The API does not have it, so the node reads the transcripts. */
const transcriptContains = text(
	{
		displayName: 'Transcript Contains',
		placeholder: 'e.g. cancel my order',
		description: 'Only calls in which somebody said this, at one more request per call',
	},
	trimmed(
		nonBlank(1000).refine((said) => /[\p{L}\p{N}]/u.test(said), {
			message: 'must have a letter or a digit',
		}),
	),
);

/** The calls in which somebody said a text. A call without a transcript is none of them. */
async function callsThatContain(said: string, calls: JsonObject[], api: Api) {
	const read = await Promise.all(calls.map((call) => withParts(call, ['transcript'], api)));
	return calls.filter((_call, at) => isSaid(said, read[at]!.beside.transcript));
}

/** Which calls are wanted: `query` is for the API, and the rest is for the node. */
const filterForm = () =>
	form({
		filters: filtersOf({ ...callFilters, transcriptContains, ...timeFilters('calls') }),
	}).check(({ filters: { transcriptContains: said, ...filters } }, refuse) => {
		const { rest, status, byNode } = splitCallFilters(filters);
		const { query, within } = splitPeriod(rest, refuse);
		return { query: { ...status, ...query }, within, byNode, said };
	});

type Filters = Omit<InputOf<ReturnType<typeof filterForm>>, 'query'>;

const soughtIn = ({ within, byNode, said }: Filters, api: RowApi): Sought => ({
	period: within && boundsOf(within, api.now),
	filter: hasNodeFilter(byNode) ? callFilter(byNode, api.names) : undefined,
	choose:
		said === undefined ? undefined : async (calls) => await callsThatContain(said, calls, api),
});

/** Reference: GET /call-history and the paths below it. */
export const call: Resource = {
	name: 'Call',
	description: 'Calls, summaries and transcripts',
	operations: {
		check: operation({
			name: 'Check',
			description:
				'Check what was said in a call, how it ended and how long it took. Returns whether it passed, and what failed.',
			hint: 'Set the checks that matter, for example checks.agentMustSay. The result is in passed and failed_checks. To place a call and check it, use Make Test Call with its checks.',
			request: 'GET /call-history/{call_id}',
			fields: () =>
				form({ ...about, checks: checksField }).check((input, refuse) => {
					if (input.checks === undefined) refuse('must have at least one check', 'checks');
					return { ...input, checks: input.checks ?? {} };
				}),
			run: async ({ checks, call_id }, api) => {
				const call = await api.get(pathTo('/call-history/{call_id}', { call_id }));
				const status = callStatusOf(call, api.names);
				// A call without a status may have ended.
				if (status !== undefined && !hasEnded(call, api.names)) {
					const why = `The call has not ended; its status is ${status}.`;
					return { ...unchecked(why), call };
				}
				const { whole } = await withParts(call, partsToCheck(checks), api);
				return { ...checkCall(checks, whole, api.names), call: whole };
			},
			hints: () => NO_CALL,
		}),
		get: operation({
			name: 'Get',
			description:
				'Retrieve one call with its details, and with its summary or transcript if you like',
			hint: 'For the summary or the transcript as well set options.include, instead of one more node.',
			request: 'GET /call-history/{call_id}',
			simplify: simplifyCall,
			fields: () =>
				form({ ...about, options: optionsOf({ ifNotFound, include: includeParts(PARTS) }) }),
			run: async ({ call_id, options: { include = [] } }, api) => {
				const call = await api.get(pathTo('/call-history/{call_id}', { call_id }));
				return await withParts(call, include, api);
			},
		}),
		getAll: operation({
			name: 'Get Many',
			description: 'Retrieve a list of calls, newest first unless sorted otherwise',
			hint: 'For summaries or transcripts of many calls set options.include here, instead of one more node per call. To react to new calls use the YK Voice Trigger.',
			request: 'GET /call-history',
			does: 'list',
			simplify: simplifyCall,
			fields: () =>
				filterForm().and(
					form({
						options: optionsOf({ include: includeParts(CALL_INCLUDES) }),
						sort: sorted({
							sort: sortBy(SORT),
							sortField: text(
								{
									displayName: 'Sort Field',
									placeholder: 'e.g. -duration_seconds',
									description:
										'Another field to sort by. A minus sign in front turns the order around.',
								},
								optional(trimmed(nonBlank())),
							),
						}),
					}).check(({ options: { include = [] }, sort: { sort, sortField } }, refuse) => {
						if (sort !== undefined && sortField !== undefined) {
							refuse("takes the place of 'Sort By': remove one of the two", 'sort', 'sortField');
						}
						return { sort: sort ?? sortField, sortField, include };
					}),
				),
			run: async ({ query, sort, include, ...sought }, api) => {
				const calls = await api.list(CALL_HISTORY, { ...query, sort }, soughtIn(sought, api));
				return include.length > 0
					? await Promise.all(calls.map(async (call) => await withParts(call, include, api)))
					: calls;
			},
			hints: ({ sortField: name }): Record<number, string> =>
				name
					? { 400: `The API may not sort calls by "${name}". Change or remove 'Sort Field'.` }
					: {},
		}),
		getStatistics: callStatistics,
		getSummary: operation({
			name: 'Get Summary',
			action: 'Get call summary',
			description: 'Retrieve the summary of one call',
			request: 'GET /call-history/{call_id}/summary',
			fields: () => form(about),
			run: async ({ call_id }, api) => {
				const path = pathTo('/call-history/{call_id}/summary', { call_id });
				const { data } = await api.send({ method: 'GET', path, mayBeEmpty: true });
				return isObject(data) ? data : { call_id, summary: data };
			},
			hints: () => lacks('summary'),
		}),
		getTranscript: operation({
			name: 'Get Transcript',
			action: 'Get call transcript',
			description: 'Retrieve the transcript of one call as data, as text or as a file',
			hint: 'Set format to text to hand a transcript to a model, a message or a document; data is what the API answers.',
			request: 'GET /call-history/{call_id}/transcript',
			fields: () =>
				form({
					...about,
					format: choice(TRANSCRIPT_FORMATS, {
						displayName: 'Format',
						meanings: {
							data: 'As the API returns it',
							markdown: 'Who said what as a Markdown file',
							text: 'Who said what as one text, with times if there are any',
							textFile: 'Who said what as a text file, with times if there are any',
						},
						description: 'How to return the transcript',
					}),
					...when(
						{ show: { format: ['markdown', 'textFile'] } },
						{ binaryPropertyName: outputField },
					),
				}),
			run: async ({ call_id, format, binaryPropertyName: field = '' }, api) => {
				const path = pathTo('/call-history/{call_id}/transcript', { call_id });
				const answer = await api.send({ method: 'GET', path, mayBeEmpty: true });
				const { data: transcript } = answer;
				if (format === 'data') {
					const isThere =
						isObject(transcript) || (Array.isArray(transcript) && transcript.length > 0);
					return isThere ? transcript : { call_id, transcript };
				}
				if (format === 'text') return { call_id, transcript: transcriptText(transcript) };
				const [write, mimeType, ending] = FILES[format];
				const name = toFileName(`transcript-${call_id}.${ending}`);
				const content = Buffer.from(write(transcript));
				return new WithFile({ call_id, file_name: name }, { field, name, mimeType, content });
			},
			hints: () => lacks('transcript'),
		}),
		waitForCompletion: operation({
			name: 'Wait for Completion',
			action: 'Wait for call to end',
			description:
				'Wait until one call has ended, and return it with its summary or transcript. The result says whether it ended in time. The execution stays open meanwhile.',
			hint: 'Branch on result: ended, incomplete (a part did not come) or underWay. The execution stays open for up to waitAtMost minutes.',
			request: 'GET /call-history/{call_id}',
			fields: () => form({ ...about, waitAtMost: waitAtMost(10), waitFor: alsoWaitFor }),
			run: async ({ call_id, waitAtMost: minutes, waitFor: parts }, api) => {
				const until = Date.now() + minutes * MINUTE;
				const call = await api.get(pathTo('/call-history/{call_id}', { call_id }));
				const watch = api.share('watch', (reader) => new CallWatch(reader));
				api.endTurn();
				const { names } = api;
				const outcome = callOutcome(await watch.waitForKnown({ call, names, parts, until }));
				if (outcome.result !== 'ended') api.tell(outcome.explanation);
				return outcome;
			},
			hints: () => NO_CALL,
		}),
		count: operation({
			...counting('calls'),
			request: 'GET /call-history',
			fields: filterForm,
			run: async ({ query, ...sought }, api) =>
				await api.count(CALL_HISTORY, query, soughtIn(sought, api)),
		}),
	},
};
