import { ASSUMED } from '../domain/assumed';
import { sentences } from '../words';

/**
 * Sends a list in several requests, one after another, so that it is clear what was done if one of them
 * fails.
 *
 * @param what what the entries are called: "contacts"
 * @returns the answers in the order of the requests
 * @throws what a request threw; its message then says how many entries were handled before
 */
export async function sendInParts<Entry>(
	entries: readonly Entry[],
	what: string,
	send: (part: Entry[]) => Promise<unknown>,
): Promise<unknown[]> {
	const answers: unknown[] = [];
	for (let at = 0; at < entries.length; at += ASSUMED.membersPerRequest) {
		const part = entries.slice(at, at + ASSUMED.membersPerRequest);
		answers.push(
			await send(part).catch((error: unknown) => {
				throw at === 0
					? error
					: noted(error, `${at} of ${entries.length} ${what} were handled before`);
			}),
		);
	}
	return answers;
}

/** The error with a note for the user. */
export function noted(error: unknown, note: string): unknown {
	if (error instanceof Error) error.message = sentences(error.message, note);
	return error;
}
