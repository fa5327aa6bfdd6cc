import type { IExecuteFunctions } from 'n8n-workflow';

import { hideItems, isTool } from '../api/account';
import { isObject } from '../json';
import { valueOfLocator } from '../table/place';

/** The collection that holds the option Account. */
const OPTIONS = 'options';

/**
 * Reads what each item has in Account: undefined if the node has no Account, null if it gives nothing. An
 * expression sees the item of a tool only if it asks the model by $fromAI.
 */
export function accountNamesIn(context: IExecuteFunctions): (itemIndex: number) => unknown {
	const stored = context.getNode().parameters[OPTIONS];
	const isHidden = isTool(context.getNode()) && !JSON.stringify(stored ?? '').includes('$fromAI');
	return (itemIndex) => {
		const showItems = isHidden ? hideItems(context) : undefined;
		try {
			const options: unknown = context.getNodeParameter(OPTIONS, itemIndex, {});
			const isAdded = [stored, options].some(
				(held) => isObject(held) && Object.hasOwn(held, 'account'),
			);
			if (!isAdded) return undefined;
			return valueOfLocator((options as { account?: unknown }).account) ?? null;
		} finally {
			showItems?.();
		}
	};
}
