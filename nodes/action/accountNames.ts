import type { IExecuteFunctions } from 'n8n-workflow';

import { isTool } from '../api/account';
import { textOfLocator, valueOfLocator } from '../table/place';

/**
 * Reads what each item has in Account: undefined if the field is empty, null if its expression gives nothing.
 *
 * The item of a tool is what a model has written, with fields that nobody offered it. So an expression sees
 * such an item only if it asks the model by $fromAI.
 */
export function accountNamesIn(context: IExecuteFunctions): (itemIndex: number) => unknown {
	const stored = textOfLocator(context.getNode().parameters.account);
	if (stored.trim() === '') return () => undefined;
	const hidesItem = isTool(context.getNode()) && !stored.includes('$fromAI');
	return (itemIndex) => {
		const item = context.getInputData()[itemIndex];
		const json = item?.json;
		if (hidesItem && item) item.json = {};
		try {
			return valueOfLocator(context.getNodeParameter('account', itemIndex, null)) ?? null;
		} finally {
			if (hidesItem && item) item.json = json!;
		}
	};
}
