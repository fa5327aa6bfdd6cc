import { ASSUMED } from './assumed';
import type { JsonObject } from '../json';

/**
 * The field that holds the backend of the beta provider: the named one, or the only one whose name ends in
 * _backend. Reference: "Agent update", beta_backend.
 */
export function backendFieldOf(
	agent: JsonObject,
	named: string = ASSUMED.backendField,
): string | undefined {
	if (Object.hasOwn(agent, named)) return named;
	const likely = Object.keys(agent).filter((name) => name.endsWith('_backend'));
	return likely.length === 1 ? likely[0] : undefined;
}
