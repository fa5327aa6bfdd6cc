import { firstText, isObject, textIn, type JsonObject } from '../json';
import { ASSUMED } from './assumed';
import { judgeNumber, isUuid } from './identifiers';
import { HOUR, toMillis } from '../time';
import { inFront, topFields } from './simplify';
import { CALL_STATUS, isState } from './status';

/** Puts the fields in front that a user looks for first: when the call was, how it ended, with whom. */
export const callInFront = inFront(
	'id',
	'created_at',
	...ASSUMED.callStatus,
	'ready',
	'incomplete',
	'summary',
	'transfer_time',
	...ASSUMED.callNumber,
);

/** A call made smaller. The parts that the user includes come first. */
export const shortCall = topFields(
	...ASSUMED.callStatus,
	'created_at',
	'ready',
	'incomplete',
	'summary',
	'transcript',
	'transcript_text',
	'transfer_time',
	...ASSUMED.callNumber,
	...Object.keys(ASSUMED.durationFields),
	'agent_name',
	...ASSUMED.callAgent,
);

/**
 * The fields that hold a call's agent, number, task and status. They are settings, because the reference
 * does not name them.
 */
export interface CallFields {
	agent: readonly string[];
	number: readonly string[];
	task: readonly string[];
	status: readonly string[];
}

/** The status of a call: the first of these fields that has one. */
export const callStatusOf = (
	call: JsonObject,
	names: readonly string[] = ASSUMED.callStatus,
): string | undefined =>
	firstText(
		call,
		// The ID of an object is no status.
		names.filter((name) => !isObject(call[name])),
	);

const ENDS: readonly string[] = Object.values(CALL_STATUS);

/** Statuses of calls in which nobody spoke: they never get a summary or a transcript. */
const UNSPOKEN: readonly string[] = [
	CALL_STATUS.Busy,
	CALL_STATUS['Not Answered'],
	CALL_STATUS.Rejected,
];

/** Statuses of calls that hardly ever get a summary. */
const CUT_SHORT: readonly string[] = [CALL_STATUS.Failed, CALL_STATUS['Ended In Queue']];

/** Whether a call is over and most likely never gets a summary or a transcript. */
export const wasCutShort = (call: JsonObject): boolean => isState(CUT_SHORT, callStatusOf(call));

/** Whether a call is over. A status that the reference does not name is not an end. */
export const hasEnded = (call: JsonObject, names?: readonly string[]): boolean =>
	isState(ENDS, callStatusOf(call, names));

/**
 * Whether a call may still be going on. One in progress is, however long it takes. Another status that is
 * no end, also null, counts as going on for an hour: the reference does not show the statuses before the end.
 *
 * @param now in ms since 1970
 */
export function mayGoOn(call: JsonObject, now: number): boolean {
	const isShown = ASSUMED.callStatus.some((name) => Object.hasOwn(call, name));
	if (!isShown || hasEnded(call)) return false;
	const began = toMillis(call.created_at);
	const isYoung = began !== undefined && Math.abs(now - began) < HOUR;
	return isYoung || isState(['In Progress'], callStatusOf(call));
}

/** Whether a call is over and nobody spoke in it. */
export const wasUnspoken = (call: JsonObject, names?: readonly string[]): boolean =>
	isState(UNSPOKEN, callStatusOf(call, names));

/** The id of a call's agent. Null if the call has no agent, undefined if the call does not show it. */
export function agentOf({ agent_id, agent }: JsonObject): string | null | undefined {
	const held = agent_id ?? (isObject(agent) ? agent.id : agent);
	if (held === '') return null;
	if (typeof held === 'string' || typeof held === 'number') return String(held);
	return agent_id === null || agent === null ? null : undefined;
}

/** The name of a call's agent. Undefined if the call does not show it. */
export function agentNameOf(call: JsonObject): string | undefined {
	const { agent_name: name = isObject(call.agent) ? call.agent.name : undefined } = call;
	return typeof name === 'string' ? name : undefined;
}

/**
 * Whether a call belongs to this agent. Undefined if the call does not show its agent, or by an ID of
 * another form: a name tells nothing.
 */
export function isOfAgent(call: JsonObject, agent: string): boolean | undefined {
	const held = agentOf(call);
	if (held === undefined || (held !== null && isUuid(agent) !== isUuid(held))) return undefined;
	return agent.toLowerCase() === held?.toLowerCase();
}

const NUMBER_FIELDS: readonly string[] = [...ASSUMED.callNumber, ...ASSUMED.callerNumber];

/**
 * Whether a call was made from or to this number. Undefined if the call shows no number.
 *
 * @param number in E.164 form
 * @throws Error if the call shows a number that cannot be compared: leaving it out could hide a call of
 * that person
 */
export function isWithNumber(call: JsonObject, number: string): boolean | undefined {
	const shown = NUMBER_FIELDS.map((name) => call[name]).filter(
		(value) => value === null || value === '' || textIn(value) !== undefined,
	);
	if (shown.length === 0) return undefined;
	const found = shown.map((value) => judgeNumber(textIn(value) ?? '', number));
	if (found.includes('yes')) return true;
	if (!found.includes('unclear')) return false;
	throw new Error(
		"A call shows a phone number without its country code or with hidden digits, so nobody can tell whether it is the one you look for. Remove the filter 'Phone Number'.",
	);
}
