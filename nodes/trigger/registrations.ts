import type { IPollFunctions } from 'n8n-workflow';

/**
 * Tells with which poll n8n registers a node. It does so when a workflow is switched on, when n8n
 * starts, and when an edit is published; an error of that poll switches the workflow off.
 */
export class Registrations {
	private readonly known = new WeakSet<IPollFunctions>();

	/** Nodes that polled twice in one context: the legacy engine makes one with each registration. */
	private readonly lasting = new Set<string>();

	/**
	 * @param key stands for the workflow and the node
	 * @param activation what n8n says; its scheduler says `update` with every poll, each in a context
	 *   of its own, and the legacy engine where an edit was published
	 */
	isFirst(key: string, context: IPollFunctions, activation: string): boolean {
		if (this.known.has(context)) {
			this.lasting.add(key);
			return false;
		}
		this.known.add(context);
		return activation !== 'update' || this.lasting.has(key);
	}
}
