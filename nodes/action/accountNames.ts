import type { IExecuteFunctions } from 'n8n-workflow';

import { hideItems, isTool } from '../api/account';
import { textOfLocator, valueOfLocator } from '../table/place';

/**
 * Reads what each item has in Account: undefined if the field is empty, null if its expression gives nothing.
 *
 * An expression sees the item of a tool only if it asks the model by $fromAI: the item is what a model has
 * written, with fields that nobody offered it.
 */
export function accountNamesIn(context: IExecuteFunctions): (itemIndex: number) => unknown {
	const stored = textOfLocator(context.getNode().parameters.account);
	if (stored.trim() === '') return () => undefined;
	const isHidden = isTool(context.getNode()) && !stored.includes('$fromAI');
	return (itemIndex) => {
		const showItems = isHidden ? hideItems(context) : undefined;
		try {
			return valueOfLocator(context.getNodeParameter('account', itemIndex, null)) ?? null;
		} finally {
			showItems?.();
		}
	};
}
