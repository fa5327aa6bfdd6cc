import { fieldAt, firstText, isObject, textIn, type JsonObject } from '../json';
import type { Names } from '../api/names';
import { ASSUMED } from './assumed';
import { judgeNumber, isUuid } from './identifiers';
import { HOUR, toMillis } from '../time';
import type { Columns } from './simplify';
import { CALL_STATUS, isState } from './status';

export const simplifyCall = (names: Names): Columns => ({
	first: [
		...['created_at', ...names.callStatus, 'ready', 'summary', 'transfer_time'],
		...[...names.callNumber, ...names.callLength, 'agent_name', ...names.callAgent],
	],
	onTop: ['summary', 'transcript'],
});

export const callStatusOf = (call: JsonObject, { callStatus }: Names): string | undefined =>
	firstText(
		call,
		// The ID of an object is no status.
		callStatus.filter((name) => !isObject(fieldAt(call, name))),
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

export const wasCutShort = (call: JsonObject, names: Names): boolean =>
	isState(CUT_SHORT, callStatusOf(call, names));

/** Whether a call is over. A status that the reference does not name is not an end. */
export const hasEnded = (call: JsonObject, names: Names): boolean =>
	isState(ENDS, callStatusOf(call, names));

/**
 * Whether a call may still be going on. One in progress is, however long it takes. Another status that is
 * no end, also null, counts as going on for an hour: the reference does not show the statuses before the end.
 *
 * @param now in ms since 1970
 */
export function mayGoOn(call: JsonObject, names: Names, now: number): boolean {
	const isShown = names.callStatus.some((name) => fieldAt(call, name) !== undefined);
	if (!isShown || hasEnded(call, names)) return false;
	const began = toMillis(call.created_at);
	const isYoung = began !== undefined && Math.abs(now - began) < HOUR;
	return isYoung || isState(['In Progress'], callStatusOf(call, names));
}

export const wasUnspoken = (call: JsonObject, names: Names): boolean =>
	isState(UNSPOKEN, callStatusOf(call, names));

/** The id of a call's agent. Null if the call has no agent, undefined if the call does not show it. */
export function agentOf(call: JsonObject, { callAgent }: Names): string | null | undefined {
	const shown = callAgent.map((name) => fieldAt(call, name));
	const agent = shown.find((value) => value !== undefined && value !== null);
	const id = isObject(agent) ? agent.id : agent;
	if (id === '') return null;
	if (typeof id === 'string' || typeof id === 'number') return String(id);
	return shown.includes(null) ? null : undefined;
}

export function agentNameOf(call: JsonObject): string | undefined {
	const { agent_name: name = isObject(call.agent) ? call.agent.name : undefined } = call;
	return typeof name === 'string' ? name : undefined;
}

/** Undefined if the call does not show its agent, or by an ID of another form: a name tells nothing. */
export function isOfAgent(call: JsonObject, agent: string, names: Names): boolean | undefined {
	const own = agentOf(call, names);
	if (own === undefined || (own !== null && isUuid(agent) !== isUuid(own))) return undefined;
	return agent.toLowerCase() === own?.toLowerCase();
}

/**
 * Whether a call was made from or to this number. Undefined if the call shows no number.
 * @throws Error if the number cannot be compared: leaving the call out could hide a call of that person
 */
export function isWithNumber(
	call: JsonObject,
	number: string,
	{ callNumber }: Names,
): boolean | undefined {
	const shown = [...callNumber, ...ASSUMED.callerNumber]
		.map((name) => fieldAt(call, name))
		.filter((value) => value === null || value === '' || textIn(value) !== undefined);
	if (shown.length === 0) return undefined;
	const found = shown.map((value) => judgeNumber(textIn(value) ?? '', number));
	if (found.includes('yes')) return true;
	if (!found.includes('unclear')) return false;
	throw new Error(
		"A call shows a phone number without its country code or with hidden digits, so nobody can tell whether it is the one you look for. Remove the filter 'Phone Number'.",
	);
}
