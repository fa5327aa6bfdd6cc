import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { DateTime } from 'luxon';

import type { About } from '../api/errors';
import { accessOf, isWithoutId } from '../domain/access';
import type { Operation, Resources } from '../table/operation';

/** The operation that the user chose, and what errors say about it. */
export interface Chosen {
	row: Operation;
	about: About;
	/** When the execution began, in the workflow's time zone. */
	now: DateTime;
}

/** @throws NodeOperationError if the saved workflow names an operation that does not exist */
export function chosenOperation(context: IExecuteFunctions, resources: Resources): Chosen {
	const resourceName = context.getNodeParameter('resource', 0) as string;
	const operationName = context.getNodeParameter('operation', 0) as string;
	const resource = own(resources, resourceName);
	const row = resource && own(resource.operations, operationName);
	if (resource === undefined || row === undefined) {
		throw new NodeOperationError(
			context.getNode(),
			`There is no operation "${operationName}" of "${resourceName}". Choose the operation again.`,
		);
	}
	return {
		row,
		now: DateTime.now().setZone(context.getTimezone()),
		about: {
			operation: `${resource.name}: ${row.name}`,
			...accessOf(row.request),
			hasRequestOptions: true,
			isWithoutId: isWithoutId(row.request),
		},
	};
}

const own = <T>(entries: Record<string, T>, name: string): T | undefined =>
	Object.hasOwn(entries, name) ? entries[name] : undefined;
