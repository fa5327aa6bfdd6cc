import { expect, test } from 'vitest';

import type { JsonObject } from '../../nodes/json.ts';
import { readForm, type Form, type Parameter } from '../../nodes/table/form.ts';
import { Place, problemsIn, readingOf, type Reading } from '../../nodes/table/place.ts';
import type { Schema } from '../../nodes/table/schema.ts';

// How unit tests read what a user entered: one value of a parameter or a schema, or a whole form.

/**
 * What comes of a value that was entered for a parameter called 'It', or what is wrong with it.
 *
 * @param stored what the node has stored there, if it is not the value itself: an expression
 */
export function outcome(
	of: Parameter<unknown> | Schema<unknown>,
	value: unknown,
	how: Partial<Reading> = {},
	stored: unknown = value,
): unknown {
	const reading = readingOf(how);
	const place = new Place(reading, stored, ['It']);
	const read = place.attempt(() => ({
		value: 'shown' in of ? of.read(value, place) : place.parse(of, value),
	}));
	return read ? read.value : problemsIn(reading);
}

/** What a form reads of values that were entered by hand, or what is wrong with them. */
export function entered<T>(of: Form<T>, values: JsonObject, how: Partial<Reading> = {}): unknown {
	const stored = Object.fromEntries(Object.keys(values).map((name) => [name, undefined]));
	const { input, problems } = readForm(of, stored, (name) => values[name], how);
	return problems ?? input;
}

type Reads = Parameter<unknown> | Schema<unknown>;

/** A test for each value, and what it is read as. */
export const reads = (of: Reads, ...cases: Array<[given: unknown, result: unknown]>) =>
	test.each(cases)('reads %j as %j', (given, result) => {
		expect(outcome(of, given)).toEqual(result);
	});

/** A test for each value that stays as it is. */
export const keeps = (of: Reads, ...values: unknown[]) =>
	reads(of, ...values.map((value): [unknown, unknown] => [value, value]));

/**
 * A test for each value that is refused.
 *
 * @param complaint what is said of 'It', or a part of it
 */
export const refuses = (of: Reads, complaint: string | RegExp, ...values: unknown[]) =>
	test.each(values.map((value) => [value]))(`refuses %j: ${complaint}`, (value) => {
		const said = outcome(of, value);
		if (typeof complaint === 'string') expect(said).toBe(`'It' ${complaint}`);
		else expect(said).toMatch(complaint);
	});
