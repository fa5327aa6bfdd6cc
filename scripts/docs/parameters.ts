import type {
	IDisplayOptions,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';

import { builtNodes } from '../../test/support/built.ts';
import { operationsOf } from '../../test/support/description.ts';

/**
 * `test/parameters.txt`: every parameter of the built nodes, with node, operation, path, type, default and
 * conditions. Saved workflows hold these names and values, so changing one breaks them.
 */
export function parameterListing(): string {
	const lines = builtNodes.flatMap(({ describe }) => parametersOf(describe()));
	return `${lines.sort().join('\n')}\n`;
}

function parametersOf({ name, properties }: INodeTypeDescription): string[] {
	return properties.flatMap((property) =>
		operations(property).flatMap((operation) =>
			listingOf(property, property.name).map((line) => `${name}  ${operation}  ${line}`),
		),
	);
}

/** A condition of several resources and operations may name pairs that do not exist. */
const EXISTING = new Set(builtNodes.flatMap(({ describe }) => operationsOf(describe())));

/** The operations that have this parameter, as `resource.operation`; an asterisk stands for all. */
export function operations({ displayOptions }: INodeProperties): string[] {
	const { resource, operation } = displayOptions?.show ?? {};
	if (resource === undefined && operation === undefined) return ['*'];
	return (resource ?? ['*'])
		.flatMap((one) => (operation ?? ['*']).map((other) => `${String(one)}.${String(other)}`))
		.filter((name) => name.includes('*') || EXISTING.has(name));
}

function listingOf(property: INodeProperties, path: string): string[] {
	const { type, required, displayOptions } = property;
	const columns = [
		path,
		type + valuesOf(property),
		JSON.stringify(property.default),
		required ? 'required' : '',
		conditions(displayOptions),
	];
	const options = (property.options ?? []) as Array<INodeProperties | INodePropertyCollection>;
	const members =
		type === 'collection' || type === 'fixedCollection'
			? options.flatMap((option) => {
					const many = property.typeOptions?.multipleValues ? '[]' : '';
					if (!('values' in option)) return listingOf(option, `${path}${many}.${option.name}`);
					const group = `${path}.${option.name}${many}`;
					return option.values.flatMap((value) => listingOf(value, `${group}.${value.name}`));
				})
			: [];
	return [columns.filter(Boolean).join('  '), ...members];
}

function valuesOf({ type, options, modes }: INodeProperties): string {
	if (type === 'resourceLocator') return `(${(modes ?? []).map(({ name }) => name).join('|')})`;
	if (type !== 'options' && type !== 'multiOptions') return '';
	if (options === undefined || options.length === 0) return '';
	return `(${(options as INodePropertyOptions[]).map(({ value }) => String(value)).join('|')})`;
}

function conditions({ show = {}, hide = {} }: IDisplayOptions = {}): string {
	const each = (word: string, shown: IDisplayOptions['show']) =>
		Object.entries(shown ?? {})
			.filter(([name]) => name !== 'resource' && name !== 'operation')
			.map(([name, values]) => `${word} ${name}=${(values ?? []).map(textOf).join('|')}`);
	return [...each('if', show), ...each('unless', hide)].join('  ');
}

const textOf = (value: unknown) =>
	typeof value === 'object' ? JSON.stringify(value) : String(value);
