import type { INodeProperties } from 'n8n-workflow';

/** Whether to make the records smaller, for events that can. */
export const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};
