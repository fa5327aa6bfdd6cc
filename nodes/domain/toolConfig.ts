import { isObject } from '../json';

/**
 * The configuration of a tool, also if the answer wraps it: `{ config: { … } }`. A PATCH takes it
 * without the wrapper; whether a GET has one is not shown.
 */
export const toolConfigIn = (data: unknown): unknown =>
	isObject(data) && isObject(data.config) ? data.config : data;

/** A tool as a flat record: its configuration without the wrapper, and the other fields of the answer. */
export function plainTool(data: unknown): unknown {
	if (!isObject(data) || !isObject(data.config)) return data;
	const { config, ...beside } = data;
	return { ...beside, ...(config as object) };
}
