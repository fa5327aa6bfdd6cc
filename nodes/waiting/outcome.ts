import { hasEnded, callStatusOf } from '../domain/call';
import type { JsonObject } from '../json';
import { saysSomething } from '../domain/callParts';
import type { CallState } from './calls';

/** The item for a call when the waiting is over. */
interface CallOutcome extends JsonObject {
	result: 'ended' | 'incomplete' | 'underWay' | 'notFound' | 'notPlaced' | 'ambiguous' | 'unknown';
	/** The result in words. */
	explanation: string;
	/** The call with its parts; null if nobody knows which call it is. */
	call: JsonObject | null;
	/** The calls that it could be, if nobody knows which one. */
	candidates?: JsonObject[];
}

const UNCHOSEN = 'so the node chose none. It did not place a second call';

/** The item for the state in which the waiting ended. */
export function callOutcome(state: CallState): CallOutcome {
	const { verdict, call = null, fields } = state;
	const status = call && callStatusOf(call, fields.status);
	switch (verdict?.is) {
		case 'ended':
			return { result: 'ended', explanation: `The call ended: ${status}.`, call };
		case 'several':
			return {
				result: 'ambiguous',
				explanation: `More than one call matches, or the call could belong to another item with the same agent and number, ${UNCHOSEN}. See 'candidates'.`,
				call: null,
				candidates: verdict.calls,
			};
		case 'unnamed':
			return {
				result: 'unknown',
				explanation: `The calls listed since then show neither their agent (${fields.agent.join(', ')}) nor their number (${fields.number.join(', ')}), and as far as they could be read, nor do their details, ${UNCHOSEN}. Enter the names of the fields in 'Agent Fields' and 'Number Fields'.`,
				call: null,
				candidates: verdict.calls,
			};
		case 'refused':
			return {
				result: 'unknown',
				explanation: `The result of the call could not be read: ${said(verdict.error)}`,
				call,
			};
		default:
			return { ...unfinished(state, status ?? undefined), call };
	}
}

/** The item of a call that could not be placed, after others of the same run were. */
export const notPlaced = (
	error: Error & { description?: string | null },
): CallOutcome & { task: null } => ({
	task: null,
	result: 'notPlaced',
	explanation: `The call was not placed: ${said(error)} ${error.description ?? ''}`.trim(),
	call: null,
});

function unfinished(
	{ call, fields, parts, trouble, lost }: CallState,
	status: string | undefined,
): Pick<CallOutcome, 'result' | 'explanation'> {
	const last = trouble ? ` The last look failed: ${said(trouble)}` : '';
	if (call === undefined) {
		const doubt = lost
			? `It is not known whether the call was placed: ${said(lost)} No matching call showed up in time. Look into the call history before you place the call again.`
			: 'No matching call showed up in time. It may still show up.';
		const explanation = `${doubt}${last}`;
		return { result: 'notFound', explanation };
	}
	if (hasEnded(call, fields.status)) {
		const missing = parts.filter((part) => !saysSomething(call[part])).join(' and ');
		const explanation = `The call ended (${status}), but there was not enough time until ${missing || 'its detail'} could be read.${last}`;
		return { result: 'incomplete', explanation };
	}
	const seen = status
		? `its status is ${status}`
		: `none of the fields ${fields.status.join(', ')} shows its status: enter the name in 'Status Fields'`;
	return {
		result: 'underWay',
		explanation: `The call had not ended in time; ${seen}.${last}`,
	};
}

const said = ({ message }: Error) => (/[.!?]$/.test(message) ? message : `${message}.`);

/** What the user should know if the call did not end in time. */
export const noticeOf = ({ result, explanation }: JsonObject): string | undefined =>
	result === undefined || result === 'ended' ? undefined : String(explanation);
