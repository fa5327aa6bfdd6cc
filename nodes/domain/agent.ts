import { ASSUMED } from './assumed';
import type { JsonObject } from '../json';

/** Fields that may hold the backend of the beta provider. Reference: "Agent update", beta_backend. */
export const backendFieldsIn = (agent: JsonObject): string[] =>
	Object.keys(agent).filter((name) => name.endsWith('_backend'));

/** The field that holds the backend: the named one, or the only one whose name ends in _backend. */
export function backendFieldOf(
	agent: JsonObject,
	named: string = ASSUMED.backendField,
): string | undefined {
	if (Object.hasOwn(agent, named)) return named;
	const likely = backendFieldsIn(agent);
	return likely.length === 1 ? likely[0] : undefined;
}
