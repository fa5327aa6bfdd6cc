import type {
	INode,
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
	INodeTypeDescription,
} from 'n8n-workflow';

import { builtNodes } from '../../test/support/built.ts';
import { operationsOf } from '../../test/support/description.ts';
import { workflow as n8n } from '../../test/support/n8n.ts';
import { operations } from './parameters.ts';

/** An argument that a model can fill. Its name is unique within its operation. */
export interface Argument {
	name: string;
	type: 'string' | 'number' | 'boolean' | 'json';
	description: string;
}

export interface Tool {
	/** As `resource.operation`. */
	operation: string;
	description: string;
	arguments: Argument[];
}

const TYPES: Partial<Record<INodeProperties['type'], Argument['type']>> = {
	boolean: 'boolean',
	number: 'number',
	json: 'json',
};

/** The description of the node as a tool. See convertNodeToAiTool in n8n. */
const asTool = (description: INodeTypeDescription): INodeTypeDescription => ({
	...description,
	name: `${description.name}Tool`,
});

/** Every operation as a tool, with all the arguments that a model can fill. */
export function tools(): Tool[] {
	const node = builtNodes.find(({ className }) => className === 'YkVoice')!.describe();
	const type = { description: asTool(node) };
	return operationsOf(node).map((operation) => {
		const [resource, name] = operation.split('.') as [string, string];
		const parameters: INodeParameters = { resource, operation: name };
		return {
			operation,
			description: n8n.NodeHelpers.getToolDescriptionForNode(
				{ type: type.description.name, parameters } as INode,
				type as never,
			),
			arguments: node.properties
				.filter((property) => operations(property).includes(operation))
				.filter((property) => isOfTools(property))
				.flatMap((property) => argumentsOf(property, property.name)),
		};
	});
}

/** A model does not fill parameters that choose the operation or set up the node. */
const isOfTools = ({ name, type, displayOptions }: INodeProperties) =>
	type !== 'notice' &&
	!['resource', 'operation', 'authentication', 'account', 'simplify'].includes(name) &&
	!displayOptions?.hide?.['@tool'];

function argumentsOf(property: INodeProperties, path: string): Argument[] {
	// A label that says everything has no tooltip. n8n makes the name of the argument of the label.
	const { type, displayName, description = displayName, options = [] } = property;
	if (type === 'collection' || type === 'fixedCollection') {
		return (options as Array<INodeProperties | INodePropertyCollection>).flatMap((option) =>
			'values' in option
				? option.values.flatMap((value) => argumentsOf(value, `${option.name}_${value.name}`))
				: argumentsOf(option, `${property.name}_${option.name}`),
		);
	}
	// Its columns depend on the account.
	if (type === 'resourceMapper') return [];
	return [{ name: path, type: TYPES[type] ?? 'string', description }];
}

/** A tool's parameters as the editor saves them if the model fills all of them. */
export const filledByModel = (tool: Tool): INodeParameters =>
	Object.fromEntries(
		tool.arguments.map(({ name, type, description }) => [
			name,
			`={{ $fromAI('${name}', \`${description.replaceAll('`', "'")}\`, '${type}') }}`,
		]),
	);
