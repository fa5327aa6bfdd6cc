import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { DateTime } from 'luxon';

import { isTool, type Authentication } from '../api/account';
import type { About } from '../api/errors';
import type { RequestSettings } from '../api/session';
import { accessOf } from '../domain/access';
import { isObject, without } from '../json';
import { form, readForm, type InputOf } from '../table/form';
import { authentication, outputOptions, requestOptions } from '../table/handling';
import type { Operation, Resources } from '../table/operation';
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
	return {
		row,
		now: DateTime.now().setZone(context.getTimezone()),
		about: { ...accessOf(row.request), hasRequestOptions: true },
	};
}

const entryOf = <T>(entries: Record<string, T>, name: string): T | undefined =>
	Object.hasOwn(entries, name) ? entries[name] : undefined;

/** What the user set in Request Options. */
export type RequestOptions = RequestSettings & {
	/** How many items may change something in parallel. */
	writes: number;
};

/** Each item has its own account: see accountNames.ts. */
const withoutAccount = (value: unknown) => (isObject(value) ? without(value, 'account') : value);

const shared = form({ authentication, ...outputOptions, requestOptions });

/** What the user set in Output Options. */
export type OutputOptions = NonNullable<InputOf<typeof shared>['outputOptions']>;

/**
 * The parameters that hold for all items: they are read for the first.
 * @throws NodeOperationError if they cannot be used
 */
export function readSharedParameters(context: IExecuteFunctions): {
	authentication: Authentication;
	options: RequestOptions;
	output: OutputOptions;
} {
	const given = context.getNode().parameters;
	const evaluate = (name: string) => withoutAccount(context.getNodeParameter(name, 0, null));
	const { input, problems } = readForm(shared, given, evaluate, {
		isTool: isTool(context.getNode()),
	});
	if (problems !== undefined) throw refusal(context, problems);
	const { timeout, maxWait, ...others } = without(input.requestOptions, 'account');
	return {
		authentication: input.authentication,
		output: input.outputOptions ?? {},
		options: { ...others, timeout: timeout * 1000, maxWait: maxWait * 1000 },
	};
}
