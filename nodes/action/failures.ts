import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { answerBehind, mayHaveChanged, noteChange } from '../api/apiError';
import { isTool } from '../api/account';
import { sentences, withShortTexts } from '../words';

type NodeError = NodeApiError | NodeOperationError;

/**
 * The n8n error for one item, whatever was thrown. A model reads nothing of it but the message, so its
 * message has the advice too.
 */
export function toNodeError(error: unknown, node: INode, itemIndex: number): NodeError {
	const known = knownError(error, node, itemIndex);
	const { message, description } = known;
	if (isTool(node) && description && !message.includes(description)) {
		known.message = sentences(message, description);
	}
	return known;
}

function knownError(error: unknown, node: INode, itemIndex: number): NodeError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	const known = new NodeOperationError(node, (error as Error).message, { itemIndex });
	if (mayHaveChanged(error)) noteChange(known);
	return known;
}

/** The error for input that cannot be used. */
export function refusal(
	context: IExecuteFunctions,
	what: string,
	itemIndex = 0,
): NodeOperationError {
	const description = 'Nothing was sent.';
	return new NodeOperationError(context.getNode(), what, { description, itemIndex });
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

/**
 * The result of items that failed, with Continue On Fail: for each item the error, and the fields that a
 * workflow can branch on (`may_have_acted`, `status`, `code`, `details`).
 */
export function failedResult(
	context: IExecuteFunctions,
	error: unknown,
	items: [first: number, ...others: number[]],
): Result {
	const node = context.getNode();
	const known = toNodeError(error, node, items[0]);
	withShortTexts(known);
	const { message, name } = known;
	const description = known.description ?? undefined;
	// A workflow that tries again, or says that nothing was done, has to know.
	const isDoubtful = mayHaveChanged(known);
	const isTold = message.includes(description ?? '');
	const json = {
		error: isDoubtful && !isTold ? sentences(message, description!) : message,
		...(isDoubtful && { may_have_acted: true }),
		...(answerBehind(known) as IDataObject | undefined),
	};
	const toItem = (item: number): INodeExecutionData =>
		node.onError === 'continueErrorOutput'
			? itemWithError({ name, message, description }, { ...json }, item)
			: { json: { ...json }, pairedItem: { item } };
	return { item: items[0], output: items.map(toItem), isFailed: true };
}

/**
 * An item for the error output. n8n sends an item there if it has an error, but then replaces its JSON by
 * the message alone: the JSON answers that assignment by staying what it is. The error goes with it, or
 * the next node that hands the item on, such as IF or one that is switched off, would lose the JSON. Then
 * all is plain values, because the expressions of n8n 2.41 (`$input.all()`) are null if an item holds a
 * getter or an n8n error. The pairing is a plain number, because n8n would otherwise copy the item and add
 * all fields of the input item, which may contain its key.
 */
function itemWithError(error: object, json: IDataObject, item: number): INodeExecutionData {
	const failedItem: { error?: object; pairedItem: number } = { error, pairedItem: item };
	const field = { enumerable: true, configurable: true };
	return Object.defineProperty(failedItem, 'json', {
		...field,
		get: () => json,
		set: () => {
			delete failedItem.error;
			Object.defineProperty(failedItem, 'json', { ...field, value: json, writable: true });
		},
	}) as unknown as INodeExecutionData;
}
