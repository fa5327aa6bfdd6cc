import { groupedBy, type JsonObject } from '../json';
import { form, type Parameter } from './form';
import { entries, text } from './kinds';
import { nonBlank, trimmed, type Schema } from './schema';

/** A name and a value, such as those of a query parameter. */
interface Pair {
	name: string;
	value: string;
}

/** Names and values that the user enters, if the reference does not show them. */
export const pairs = (
	display: { displayName: string; placeholder: string; description?: string },
	pair: { name: string; displayName: string; example?: string },
	value: Schema<string>,
	nameAs: Schema<string> = trimmed(nonBlank()),
): Parameter<Pair[]> => {
	const { name, displayName, example } = pair;
	return entries(display, {
		name,
		displayName,
		fields: form({
			name: text(
				{ displayName: 'Name', ...(example && { placeholder: `e.g. ${example}` }) },
				nameAs,
			),
			value: text({ displayName: 'Value' }, value),
		}),
	});
};

/** Pairs as an object. If a name occurs twice, its values become a list. */
export function objectOfPairs(pairs: readonly Pair[]): JsonObject {
	return Object.fromEntries(
		[...groupedBy(pairs, ({ name }) => name)].map(([name, all]) => {
			const values = all.map(({ value }) => value);
			return [name, values.length > 1 ? values : values[0]];
		}),
	);
}
