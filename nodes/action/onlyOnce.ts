import type { IExecuteFunctions } from 'n8n-workflow';

/** n8n keeps the newest of these notes, in one row for the node. It runs an execution again within minutes. */
const NOTES = { mode: 'entries', maxEntries: 500 } as const;

const RAN_BEFORE =
	'n8n runs this execution again, most likely because its worker was stopped. What it did before is not known, so nothing was sent now. Look into the call history before you run it again';

/**
 * The note in n8n's database that a run of the node has begun. In queue mode, n8n 1 runs an execution again
 * from its start if its worker dies, and a call would be placed twice.
 */
export class RunNote {
	readonly #context: IExecuteFunctions;

	readonly #note: string[];

	/** Whether the note is new. */
	#noting?: Promise<boolean>;

	constructor(context: IExecuteFunctions) {
		this.#context = context;
		const { $runIndex: run } = context.getWorkflowDataProxy(0);
		this.#note = [`${context.getNode().id} ${context.getExecutionId()} ${run}`];
	}

	/** Notes the run once, for all of its items. @throws Error if it was noted in an earlier attempt */
	async make(): Promise<void> {
		if (!(await (this.#noting ??= this.#record()))) throw new Error(RAN_BEFORE);
	}

	/** For a run that did nothing: n8n may run it again. */
	async takeBack(): Promise<void> {
		if (!(await this.#noting)) return;
		await this.#context.helpers.removeProcessed(this.#note, 'node', NOTES).catch(() => {});
	}

	async #record(): Promise<boolean> {
		const { checkProcessedAndRecord } = this.#context.helpers;
		try {
			const { processed } = await checkProcessedAndRecord(this.#note, 'node', NOTES);
			return processed.length === 0;
		} catch {
			// A workflow that is not saved has no place for notes. n8n does not run it again by itself.
			return true;
		}
	}
}
