import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

import { loadPackage } from './harness.ts';

const optionsOf = (property: INodeProperties | undefined) =>
	((property?.options ?? []) as INodePropertyOptions[]).map(({ value }) => String(value));

/** Every operation that the editor offers, as `resource.operation`. */
export function operationsOf({ properties }: INodeTypeDescription): string[] {
	const resources = optionsOf(properties.find(({ name }) => name === 'resource'));
	return resources.flatMap((resource) =>
		optionsOf(
			properties.find(
				({ name, displayOptions }) =>
					name === 'operation' && displayOptions?.show?.resource?.includes(resource),
			),
		).map((operation) => `${resource}.${operation}`),
	);
}

const { nodeTypes } = await loadPackage();

/** The action node. */
export const { description } = nodeTypes.getByNameAndVersion('ykVoice', 1);

/** Every operation of the action node. */
export const operations = operationsOf(description);
