import { ASSUMED } from '../domain/assumed';
import { sentences } from '../words';

/**
 * Sends a list in several requests, one after another, and returns their answers.
 *
 * @param what what the entries are called: "contacts"
 * @throws what a request threw; its message then says how many entries were handled before
 */
export async function sendInParts<Entry>(
	entries: readonly Entry[],
	what: string,
	send: (part: Entry[]) => Promise<unknown>,
): Promise<unknown[]> {
	const answers: unknown[] = [];
	for (let at = 0; at < entries.length; at += ASSUMED.membersPerRequest) {
		try {
			answers.push(await send(entries.slice(at, at + ASSUMED.membersPerRequest)));
		} catch (error) {
			const note = `${at} of ${entries.length} ${what} were handled before`;
			throw at === 0 ? error : noted(error, note);
		}
	}
	return answers;
}

export function noted(error: unknown, note: string): unknown {
	if (error instanceof Error) error.message = sentences(error.message, note);
	return error;
}
