import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { DateTime } from 'luxon';

import { hideItems, isTool } from '../api/account';
import type { About } from '../api/errors';
import { accessOf } from '../domain/access';
import { form, readForm } from '../table/form';
import { authentication, commonOptions, optionsFor } from '../table/handling';
import { fieldsOf, type Operation, type Resources } from '../table/operation';
import { textOfLocator, valueOfLocator } from '../table/place';
import { refusal } from './failures';

/** The operation that the user chose, and what errors say about it. */
export interface Chosen {
	row: Operation;
	about: About;
	/** When the execution began, in the workflow's time zone. */
	now: DateTime;
}

/** @throws NodeOperationError if the saved workflow names an operation that does not exist */
export function findOperation(context: IExecuteFunctions, resources: Resources): Chosen {
	const resourceName = context.getNodeParameter('resource', 0) as string;
	const operationName = context.getNodeParameter('operation', 0) as string;
	const resource = entryOf(resources, resourceName);
	const row = resource && entryOf(resource.operations, operationName);
	if (resource === undefined || row === undefined) {
		throw new NodeOperationError(
			context.getNode(),
			`There is no operation "${operationName}" of "${resourceName}". Choose the operation again.`,
		);
	}
	const options = fieldsOf(row).properties.find(({ name }) => name === 'options')?.options ?? [];
	const hasTimeout = options.some(({ name }) => name === 'timeout');
	return {
		row,
		now: DateTime.now().setZone(context.getTimezone()),
		about: { ...accessOf(row.request), hasItems: true, hasTimeout },
	};
}

const entryOf = <T>(entries: Record<string, T>, name: string): T | undefined =>
	Object.hasOwn(entries, name) ? entries[name] : undefined;

const shared = form({ authentication, options: commonOptions });

export type CommonOptions = ReturnType<typeof readSharedParameters>;

/**
 * The parameters that hold for all items: they are read for the first. `timeout` is in ms.
 * @throws NodeOperationError if they cannot be used
 */
export function readSharedParameters(context: IExecuteFunctions) {
	const given = context.getNode().parameters;
	const evaluate = (name: string) => {
		const value: unknown = context.getNodeParameter(name, 0, null);
		return name === 'options' ? optionsFor('all', value) : value;
	};
	const { input, problems } = readForm(shared, given, evaluate, {
		isTool: isTool(context.getNode()),
	});
	if (problems !== undefined) throw refusal(context, problems);
	const { authentication, options } = input;
	return { authentication, inputFields: [], ...options, timeout: options.timeout * 1000 };
}

/**
 * Reads what each item has in Account, before the other parameters: it decides which key is sent. An
 * expression sees the item of a tool only if it asks the model by $fromAI: the item is what a model has
 * written, with fields that nobody offered it.
 */
export function accountReader(context: IExecuteFunctions): (itemIndex: number) => unknown {
	const stored = textOfLocator(context.getNode().parameters.account);
	const isHidden = isTool(context.getNode()) && !stored.includes('$fromAI');
	return (itemIndex) => {
		const showItems = isHidden ? hideItems(context) : undefined;
		try {
			return valueOfLocator(context.getNodeParameter('account', itemIndex, null));
		} finally {
			showItems?.();
		}
	};
}
