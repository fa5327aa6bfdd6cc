import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { answerBehind, mayHaveChanged, noteChange } from '../api/apiError';
import { isTool } from '../api/account';
import type { FullRecord, Shape } from '../domain/simplify';
import { checksCalls, notPlaced } from '../waiting/makeTestCall';
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
export const refusal = (context: IExecuteFunctions, what: string, itemIndex = 0) =>
	new NodeOperationError(context.getNode(), what, { description: 'Nothing was sent.', itemIndex });

export interface Result {
	/** The first input item of the task. */
	item: number;
	output: INodeExecutionData[];
	/** The records of its items, and which of their fields go out. Nothing if it failed. */
	records?: FullRecord[];
	shape?: Shape;
	isFailed?: boolean;
	/** There is no such record, and the user wants an item that says so. */
	isMissing?: boolean;
	notices?: string[];
}

/** What a failed item has beside its error, if the API did not answer. */
export const NO_ANSWER = { status: null, code: null, details: null, may_have_acted: null };

/** The message of an error after which nobody may believe that nothing was done. */
function withDoubt({ message, description }: NodeError): string {
	const told = [message, description ?? ''].find((text) => text.includes('may have been made'));
	if (told === message) return message;
	return sentences(message, told ?? 'A part of the change may have been made.');
}

/**
 * The result of items that failed, with Continue On Fail. n8n takes an item with `error` and nothing else to
 * the error output, and adds the fields of its input item (`handleNodeErrorOutput` in n8n-core; 1.123 to 2.41).
 * In the regular output, the fields of NO_ANSWER are always there, or those of an input item would take their
 * place. A test call that is checked did not pass then, and says so in the same columns as the others.
 */
export function failedResult(
	context: IExecuteFunctions,
	error: unknown,
	items: [first: number, ...others: number[]],
): Result {
	const node = context.getNode();
	const known = toNodeError(error, node, items[0]);
	withShortTexts(known);
	const resultOf = (json: IDataObject, notices: string[] = []): Result => {
		const output = items.map((item) => ({ json: { ...json }, pairedItem: { item } }));
		return { item: items[0], output, notices, isFailed: true };
	};
	if (checksCalls(node.parameters)) {
		const uncalled = notPlaced(known, true);
		return resultOf(uncalled as IDataObject, [uncalled.explanation]);
	}
	const isDoubtful = mayHaveChanged(known);
	const text = isDoubtful ? withDoubt(known) : known.message;
	if (node.onError === 'continueErrorOutput') return resultOf({ error: text });
	const may_have_acted = isDoubtful || null;
	const answered = answerBehind(known) as IDataObject | undefined;
	return resultOf({ error: text, ...NO_ANSWER, may_have_acted, ...answered });
}
