import { plural, sentences } from '../words';
import { answerBehind, mayHaveChanged } from './apiError';

/** A list that is sent in parts. */
interface Batch<Entry> {
	entries: readonly Entry[];
	/** What the entries are called: "contacts". */
	what: string;
	/** How many go into one request, at most. */
	size: number;
	/** The name of the option for this. */
	option: string;
	send(part: Entry[]): Promise<unknown>;
}

/** If so few entries are refused, the reason is hardly their number. */
const FEW = 10;

/**
 * Sends a list in several requests, one after another, so that it is clear what was done if one of them
 * fails.
 *
 * @returns the answers in the order of the requests
 * @throws what a request threw; its message then says how many entries were handled before
 */
export async function sendInParts<Entry>(batch: Batch<Entry>): Promise<unknown[]> {
	const { entries, size } = batch;
	const answers: unknown[] = [];
	for (let at = 0; at < entries.length; at += size) {
		const part = entries.slice(at, at + size);
		answers.push(
			await batch.send(part).catch((error: unknown) => {
				throw at === 0 && part.length <= FEW ? error : noted(error, done(batch, at, error));
			}),
		);
	}
	return answers;
}

/** What was done before an error. */
function done<Entry>(batch: Batch<Entry>, count: number, error: unknown): string {
	const { entries, what, option, size } = batch;
	const isRefused = answerBehind(error) !== undefined && !mayHaveChanged(error);
	if (count === 0) {
		const fewer = `If there were too many in one request, lower '${option}'`;
		return isRefused ? `None of the ${what} in this request was handled. ${fewer}` : fewer;
	}
	const before = `${count} of ${entries.length} ${what} were handled before, in ${plural(count / size, 'request')}`;
	return isRefused ? `${before}; the others were not` : before;
}

/** The error with a note for the user. */
export function noted(error: unknown, note: string): unknown {
	if (error instanceof Error) error.message = sentences(error.message, note);
	return error;
}
