import { answerBehind } from './apiError';
import { plural, sentences } from '../words';

/** How many entries an account accepts in one request, as its answers have shown. */
export class BatchLimit {
	/** More than this were refused. */
	most = Infinity;

	/** So many were accepted. If as many are refused later, their number is not the reason. */
	accepted = 0;
}

/** A list that is sent in parts. */
interface Batch<Entry> {
	entries: readonly Entry[];
	/** What the entries are called: "contacts". */
	what: string;
	/** How many the user wants in one request, at most. */
	size: number;
	/** The name of the option for this. */
	option: string;
	limit: BatchLimit;
	/** How the request names an entry. */
	nameOf(entry: Entry): string;
	send(part: Entry[]): Promise<unknown>;
	/** Tells the user something although the requests succeeded. */
	tell(message: string): void;
}

/**
 * Sends a list in several requests, one after another, so that it is clear what was done if one of them
 * fails. A part that is refused because of its size changed nothing. It is sent again in halves.
 *
 * @returns the answers in the order of the requests
 * @throws what a request threw; its message then says how many entries were handled before
 */
export async function sendInParts<Entry>(batch: Batch<Entry>): Promise<unknown[]> {
	const { entries, size, limit } = batch;
	const answers: unknown[] = [];
	let wasHalved = false;
	for (let at = 0; at < entries.length;) {
		const part = entries.slice(at, at + Math.min(size, limit.most));
		try {
			answers.push(await batch.send(part));
			at += part.length;
			limit.accepted = Math.max(limit.accepted, part.length);
		} catch (error) {
			if (!isTooLarge(error, part.map(batch.nameOf), limit)) {
				throw entries.length === part.length ? error : noted(error, done(batch, at, answers));
			}
			limit.most = Math.ceil(part.length / 2);
			wasHalved = true;
		}
	}
	if (wasHalved) {
		batch.tell(
			`The API refused more than ${limit.most} ${batch.what} in one request, so they were sent in smaller parts. To save the refused requests, set '${batch.option}' to ${limit.most}.`,
		);
	}
	return answers;
}

function done<Entry>({ entries, what, option }: Batch<Entry>, count: number, answers: unknown[]) {
	if (count === 0)
		return `No ${what} were handled. If there were too many in one request, lower '${option}'`;
	return `${count} of ${entries.length} ${what} were handled before, in ${plural(answers.length, 'request')}; the others were not`;
}

/** If so few entries are refused, the reason is hardly their number. */
const FEW = 10;

/**
 * Whether entries may have been refused because of their number. 413 says so. A 400 or 422 may have
 * other reasons: it does not count if it names an entry, if they are few, or if as many were accepted.
 */
function isTooLarge(error: unknown, names: string[], { accepted }: BatchLimit): boolean {
	if (!(error instanceof Error) || names.length <= Math.max(accepted, 1)) return false;
	const { status, ...said } = answerBehind(error) ?? {};
	if (status === 413) return true;
	if (status !== 400 && status !== 422) return false;
	const { message, description } = error as Error & { description?: string };
	const text = JSON.stringify([message, description, said]);
	return names.length > FEW && !names.some((name) => text.includes(name));
}

/** The error with a note for the user. */
export function noted(error: unknown, note: string): unknown {
	if (error instanceof Error) error.message = sentences(error.message, note);
	return error;
}
