import type { INode } from 'n8n-workflow';

import { isObject, jsonIn, type JsonObject } from '../json';
import { sentences } from '../words';

/**
 * Whether the node runs as a tool of an AI agent. n8n then gives the node type this ending.
 * `isToolExecution` does not cover agents whose tools n8n's engine runs.
 */
export const isTool = ({ type }: INode) => type.endsWith('Tool');

/**
 * The values without blanks. A model must fill every parameter, and leaves blank those that it does not
 * need, so a blank is not a value. To clear a field, a model names it in Clear Fields, or writes null in
 * JSON.
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

/** The error with its advice in the message. A model reads nothing else of it. */
export function withAdvice<E extends Error & { description?: string | null }>(error: E): E {
	const { message, description } = error;
	if (description && !message.includes(description))
		error.message = sentences(message, description);
	return error;
}
