import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { answerBehind } from '../api/apiError';
import type { About } from '../api/errors';
import { isTool, withAdvice } from './asTool';

export type NodeError = NodeApiError | NodeOperationError;

/** n8n's error for one item, whatever was thrown. */
export function nodeErrorOf(
	error: unknown,
	node: INode,
	itemIndex: number,
	about?: About,
): NodeError {
	const known = (): NodeError => {
		if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
		const { message } = error as Error;
		return new NodeOperationError(node, about ? `${about.operation}: ${message}` : message, {
			itemIndex,
		});
	};
	return isTool(node) ? withAdvice(known()) : known();
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
	`${names.map((name) => `'${name}'`).join(', ')} has no value. Remove it, or mend its expression`;

/**
 * What Continue On Fail hands on, paired with each item: the error, with the status, code and details
 * that a workflow can branch on, and which account it is of. What goes to an error output needs an
 * error in n8n's own place, of which n8n makes the whole JSON: there the account stands in the text.
 * (Without it n8n would add the input item, and with it its key.)
 */
export function failedItems(
	context: IExecuteFunctions,
	error: NodeError,
	items: number[],
	baseUrl?: string,
): INodeExecutionData[] {
	const node = context.getNode();
	if (node.onError !== 'continueErrorOutput') {
		const json = {
			error: error.message,
			...(answerBehind(error) as IDataObject | undefined),
			...(baseUrl !== undefined && { base_url: baseUrl }),
		};
		return items.map((item) => ({ json: { ...json }, pairedItem: { item } }));
	}
	const message = baseUrl === undefined ? error.message : `${error.message} (${baseUrl})`;
	return items.map((item) => {
		const description = error.description ?? undefined;
		const own = new NodeOperationError(node, message, { description, itemIndex: item });
		// n8n puts a text of its own in place of one that holds a code such as ENOENT.
		own.message = message;
		return { json: { error: message }, error: own, pairedItem: { item } };
	});
}
