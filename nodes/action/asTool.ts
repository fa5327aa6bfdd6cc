import type { INode } from 'n8n-workflow';

import { isObject, jsonIn, sentences, type JsonObject } from '../json';

/**
 * Whether the node runs as a tool of an AI agent. n8n makes another node type of it, by this name;
 * `isToolExecution` tells only of agents that call the tool themselves, not of those whose tools
 * n8n's engine runs.
 */
export const isTool = ({ type }: INode) => type.endsWith('Tool');

/**
 * What a model means by its values. It must write something into every parameter that it fills, and
 * sends a blank text for what it does not mean: as a tool blank is no value, whatever it is for a
 * person. What is to be emptied is named in Clear Fields, or is null in JSON.
 */
export function meantBy(values: JsonObject): JsonObject {
	const record = typeof values.json === 'string' ? jsonIn(values.json) : undefined;
	return withoutBlanks({ ...values, ...(isObject(record) && { json: record }) });
}

function withoutBlanks(values: JsonObject): JsonObject {
	return Object.fromEntries(
		Object.entries(values)
			.filter(([, value]) => !isBlank(value))
			.map(([name, value]) => [name, isObject(value) ? withoutBlanks(value) : value]),
	);
}

const isBlank = (value: unknown) =>
	(typeof value === 'string' && value.trim() === '') ||
	(Array.isArray(value) && value.length === 0);

/** The error with its advice in the message, which is all of it that a model gets to read. */
export function withAdvice<E extends Error & { description?: string | null }>(error: E): E {
	const { message, description } = error;
	if (description && !message.includes(description))
		error.message = sentences(message, description);
	return error;
}
