import type { IExecuteFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

/** n8n keeps the newest of these notes, in one row for the node. It runs an execution again within minutes. */
const NOTES = { mode: 'entries', maxEntries: 500 } as const;

/** How often n8n is asked, at most. Each time, another execution may take the note away. */
const MOST_ASKED = 20;

const RAN_BEFORE =
	'n8n runs this execution again, most likely because its worker was stopped. What it did before is not known, so nothing was sent now. Check the call history before you run it again';

const NOT_NOTED =
	'n8n could not note in its database that this execution places a call, so none was placed: n8n might run the execution again, and place it twice. Check the log of n8n, and run it again';

/**
 * What SQLite and PostgreSQL say of a workflow that was never saved: "FOREIGN KEY constraint failed", and
 * "violates foreign key constraint". n8n does not run it again by itself.
 */
const isUnsaved = ({ message }: Error) => /foreign key constraint/i.test(message);

/**
 * Notes in n8n's database that this run of the node has begun. In queue mode, n8n 1 runs an execution again
 * from its start if its worker dies, and a call would be placed twice.
 *
 * n8n reads all notes of the node, and then overwrites them, without a lock (`handleHashedItems` in
 * `deduplication-helper.js`, 1.123 to 2.41). So a note that was new is only there when n8n knows it later.
 *
 * @returns takes the note back, for a run that did nothing: n8n may run it again
 * @throws Error if the run was noted before, or cannot be noted
 */
export async function noteRun(
	context: IExecuteFunctions,
	pause: (ms: number) => Promise<void> = sleep,
): Promise<() => Promise<void>> {
	const { checkProcessedAndRecord, removeProcessed } = context.helpers;
	const { $runIndex: run } = context.getWorkflowDataProxy(0);
	const notes = [`${context.getNode().id} ${context.getExecutionId()} ${run}`];
	if (!context.getWorkflow().id) return async () => {};
	let isOurs = false;
	for (let asked = 0; asked < MOST_ASKED; asked++) {
		const answer = await checkProcessedAndRecord(notes, 'node', NOTES).catch(asError);
		if (answer instanceof Error) {
			if (isUnsaved(answer)) return async () => {};
		} else if (answer.processed.length === 0) {
			isOurs = true;
		} else if (isOurs) {
			return async () => void (await removeProcessed(notes, 'node', NOTES).catch(asError));
		} else {
			throw new Error(RAN_BEFORE);
		}
		// Two first runs of the node that ask at the same moment do not do so again.
		await pause(50 + Math.random() * 250);
	}
	throw new Error(NOT_NOTED);
}

const asError = (error: Error) => error;
