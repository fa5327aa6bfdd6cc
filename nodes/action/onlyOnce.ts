import type { IExecuteFunctions } from 'n8n-workflow';

/** n8n keeps the newest of these notes, in one row for the node. It runs an execution again within minutes. */
const NOTES = { mode: 'entries', maxEntries: 500 } as const;

/** What the user reads if n8n runs the node again. */
export const RAN_BEFORE =
	'n8n runs this execution again, most likely because its worker was stopped. What it did before is not known, so nothing was sent now. Look into the call history before you run it again';

/**
 * Notes in n8n's database that the node begins to run. In queue mode, n8n 1 runs an execution again from its
 * start if its worker dies, and a call would be placed twice.
 *
 * @returns takes the note back, for a run that did nothing; undefined if this run has begun before
 */
export async function noteRun(
	context: IExecuteFunctions,
): Promise<(() => Promise<void>) | undefined> {
	const { $runIndex: run } = context.getWorkflowDataProxy(0);
	const note = [`${context.getNode().id} ${context.getExecutionId()} ${run}`];
	try {
		const { processed } = await context.helpers.checkProcessedAndRecord(note, 'node', NOTES);
		if (processed.length > 0) return undefined;
	} catch {
		// A workflow that is not saved has no place for notes. n8n does not run it again by itself.
	}
	return async () => {
		await context.helpers.removeProcessed(note, 'node', NOTES).catch(() => {});
	};
}
