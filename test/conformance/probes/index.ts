import * as agents from './agents.ts';
import * as answers from './answers.ts';
import * as calls from './calls.ts';
import * as filters from './filters.ts';
import { untold, type Probe } from './finding.ts';
import * as lists from './lists.ts';
import * as moments from './moments.ts';
import * as paths from './paths.ts';
import * as records from './records.ts';

/** What no GET can tell. */
const written =
	(what: string): Probe =>
	() =>
		Promise.resolve(untold(`${what} is written, and only GET was sent`));

/** What is found out, each by requests of its own; of what only a change could tell they say so. */
export const PROBES = {
	ids: records.ids,
	zone: moments.zone,
	fraction: moments.fraction,
	bound: moments.bound,
	grain: moments.grain,
	money: records.money,
	minutes: records.minutes,
	meta: lists.meta,
	metaLimit: lists.metaLimit,
	pageCap: lists.pageCap,
	order: lists.order,
	ascending: lists.ascending,
	transactionSort: lists.transactionSort,
	unknownQuery: lists.unknownQuery,
	success: written('what a change answers'),
	put: written('what a PUT leaves'),
	patchObjects: written('what a PATCH leaves inside an object'),
	toolConfig: agents.toolConfig,
	betaBackend: agents.betaBackend,
	betaBackendValues: agents.betaBackendValues,
	refusal: answers.refusal,
	missing: answers.missing,
	callStatus: calls.callStatus,
	callAgent: calls.callAgent,
	underWay: calls.underWay,
	transferTime: calls.transferTime,
	providers: calls.providers,
	callParties: calls.callParties,
	callNumber: calls.callNumber,
	callTask: calls.callTask,
	noSummary: calls.noSummary,
	transcript: calls.transcript,
	noTranscript: calls.noTranscript,
	primaryPhone: records.primaryPhone,
	customFields: records.customFields,
	events: paths.events,
	eventsLimit: paths.eventsLimit,
	eventState: paths.eventState,
	eventPath: paths.eventPath,
	eventStatus: written('an event’s status'),
	transactionType: records.transactionType,
	transactionDate: records.transactionDate,
	amount: records.amount,
	sign: records.sign,
	campaignStates: records.campaignStates,
	campaignCounters: records.campaignCounters,
	members: records.members,
	membership: written('a membership'),
	batch: written('a list of contacts or items'),
	assignment: written('an assignment'),
	testCall: written('a test call'),
	health: paths.health,
	portalPaths: paths.portalPaths,
	validUntil: paths.validUntil,
	filterValues: filters.filterValues,
	filterList: filters.filterList,
	filterOrder: filters.filterOrder,
	contactDates: filters.contactDates,
	limited: answers.limited,
	slash: answers.slash,
} satisfies Record<string, Probe>;

export type Subject = keyof typeof PROBES;
