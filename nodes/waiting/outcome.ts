import { hasEnded, statusOf } from '../domain/call';
import type { JsonObject } from '../json';
import { saysSomething } from '../domain/callParts';
import type { CallState } from './calls';

/** What came of waiting for a call, as an item says it. */
export interface Outcome extends JsonObject {
	result: 'ended' | 'incomplete' | 'underWay' | 'notFound' | 'notPlaced' | 'ambiguous' | 'unknown';
	/** The result in words. */
	explanation: string;
	/** The call with its parts, as far as it is known which it is. */
	call: JsonObject | null;
	/** The calls that could be meant, where it is not known which is. */
	candidates?: JsonObject[];
}

const UNCHOSEN = 'so none was chosen. A second call was not placed';

/** What is known of a call when the waiting is over. */
export function outcomeOf(state: CallState): Outcome {
	const { verdict, call = null, fields } = state;
	const status = call && statusOf(call, fields.status);
	switch (verdict?.is) {
		case 'ended':
			return { result: 'ended', explanation: `The call ended: ${status}.`, call };
		case 'several':
			return {
				result: 'ambiguous',
				explanation: `More than one call could be meant, or the call could be that of another item with the same agent and number, ${UNCHOSEN}. Look at the candidates.`,
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
				explanation: `What came of the call cannot be read: ${said(verdict.error)}`,
				call,
			};
		default:
			return { ...unfinished(state, status ?? undefined), call };
	}
}

/** The item of a call that could not be placed, after others of the same run were. */
export const notPlaced = (
	error: Error & { description?: string | null },
): Outcome & { task: null } => ({
	task: null,
	result: 'notPlaced',
	explanation: `The call was not placed: ${said(error)} ${error.description ?? ''}`.trim(),
	call: null,
});

function unfinished(
	{ call, fields, parts, trouble, lost }: CallState,
	status: string | undefined,
): Pick<Outcome, 'result' | 'explanation'> {
	const last = trouble ? ` The last look failed: ${said(trouble)}` : '';
	if (call === undefined) {
		const doubt = lost
			? `Whether the call was placed is not known: ${said(lost)} No such call was listed before the time was over. Look into the call history before you place it again.`
			: 'No such call was listed before the time was over; it may still come.';
		const explanation = `${doubt}${last}`;
		return { result: 'notFound', explanation };
	}
	if (hasEnded(call, fields.status)) {
		const missing = parts.filter((part) => !saysSomething(call[part])).join(' and ');
		const explanation = `The call ended (${status}), but the time was over before ${missing || 'its detail'} could be read.${last}`;
		return { result: 'incomplete', explanation };
	}
	const seen = status
		? `its status is ${status}`
		: `none of the fields ${fields.status.join(', ')} shows its status: enter the name in 'Status Fields'`;
	return {
		result: 'underWay',
		explanation: `The call had not ended when the time was over; ${seen}.${last}`,
	};
}

const said = ({ message }: Error) => (/[.!?]$/.test(message) ? message : `${message}.`);

/** What a user should be told of a result that is not the one that was waited for. */
export const noticeOf = ({ result, explanation }: JsonObject): string | undefined =>
	result === undefined || result === 'ended' ? undefined : String(explanation);
