import type {
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
	NodeParameterValueType,
} from 'n8n-workflow';

import { description } from './description.ts';
import { NEIGHBOURS } from './samples.ts';

/** A parameter of an operation, or a parameter inside a collection. */
export interface Place {
	/** Its path, such as `options.path`. */
	name: string;
	property: INodeProperties;
	/** Sets its value, and the values of other parameters that make the editor show it. */
	put(parameters: INodeParameters, value: unknown): INodeParameters;
}

const isGroup = (option: object): option is INodePropertyCollection => 'values' in option;

/** All places of an operation, however deep. A collection as a whole is one too, but no notice. */
export function placesOf(name: string): Place[] {
	const [resource, operation] = name.split('.') as [string, string];
	return description.properties
		.filter(({ type }) => type !== 'notice')
		.filter(({ displayOptions: { show } = {} }) => {
			const isShared = show === undefined;
			return isShared || (show.resource?.includes(resource) && show.operation?.includes(operation));
		})
		.filter(({ displayOptions }) => !displayOptions?.show?.['@tool'])
		.flatMap((property) =>
			inside(property, [], (parameters, value) => ({
				...parameters,
				...shownBy(property),
				[property.name]: value as NodeParameterValueType,
			})),
		);
}

function inside(property: INodeProperties, outer: string[], put: Place['put']): Place[] {
	const path = [...outer, property.name];
	const whole = { name: path.join('.'), property, put };
	const options = (property.options ?? []) as Array<INodeProperties | INodePropertyCollection>;
	if (property.type === 'collection') {
		const members = options as INodeProperties[];
		return [
			whole,
			...members.flatMap((member) =>
				inside(member, path, (parameters, value) => ({
					...outsideOf(member),
					...put(parameters, { ...held(parameters, path), [member.name]: value }),
				})),
			),
		];
	}
	if (property.type !== 'fixedCollection') return [whole];
	const isList = property.typeOptions?.multipleValues === true;
	const members = options.filter(isGroup).flatMap((group) =>
		group.values.flatMap((member) =>
			inside(member, [...path, group.name], (parameters, value) => {
				const defaults = Object.fromEntries(group.values.map((one) => [one.name, one.default]));
				const neighbours = NEIGHBOURS[[...path, group.name].join('.')];
				const entry = { ...defaults, ...neighbours, [member.name]: value };
				return put(parameters, { [group.name]: isList ? [entry] : entry });
			}),
		),
	);
	return [whole, ...members];
}

/** The values of parameters outside of a collection that make the editor show a member of it. */
const outsideOf = ({ displayOptions: { show = {} } = {} }: INodeProperties): INodeParameters =>
	Object.fromEntries(
		Object.entries(show)
			.filter(([name]) => name.startsWith('/'))
			.map(([name, values]) => [name.slice(1), values?.[0] as boolean]),
	);

function held(parameters: INodeParameters, path: string[]): object {
	let value: unknown = parameters;
	for (const step of path) value = (value as Record<string, unknown> | undefined)?.[step];
	return typeof value === 'object' && value !== null ? value : {};
}

function shownBy({ displayOptions: { show = {}, hide = {} } = {} }: INodeProperties) {
	const { resource: _resource, operation: _operation, ...others } = show;
	return {
		...Object.fromEntries(
			Object.entries(others).map(([name, values]) => [name, values?.[0] as string]),
		),
		// Parameters are hidden by the value of another.
		...(hide.method && { method: 'POST' }),
		...(hide.allPages && { allPages: false }),
	};
}
