import { sentences } from '../json';

/** Parts of a list, each of at most `size`. */
export function partsOf<T>(entries: readonly T[], size: number): T[][] {
	const starts = entries.map((_, at) => at).filter((at) => at % size === 0);
	return starts.map((at) => entries.slice(at, at + size));
}

/**
 * One request for each part, one after another, so that after a failure it is known what was done.
 *
 * @param what the entries, as people call them
 * @returns what was answered, in the order of the parts
 * @throws what a request threw; its message says how many entries had been handled before
 */
export async function sendParts<T>(
	parts: T[][],
	what: string,
	send: (part: T[]) => Promise<unknown>,
): Promise<unknown[]> {
	const all = parts.flat().length;
	const answers: unknown[] = [];
	for (const [at, part] of parts.entries()) {
		try {
			answers.push(await send(part));
		} catch (error) {
			const before = parts.slice(0, at).flat().length;
			const done =
				before > 0 ? `${before} of ${all} ${what} were handled` : `No ${what} were handled`;
			throw parts.length === 1
				? error
				: noted(
						error,
						`${done} before, in ${at} of ${parts.length} requests; those after it were not sent`,
					);
		}
	}
	return answers;
}

/** The error with what else the user should know of it. */
export function noted(error: unknown, note: string): unknown {
	if (error instanceof Error) error.message = sentences(error.message, note);
	return error;
}
