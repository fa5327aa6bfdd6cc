import fc from 'fast-check';
import { expect, it } from 'vitest';

import { TRAITS } from '../emulator/readings.ts';
import { pairwise } from './pairwise.ts';

/** The pairs of values that no row holds. */
function missing(traits: Record<string, readonly string[]>, rows: Array<Record<string, string>>) {
	const names = Object.keys(traits);
	return names.flatMap((one, index) =>
		names
			.slice(index + 1)
			.flatMap((other) =>
				traits[one]!.flatMap((value) =>
					traits[other]!.filter(
						(otherValue) => !rows.some((row) => row[one] === value && row[other] === otherValue),
					).map((otherValue) => [one, value, other, otherValue]),
				),
			),
	);
}

const values = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), {
	minLength: 1,
	maxLength: 4,
});

it('holds every two values of every two traits', () => {
	fc.assert(
		fc.property(
			fc.dictionary(fc.string({ minLength: 1, maxLength: 4 }), values, { minKeys: 2, maxKeys: 6 }),
			(traits) => {
				const rows = pairwise(traits);
				expect(missing(traits, rows)).toEqual([]);
				for (const row of rows)
					for (const [name, value] of Object.entries(row)) expect(traits[name]).toContain(value);
			},
		),
		{ numRuns: 50 },
	);
});

it('takes few servers for the emulator’s traits', () => {
	const rows = pairwise(TRAITS);
	expect(missing(TRAITS, rows)).toEqual([]);
	const sizes = Object.values(TRAITS)
		.map(({ length }) => length)
		.sort((one, other) => other - one);
	const [most = 0, next = 0] = sizes;
	expect(rows.length).toBeGreaterThanOrEqual(most * next);
	// Choosing one server after another needs about twice the least, and a few more with each trait.
	expect(rows.length).toBeLessThanOrEqual(2 * most * next + Object.keys(TRAITS).length / 4);
});
