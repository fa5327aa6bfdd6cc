import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import type { About } from '../api/errors';

export type NodeError = NodeApiError | NodeOperationError;

/** n8n's error for one item, whatever was thrown. */
export function nodeErrorOf(
	error: unknown,
	node: INode,
	itemIndex: number,
	about?: About,
): NodeError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	const { message } = error as Error;
	return new NodeOperationError(node, about ? `${about.operation}: ${message}` : message, {
		itemIndex,
	});
}

/** The error for input that cannot be used. */
export function refusal(
	context: IExecuteFunctions,
	about: About,
	what: string,
	itemIndex = 0,
): NodeOperationError {
	return new NodeOperationError(context.getNode(), `${about.operation}: ${what}`, {
		description: 'Nothing was sent. Correct the parameter and run again.',
		itemIndex,
	});
}

/** What is wrong with settings whose expression gave nothing. */
export const withoutValue = (names: string[]) =>
	`${names.map((name) => `"${name}"`).join(', ')} has no value. Remove it, or mend its expression`;

/**
 * What Continue On Fail hands on: the error in n8n's place for it, paired with its item, and whose
 * it is where several accounts report.
 */
export function failedItem(
	error: NodeError,
	itemIndex: number,
	baseUrl?: string,
): INodeExecutionData {
	return {
		json: { error: error.message, ...(baseUrl !== undefined && { base_url: baseUrl }) },
		error,
		pairedItem: { item: itemIndex },
	};
}
