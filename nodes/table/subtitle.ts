import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/**
 * The subtitle of a node: an expression that shows the labels of the chosen options, such as "Get
 * Many: Call". The stored values are internal names such as `getAll`.
 */
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
