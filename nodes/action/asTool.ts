import type { INode } from 'n8n-workflow';

import { sentences } from '../words';

/**
 * Whether the node runs as a tool of an AI agent. n8n then gives the node type this ending.
 * `isToolExecution` does not cover agents whose tools n8n's engine runs.
 */
export const isTool = ({ type }: INode) => type.endsWith('Tool');

/** The error with its advice in the message. A model reads nothing else of it. */
export function withAdvice<E extends Error & { description?: string | null }>(error: E): E {
	const { message, description } = error;
	if (description && !message.includes(description))
		error.message = sentences(message, description);
	return error;
}
