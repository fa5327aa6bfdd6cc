import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failedItems, type NodeError } from './failures';

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
export const failed = (
	context: IExecuteFunctions,
	error: NodeError,
	items: [first: number, ...others: number[]],
	baseUrl: string | undefined,
): Result => ({
	item: items[0],
	output: failedItems(context, error, items, baseUrl),
	isFailed: true,
});
