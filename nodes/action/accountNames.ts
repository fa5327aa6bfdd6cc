import type { IExecuteFunctions } from 'n8n-workflow';

import { isTool } from '../api/account';
import { isObject } from '../json';
import { valueOfLocator } from '../table/place';

/** The collection that holds the option Account. */
const OPTIONS = 'requestOptions';

/**
 * Reads what each item has in Account: undefined if the node has no Account, null if it gives nothing.
 *
 * The item of a tool is what a model has written, with fields that nobody offered it. So an expression sees
 * such an item only if it asks the model by $fromAI.
 */
export function accountNamesIn(context: IExecuteFunctions): (itemIndex: number) => unknown {
	const stored = context.getNode().parameters[OPTIONS];
	const hidesItem = isTool(context.getNode()) && !JSON.stringify(stored ?? '').includes('$fromAI');
	return (itemIndex) => {
		const item = context.getInputData()[itemIndex];
		const json = item?.json;
		if (hidesItem && item) item.json = {};
		try {
			const options: unknown = context.getNodeParameter(OPTIONS, itemIndex, {});
			const isAdded = [stored, options].some(
				(held) => isObject(held) && Object.hasOwn(held, 'account'),
			);
			if (!isAdded) return undefined;
			return valueOfLocator((options as { account?: unknown }).account) ?? null;
		} finally {
			if (hidesItem && item) item.json = json!;
		}
	};
}
