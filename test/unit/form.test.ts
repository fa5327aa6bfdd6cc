import { describe, expect, it, test } from 'vitest';
import type { JsonObject } from '../../nodes/json.ts';
import { always, form, settings, when, type Form, readForm } from '../../nodes/table/form.ts';
import {
	choice,
	collection,
	entries,
	group,
	mayBeBlank,
	number,
	picker,
	several,
	text,
	toggle,
} from '../../nodes/table/kinds.ts';
import { id, nonBlank } from '../../nodes/table/schema.ts';

type Circumstances = Parameters<typeof readForm>[3];

/** What a node has stored if no value is an expression. */
const storedFor = (values: JsonObject) =>
	Object.fromEntries(Object.keys(values).map((name) => [name, undefined]));

/** What a form reads of values, or what is wrong with them. */
function outcome<T>(of: Form<T>, values: JsonObject, how: Circumstances = {}): unknown {
	const { input, problems } = readForm(of, storedFor(values), (name) => values[name], how);
	return problems ?? input;
}

const asTool = { isTool: true };

const name = text({ displayName: 'Name' }, nonBlank(5));
const color = choice({ red: 'Red', blue: 'Blue' }, { displayName: 'Color' });
const size = number({ displayName: 'Size', min: 1, default: 3 });
const owner = picker(
	{ displayName: 'Owner', search: 'searchOwners', description: 'Who owns it' },
	id,
);

describe('a form', () => {
	const thing = form({ name, color, size });

	it('reads each parameter, and takes the defaults of those that are missing', () => {
		expect(outcome(thing, { name: 'a', color: 'blue' })).toEqual({
			name: 'a',
			color: 'blue',
			size: 3,
		});
	});

	it('says all that is wrong, each with its label', () => {
		expect(outcome(thing, { name: '', color: 'green', size: 'x' })).toBe(
			"'Name' must not be blank; 'Color' must be one of: red, blue; 'Size' must be a number",
		);
	});

	it.each([null, undefined])('says that an expression gave %s', (nothing) => {
		expect(outcome(thing, { name: nothing, size: nothing, color: 'x' })).toBe(
			"'Name' has no value. Correct its expression, or remove it; 'Color' must be one of: red, blue; 'Size' has no value. Correct its expression, or remove it",
		);
	});
});

describe('a rule', () => {
	const pair = form({
		low: size,
		inside: collection({ displayName: 'Inside', placeholder: 'Add' }, settings({ name })),
		list: entries(
			{ displayName: 'List', placeholder: 'Add' },
			{ name: 'entry', displayName: 'Entry', fields: form({ name }) },
		),
	});

	it('makes the input of the values', () => {
		expect(
			outcome(
				pair.check(({ low }) => ({ double: low * 2 })),
				{ low: 2 },
			),
		).toEqual({
			double: 4,
		});
	});

	test.each<[path: Array<string | number>, complaint: string]>([
		[[], 'is wrong'],
		[['low'], "'Size' is wrong"],
		[['inside', 'name'], "'Inside → Name' is wrong"],
		[['list', 1, 'name'], "'List → entry 2 → Name' is wrong"],
		[['list', 0], "'List → entry 1' is wrong"],
	])('names %j', (path, complaint) => {
		const refused = pair.check((values, refuse) => {
			refuse('is wrong', ...path);
			return values;
		});
		expect(outcome(refused, {})).toBe(complaint);
	});

	it('is not asked if a value is wrong, or missing', () => {
		const never = pair.check(() => {
			throw new Error('asked');
		});
		expect(outcome(never, { low: 0 })).toBe("'Size' must be at least 1");
		expect(outcome(never, { inside: { name: null } })).toContain("'Inside → Name' has no value");
	});

	it('inside a group names what is inside, and stops the rule outside', () => {
		const inner = form({ name }).check((values, refuse) => {
			refuse('is odd', 'name');
			refuse('are odd');
			return values;
		});
		const field = group(
			{ displayName: 'Group', placeholder: 'Set' },
			{ name: 'g', displayName: 'G', fields: inner },
		);
		const outer = form({ field }).check(() => {
			throw new Error('asked');
		});
		expect(outcome(outer, { field: { g: { name: 'a' } } })).toBe(
			"'Group → Name' is odd; 'Group' are odd",
		);
	});
});

describe('two forms in one', () => {
	const both = form({ owner })
		.check(({ owner: of }) => ({ of }))
		.and(form({ name, size }));

	it('have the inputs of both', () => {
		expect(outcome(both, { owner: 7, name: 'a' })).toEqual({ of: '7', name: 'a', size: 3 });
		expect(both.names).toEqual(['owner', 'name', 'size']);
		expect(both.properties.map(({ name }) => name)).toEqual(both.names);
	});
});

describe('a condition', () => {
	const conditional = form({
		color,
		...when({ show: { color: ['blue'] } }, { name }),
		...when({ hide: { color: ['blue'] } }, { size }),
	});

	it('decides what is read', () => {
		expect(outcome(conditional, { color: 'Blue', name: 'a', size: 'x' })).toEqual({
			color: 'blue',
			name: 'a',
		});
		expect(outcome(conditional, { color: 'red', name: null })).toEqual({ color: 'red', size: 3 });
	});

	it('hides what depends on a wrong value', () => {
		expect(outcome(conditional, { color: 'x', name: '' })).not.toContain('Name');
	});

	it('may ask for several values, and for a tool', () => {
		const of = form({
			color,
			...when({ show: { color: ['red', 'blue'], '@tool': [true] } }, { name }),
			...when({ hide: { '@tool': [true], color: ['blue'] } }, { size }),
		});
		expect(outcome(of, { color: 'red', name: 'a' }, asTool)).toEqual({ color: 'red', name: 'a' });
		expect(outcome(of, { color: 'red', name: 'a' })).toEqual({ color: 'red', size: 3 });
		expect(outcome(of, { color: 'blue', name: 'a' })).toEqual({ color: 'blue' });
	});
});

describe('settings', () => {
	const filters = collection(
		{ displayName: 'Filters', placeholder: 'Add filter' },
		settings({ size, name, color: always(color) }),
	);
	const of = form({ filters });

	it('are those that were added', () => {
		expect(outcome(of, {})).toEqual({ filters: { color: 'red' } });
		expect(outcome(of, { filters: { size: '2' } })).toEqual({ filters: { size: 2, color: 'red' } });
	});

	it('are listed by their labels, and read in their own order', () => {
		const [property] = of.properties;
		const shown = property!.options as Array<{ displayName: string }>;
		expect(shown.map(({ displayName }) => displayName)).toEqual(['Color', 'Name', 'Size']);
		const read = outcome(of, { filters: { name: 'a', size: 1 } }) as { filters: object };
		expect(Object.keys(read.filters)).toEqual(['size', 'name', 'color']);
	});

	test.each([
		[{ other: 1 }, `'Filters' has no field "other"`],
		[JSON.parse('{"__proto__": 1}') as JsonObject, `'Filters' has no field "__proto__"`],
		[{ name: undefined }, "'Filters → Name' has no value"],
		[{ color: null }, "'Filters → Color' has no value"],
		['text', "'Filters' must be a group of fields"],
		[[], "'Filters' must be a group of fields"],
		['', "'Filters' is required"],
		[null, "'Filters' has no value"],
	])('%j is refused', (filters, complaint) => {
		expect(outcome(of, { filters })).toContain(complaint);
	});
});

describe('as a tool of an AI agent', () => {
	const of = form({
		name,
		owner,
		colors: several({ red: 'Red' }, { displayName: 'Colors', default: ['red'] }),
		options: collection({ displayName: 'Options', placeholder: 'Add' }, settings({ size, name })),
	});
	const filled = { name: 'a', owner: 'b', colors: ['red'] };

	it.each(['', ' \u200b', [], null, undefined])('the blank %j is not set', (blank) => {
		const given = { ...filled, colors: blank, options: { size: blank, name: blank } };
		expect(outcome(of, given, asTool)).toEqual({ ...filled, options: {} });
		expect(
			outcome(of, { ...filled, owner: { __rl: true, mode: 'id', value: blank } }, asTool),
		).toBe("'Owner' is empty: choose an owner");
	});

	it('false and 0 are values', () => {
		const flags = form({ on: toggle({ displayName: 'On', default: true }), size });
		expect(outcome(flags, { on: false, size: 0 }, asTool)).toBe("'Size' must be at least 1");
	});
});

it('an error of a hundred mistakes is short', () => {
	const list = entries(
		{ displayName: 'List', placeholder: 'Add' },
		{ name: 'entry', displayName: 'Entry', fields: form({ name }) },
	);
	const entry = Array.from({ length: 3000 }, () => ({ name: 'x'.repeat(1000) }));
	const said = String(outcome(form({ list }), { list: { entry } }));
	expect(said).toContain("'List → entry 1 → Name' must have at most 5 characters");
	expect(said).toMatch(/and 2990 more$/);
	const long = form({ name }).check((_values, refuse) => refuse('y'.repeat(10_000), 'name'));
	expect(String(outcome(long, { name: 'a' })).length).toBeLessThan(600);
});

describe('a blank, wrong or missing value', () => {
	it('a blank is not set where it may be blank, also from an expression', () => {
		const held = form({ name: mayBeBlank(name) });
		expect(outcome(held, { name: ' ' })).toEqual({});
		expect(outcome(held, { name: 'a' })).toEqual({ name: 'a' });
	});

	it('reads what stands where the node has stored nothing', () => {
		const held = form({
			filters: collection({ displayName: 'Filters', placeholder: 'Add' }, settings({ name })),
		});
		const { input } = readForm(held, { filters: null }, () => ({ name: 'a' }), {});
		expect(input).toEqual({ filters: { name: 'a' } });
	});
});
