import { bounded } from './bounds';
import type { Form } from './form';
import { Place, Reading } from './place';
import type { JsonObject } from '../json';

/**
 * The values that a node has for some parameters. What is too large to be read is marked.
 *
 * @param given the node's stored parameters, without the hidden ones
 * @param evaluate n8n's value of a parameter
 */
export function valuesOf(
	names: readonly string[],
	given: JsonObject,
	evaluate: (name: string) => unknown,
): JsonObject {
	const stored = names.filter((name) => Object.hasOwn(given, name));
	return Object.fromEntries(stored.map((name) => [name, bounded(evaluate(name))]));
}

/**
 * Reads the parameters of a node with a form. The action, the trigger, Request Options and
 * Authentication are all read here.
 *
 * @param given the node's stored parameters: they show which values come from an expression
 * @returns `problems` says all that is wrong; then `input` cannot be used
 */
export function readForm<T>(
	form: Form<T>,
	values: JsonObject,
	given: JsonObject,
	circumstances: ConstructorParameters<typeof Reading>[0],
): { input: T; problems: string } {
	const reading = new Reading(circumstances);
	const input = form.read(values, new Place(reading, given));
	return { input, problems: reading.problems };
}
