import type { IExecuteFunctions } from 'n8n-workflow';

/** n8n keeps the newest of these notes, in one row for the node. It runs an execution again within minutes. */
const NOTES = { mode: 'entries', maxEntries: 500 } as const;

const RAN_BEFORE =
	'n8n runs this execution again, most likely because its worker was stopped. What it did before is not known, so nothing was sent now. Look into the call history before you run it again';

/**
 * Notes in n8n's database that this run of the node has begun. In queue mode, n8n 1 runs an execution again
 * from its start if its worker dies, and a call would be placed twice.
 *
 * @returns takes the note back, for a run that did nothing: n8n may run it again
 * @throws Error if the run was noted before
 */
export async function noteRun(context: IExecuteFunctions): Promise<() => Promise<void>> {
	const { checkProcessedAndRecord, removeProcessed } = context.helpers;
	const { $runIndex: run } = context.getWorkflowDataProxy(0);
	const notes = [`${context.getNode().id} ${context.getExecutionId()} ${run}`];
	// A workflow that is not saved has no place for notes. n8n does not run it again by itself.
	const { processed } = await checkProcessedAndRecord(notes, 'node', NOTES).catch(() => ({
		processed: [],
	}));
	if (processed.length > 0) throw new Error(RAN_BEFORE);
	return async () => {
		await removeProcessed(notes, 'node', NOTES).catch(() => {});
	};
}
