import { callStatusOf } from '../domain/call';
import type { JsonObject } from '../json';
import { cut } from '../words';
import { isComplete, isEnded, missingParts, type WaitingCall } from './callWatch';

/** The item for a call when the waiting is over. */
export interface CallOutcome extends JsonObject {
	result: 'ended' | 'incomplete' | 'underWay' | 'notFound' | 'notPlaced' | 'ambiguous' | 'unknown';
	/** The result in words. */
	explanation: string;
	/** The call with its parts; null if nobody knows which call it is. */
	call: JsonObject | null;
}

/** How many candidates an item shows. */
const MOST_CANDIDATES = 20;

/** The item of a call that was waited for. Each finished call goes through here, with its parts. */
export function callOutcome(waiting: WaitingCall): CallOutcome {
	const { call = null, candidates = [], isAmbiguous, refusal } = waiting;
	const { isSeen = false, trouble, lost, fields } = waiting;
	const doubt = lost && call === null ? ` ${doubtAbout(lost)}` : '';
	if (refusal) {
		const explanation = `The result of the call could not be read: ${said(refusal)}${doubt}`;
		return { result: 'unknown', explanation, call };
	}
	const unchosen = { call: null, candidates: candidates.slice(0, MOST_CANDIDATES) };
	if (isAmbiguous) {
		const explanation = `More than one call matches, or the call could belong to another item with the same number, ${UNCHOSEN}. See 'candidates'.${doubt}`;
		return { result: 'ambiguous', explanation, ...unchosen };
	}
	const last = trouble ? ` The last look failed: ${said(trouble)}` : '';
	if (call === null && candidates.length > 0) {
		const explanation = `The calls listed since then show no phone number (${fields.number.join(', ')}) and no task (${fields.task.join(', ')}), ${UNCHOSEN}. If they have such a field, enter its name in 'Number Fields' or 'Task Fields'.${doubt}${last}`;
		return { result: 'unknown', explanation, ...unchosen };
	}
	if (call === null) {
		const what = isSeen
			? 'No matching call showed up in time.'
			: 'The call history could not be read.';
		const explanation = `${what}${doubt || ' The call may still show up.'}${last}`;
		return { result: isSeen && !lost ? 'notFound' : 'unknown', explanation, call };
	}
	const whole = callStatusOf(call, fields.status);
	const status = whole && cut(whole);
	if (isComplete(waiting)) {
		return { result: 'ended', explanation: `The call ended: ${status}.`, call };
	}
	if (isEnded(waiting)) {
		const missing = missingParts(waiting).join(' and ') || 'its detail';
		const explanation = `The call ended (${status}), but there was not enough time until ${missing} could be read.${last}`;
		return { result: 'incomplete', explanation, call };
	}
	const seen = status
		? `its status is ${status}`
		: `none of the fields ${fields.status.join(', ')} shows its status: enter the name in 'Status Fields'`;
	const explanation = `The call had not ended in time; ${seen}.${last}`;
	return { result: 'underWay', explanation, call };
}

const UNCHOSEN = 'so the node chose none. It did not place a second call';

/** The item of a call that could not be placed, after others of the same run were. */
export const notPlaced = (error: Error & { description?: string | null }): CallOutcome => ({
	result: 'notPlaced',
	explanation: `The call was not placed: ${said(error)} ${error.description ?? ''}`.trim(),
	call: null,
});

/** The item of a call whose answer was lost, if its result is not waited for. */
export const maybePlaced = (lost: Error): CallOutcome => ({
	result: 'unknown',
	explanation: doubtAbout(lost),
	call: null,
});

const doubtAbout = (lost: Error) =>
	`It is not known whether the call was placed: ${said(lost)} Look into the call history before you place the call again.`;

const said = ({ message }: Error) => (/[.!?]$/.test(message) ? message : `${message}.`);
