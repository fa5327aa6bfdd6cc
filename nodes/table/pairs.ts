import { groupedBy, type JsonObject } from '../json';
import { form, type Parameter } from './form';
import { entries, text } from './kinds';
import { nonBlank, trimmed, type Schema } from './schema';

interface Pair {
	name: string;
	value: string;
}

/** Names and values that the user enters, if the reference does not show them. */
export const pairs = (
	display: { displayName: string; placeholder: string; description?: string },
	{ example, ...member }: { name: string; displayName: string; example?: string },
	value: Schema<string>,
	nameAs: Schema<string> = trimmed(nonBlank()),
): Parameter<Pair[]> =>
	entries(display, {
		...member,
		fields: form({
			name: text({ displayName: 'Name', placeholder: example && `e.g. ${example}` }, nameAs),
			value: text({ displayName: 'Value' }, value),
		}),
	});

/** Pairs as an object. If a name occurs twice, its values become a list. */
export const objectOfPairs = (pairs: readonly Pair[]): JsonObject =>
	Object.fromEntries(
		[...groupedBy(pairs, ({ name }) => name)].map(([name, all]) => [
			name,
			all.length > 1 ? all.map(({ value }) => value) : all[0]!.value,
		]),
	);
