import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { answerBehind } from '../api/apiError';
import type { About } from '../api/errors';
import { sentences, withShortTexts } from '../words';

type NodeError = NodeApiError | NodeOperationError;

/**
 * Whether the node runs as a tool of an AI agent. n8n then gives the node type this ending.
 * `isToolExecution` does not cover agents whose tools n8n's engine runs.
 */
export const isTool = ({ type }: INode) => type.endsWith('Tool');

/**
 * The n8n error for one item, whatever was thrown. A model reads nothing of it but the message, so its
 * message has the advice too.
 */
export function toNodeError(
	error: unknown,
	node: INode,
	itemIndex: number,
	about?: About,
): NodeError {
	const known = knownError(error, node, itemIndex, about);
	const { message, description } = known;
	if (isTool(node) && description && !message.includes(description)) {
		known.message = sentences(message, description);
	}
	return known;
}

function knownError(error: unknown, node: INode, itemIndex: number, about?: About): NodeError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	const { message } = error as Error;
	const said = about ? `${about.operation}: ${message}` : message;
	return new NodeOperationError(node, said, { itemIndex });
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

/** What goes out for a task. */
export interface Result {
	/** The first input item of the task. */
	item: number;
	output: INodeExecutionData[];
	isFailed?: boolean;
	/** Hints for the user about a successful task. */
	notices?: string[];
}

/** The result of items that failed, with Continue On Fail. */
export const failedResult = (
	context: IExecuteFunctions,
	error: NodeError,
	items: [first: number, ...others: number[]],
): Result => ({
	item: items[0],
	output: failedItems(context, error, items),
	isFailed: true,
});

/**
 * What Continue On Fail hands on for each item: the error, and the fields that a workflow can branch on
 * (`status`, `code`, `details`).
 */
export function failedItems(
	context: IExecuteFunctions,
	error: NodeError,
	items: number[],
): INodeExecutionData[] {
	const node = context.getNode();
	withShortTexts(error);
	const json = {
		error: error.message,
		...(answerBehind(error) as IDataObject | undefined),
	};
	if (node.onError !== 'continueErrorOutput') {
		return items.map((item) => ({ json: { ...json }, pairedItem: { item } }));
	}
	return items.map((item) => {
		const description = error.description ?? undefined;
		const own = new NodeOperationError(node, error.message, { description, itemIndex: item });
		// n8n puts a text of its own in place of one that holds a code such as ENOENT.
		own.message = error.message;
		return itemWithError(own, { ...json }, item);
	});
}

/**
 * An item for the error output. n8n sends an item there if it has an error, but then replaces its JSON
 * by the message alone. So the JSON cannot be assigned. The pairing is a plain number, because n8n would
 * otherwise copy the item and add all fields of the input item, which may contain its key.
 */
function itemWithError(error: NodeError, json: IDataObject, item: number): INodeExecutionData {
	const failedItem = { error, pairedItem: item };
	return Object.defineProperty(failedItem, 'json', {
		enumerable: true,
		get: () => json,
		set: () => {},
	}) as unknown as INodeExecutionData;
}
