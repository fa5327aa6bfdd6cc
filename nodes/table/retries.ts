import type { INode } from 'n8n-workflow';

/**
 * Whether n8n runs the whole node again if an item fails, although others are done: with Retry On Fail and
 * Continue, if there are several items.
 */
export function isRepeated(node: INode, items: number): boolean {
	const continues = node.continueOnFail === true || node.onError?.startsWith('continue') === true;
	return node.retryOnFail === true && continues && items > 1;
}
