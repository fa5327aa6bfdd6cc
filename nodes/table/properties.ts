import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { byText } from '../json';
import { form } from './form';
import { commonOptions, commonOptionsOf, paging, shaping } from './handling';
import { firstKey } from './kinds';
import { fieldsOf, isList, type Operation, type Resource, type Resources } from './operation';

// The table as n8n's properties. This runs when the package is built.

/** An operation's parameters in the editor's order: optional settings below the others. */
export function parametersOf(operation: Operation): INodeProperties[] {
	const { filters, options, sort, ...fields } = Object.fromEntries(
		fieldsOf(operation).properties.map((property) => [property.name, property]),
	);
	return [
		...Object.values(fields),
		...(isList(operation) ? paging.properties : []),
		...(operation.simplify ? shaping.properties : []),
		...[filters, withCommon(options, operation), sort].filter((each) => each !== undefined),
	];
}

/** Options with those that operations have in common. */
function withCommon(own: INodeProperties | undefined, operation: Operation): INodeProperties {
	const [whole] = form({ options: commonOptions }).properties as [INodeProperties];
	const options = [...((own?.options ?? []) as INodeProperties[]), ...commonOptionsOf(operation)];
	return { ...whole, options: options.sort(byText(({ displayName }) => displayName)) };
}

/** The two selectors, then each operation's parameters. */
export function toProperties(resources: Resources): INodeProperties[] {
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: Object.entries(resources)
				.map(([value, { name, description }]) => ({ name, value, description }))
				.sort(byName),
			default: 'call',
		},
		...Object.entries(resources).map(([value, resource]) => operationSelector(value, resource)),
		...parameters(resources),
	];
}

function operationSelector(
	resource: string,
	{ name: resourceName, operations }: Resource,
): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: Object.entries(operations)
			.map(([value, { name, action = actionOf(name, resourceName), description, hint }]) => ({
				name,
				value,
				action,
				description,
				builderHint: hint === undefined ? undefined : { propertyHint: hint },
			}))
			.sort(byName),
		default: startOf(operations),
	};
}

const startOf = (operations: Record<string, Operation>): string =>
	'getAll' in operations ? 'getAll' : firstKey(operations);

const actionOf = (name: string, resource: string) =>
	`${name[0]}${name.slice(1).toLowerCase()} ${resource.toLowerCase()}${name === 'Get Many' ? 's' : ''}`;

/**
 * The parameters of all operations. One that several operations have in the same way appears once for
 * resources that can share a condition.
 */
function parameters(resources: Resources): INodeProperties[] {
	const fields = Object.fromEntries(
		Object.entries(resources).flatMap(([resource, { operations }]) =>
			Object.entries(operations).map(([name, row]) => [`${resource}.${name}`, parametersOf(row)]),
		),
	);
	return sharedFields(fields).flatMap(({ field, rows }) =>
		conditionsFor(rows, resources).map((condition) => ({
			...field,
			displayOptions: {
				...field.displayOptions,
				show: { ...condition, ...field.displayOptions?.show },
			},
		})),
	);
}

/**
 * Merges the fields of all rows: identical fields appear once, with the names of their rows, which halves what the
 * editor loads. The order within each row stays.
 */
export function sharedFields(fieldsOf: Record<string, INodeProperties[]>) {
	const shared: Array<{ field: INodeProperties; literal: string; rows: string[] }> = [];
	for (const [row, fields] of Object.entries(fieldsOf)) {
		let at = 0;
		for (const field of fields) {
			const literal = JSON.stringify(field);
			const same = shared.findIndex((other, index) => index >= at && other.literal === literal);
			if (same >= 0) shared[same]?.rows.push(row);
			else shared.splice(at, 0, { field, literal, rows: [row] });
			at = (same >= 0 ? same : at) + 1;
		}
	}
	return shared;
}

/**
 * The conditions under which n8n shows a field of some rows. A condition means every pair of its resources
 * and operations, so resources share one if it adds no other row of the table.
 */
function conditionsFor(rows: string[], resources: Resources) {
	const has = (resource: string, operation: string) => rows.includes(`${resource}.${operation}`);
	const isFit = (resource: string, operation: string) =>
		has(resource, operation) || !Object.hasOwn(resources[resource]!.operations, operation);
	const conditions: Array<{ resource: string[]; operation: string[] }> = [];
	for (const [name, { operations }] of Object.entries(resources)) {
		const shown = Object.keys(operations).filter((operation) => has(name, operation));
		if (shown.length === 0) continue;
		const shared = conditions.find(({ resource, operation }) =>
			[...resource, name].every((each) => [...operation, ...shown].every((op) => isFit(each, op))),
		);
		if (shared === undefined) conditions.push({ resource: [name], operation: shown });
		else {
			shared.resource.push(name);
			shared.operation = [...new Set([...shared.operation, ...shown])];
		}
	}
	return conditions;
}

const byName = byText<INodePropertyOptions>(({ name }) => name);

/** The subtitle of a node: an expression that shows the labels of the chosen options, such as "Get Many: Call". */
export function subtitleOf(properties: INodeProperties[], ...parameters: string[]): string {
	const parts = parameters.map((parameter) => {
		const options = properties
			.filter(({ name }) => name === parameter)
			.flatMap((property) => property.options as INodePropertyOptions[]);
		const names = Object.fromEntries(options.map(({ value, name }) => [value, name]));
		return `(${JSON.stringify(names)})[$parameter["${parameter}"]]`;
	});
	return `={{ ${parts.join(' + ": " + ')} }}`;
}
