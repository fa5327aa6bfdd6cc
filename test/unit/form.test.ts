import { describe, expect, it, test } from 'vitest';
import type { JsonObject } from '../../nodes/json.ts';
import { always, form, settings, when, readForm, type Parameter } from '../../nodes/table/form.ts';
import * as kinds from '../../nodes/table/kinds.ts';
import { id, nonBlank } from '../../nodes/table/schema.ts';
import { entered } from '../support/reading.ts';

const name = kinds.text({ displayName: 'Name' }, nonBlank(5));
const color = kinds.choice({ red: 'Red', blue: 'Blue' }, { displayName: 'Color' });
const size = kinds.number({ displayName: 'Size', min: 1, default: 3 });
const owner = kinds.picker({ displayName: 'Owner', search: 'searchOwners' }, id);
const list = kinds.entries(
	{ displayName: 'List', placeholder: 'Add' },
	{ name: 'entry', displayName: 'Entry', fields: form({ name }) },
);

const AS_TOOL = { isTool: true };
const LACKS = 'has no value. Correct its expression, or remove it';

const neverAsked = () => {
	throw new Error('asked');
};

describe('a form', () => {
	const thing = form({ name, color, size });

	it('reads each parameter, and takes the defaults of those that are missing', () => {
		const read = { name: 'a', color: 'blue', size: 3 };
		expect(entered(thing, { name: 'a', color: 'blue' })).toEqual(read);
	});

	it('says all that is wrong, each with its label', () => {
		expect(entered(thing, { name: '', color: 'green', size: 'x' })).toBe(
			"'Name' must not be blank; 'Color' must be one of: red, blue; 'Size' must be a number, and is \"x\"",
		);
	});

	it.each([null, undefined])('says that an expression gave %s', (nothing) => {
		expect(entered(thing, { name: nothing, size: nothing })).toBe(
			`'Name' ${LACKS}; 'Size' ${LACKS}`,
		);
	});

	it('says the first ten of a hundred mistakes, each in few words', () => {
		const entry = Array.from({ length: 3000 }, () => ({ name: 'x'.repeat(1000) }));
		const said = String(entered(form({ list }), { list: { entry } }));
		expect(said).toContain("'List → entry 1 → Name' must have at most 5 characters");
		expect(said).toMatch(/and 2990 more$/);
		const long = form({ name }).check((_values, refuse) => refuse('y'.repeat(10_000), 'name'));
		expect(String(entered(long, { name: 'a' })).length).toBeLessThan(600);
	});

	it('does not set what is blank and may be, also from an expression', () => {
		const optional = form({ name: kinds.mayBeBlank(name) });
		expect(entered(optional, { name: ' ' })).toEqual({});
		expect(entered(optional, { name: 'a' })).toEqual({ name: 'a' });
	});

	it('has the inputs of both if it joins two', () => {
		const both = form({ owner })
			.check(({ owner: of }) => ({ of }))
			.and(form({ name, size }));
		expect(entered(both, { owner: 7, name: 'a' })).toEqual({ of: '7', name: 'a', size: 3 });
		expect(Object.keys(both.parameters)).toEqual(['owner', 'name', 'size']);
		expect(both.properties.map(({ name }) => name)).toEqual(Object.keys(both.parameters));
	});
});

describe('a rule', () => {
	const inside = kinds.collection(
		{ displayName: 'Inside', placeholder: 'Add' },
		settings({ name }),
	);
	const pair = form({ low: size, inside, list });

	it('makes the input of the values', () => {
		const doubled = pair.check(({ low }) => ({ double: low * 2 }));
		expect(entered(doubled, { low: 2 })).toEqual({ double: 4 });
	});

	test.each<[what: string, complaint: string, ...path: Array<string | number>]>([
		['all', 'is wrong'],
		['a parameter', "'Size' is wrong", 'low'],
		['a setting', "'Inside → Name' is wrong", 'inside', 'name'],
		['an entry', "'List → entry 1' is wrong", 'list', 0],
		['a field of an entry', "'List → entry 2 → Name' is wrong", 'list', 1, 'name'],
	])('names %s', (_what, complaint, ...path) => {
		const refused = pair.check((_values, refuse) => refuse('is wrong', ...path));
		expect(entered(refused, {})).toBe(complaint);
	});

	it('is not asked if a value is wrong, or missing', () => {
		const never = pair.check(neverAsked);
		expect(entered(never, { low: 0 })).toBe("'Size' must be at least 1");
		expect(entered(never, { inside: { name: null } })).toBe(`'Inside → Name' ${LACKS}`);
	});

	it('inside a group names what is inside, and stops the rule outside', () => {
		const fields = form({ name }).check((_values, refuse) => {
			refuse('is odd', 'name');
			refuse('are odd');
		});
		const said = { displayName: 'Group', placeholder: 'Set' };
		const field = kinds.group(said, { name: 'g', displayName: 'G', fields });
		expect(entered(form({ field }).check(neverAsked), { field: { g: { name: 'a' } } })).toBe(
			"'Group → Name' is odd; 'Group' are odd",
		);
	});
});

describe('a condition', () => {
	const onBlue = { color: ['blue'] };
	const conditional = form({
		color,
		...when({ show: onBlue }, { name }),
		...when({ hide: onBlue }, { size }),
	});
	const forTool = form({
		color,
		...when({ show: { color: ['red', 'blue'], '@tool': [true] } }, { name }),
		...when({ hide: { '@tool': [true], color: ['blue'] } }, { size }),
	});

	test.each<[what: string, of: typeof conditional, given: JsonObject, read: object, how?: object]>([
		['one value', conditional, { color: 'Blue', size: 'x' }, { color: 'blue', name: 'a' }],
		['another value', conditional, { color: 'red', name: null }, { color: 'red', size: 3 }],
		['a tool', forTool, { color: 'red' }, { color: 'red', name: 'a' }, AS_TOOL],
		['no tool', forTool, { color: 'red' }, { color: 'red', size: 3 }],
		['one of two reasons to hide', forTool, { color: 'blue' }, { color: 'blue' }],
	])('decides what is read: %s', (_what, of, given, read, how) => {
		expect(entered(of, { name: 'a', ...given }, how)).toEqual(read);
	});

	it('hides what depends on a wrong value', () => {
		expect(entered(conditional, { color: 'x', name: '' })).not.toContain('Name');
	});
});

describe('settings', () => {
	const filters = kinds.collection(
		{ displayName: 'Filters', placeholder: 'Add filter' },
		settings({ size, name, color: always(color) }),
	);
	const of = form({ filters });

	it('are those that were added', () => {
		expect(entered(of, {})).toEqual({ filters: { color: 'red' } });
		expect(entered(of, { filters: { size: '2' } })).toEqual({ filters: { size: 2, color: 'red' } });
		// Also where the node has stored nothing for them.
		const { input } = readForm(of, { filters: null }, () => ({ name: 'a' }), {});
		expect(input).toEqual({ filters: { name: 'a', color: 'red' } });
	});

	it('are not set if the trash icon has emptied them', () => {
		const member = { name: 'values', displayName: 'Values', fields: form({ name }) };
		const label = { displayName: 'Billing', placeholder: 'Add' };
		const billing = settings({ billing: kinds.group(label, member), size });
		expect(entered(billing, { billing: {}, size: 2 })).toEqual({ size: 2 });
	});

	it('are listed by their labels, and read in their own order', () => {
		const shown = of.properties[0]!.options as Array<{ displayName: string }>;
		expect(shown.map(({ displayName }) => displayName)).toEqual(['Color', 'Name', 'Size']);
		const read = entered(of, { filters: { name: 'a', size: 1 } }) as { filters: object };
		expect(Object.keys(read.filters)).toEqual(['size', 'name', 'color']);
	});

	test.each([
		[{ other: 1 }, `'Filters' has no field "other"`],
		[JSON.parse('{"__proto__": 1}') as JsonObject, `'Filters' has no field "__proto__"`],
		[{ name: undefined, color: null }, `'Filters → Name' ${LACKS}; 'Filters → Color' ${LACKS}`],
		[[], "'Filters' must be a group of fields"],
		['', "'Filters' is required"],
		[null, `'Filters' ${LACKS}`],
	])('%j is refused', (filters, complaint) => {
		expect(entered(of, { filters })).toBe(complaint);
	});
});

describe('as a tool of an AI agent', () => {
	const of = form({
		name,
		owner,
		colors: kinds.several({ red: 'Red' }, { displayName: 'Colors', default: ['red'] }),
		options: kinds.collection(
			{ displayName: 'Options', placeholder: 'Add' },
			settings({ size, name }),
		),
	});
	const filled = { name: 'a', owner: 'b', colors: ['red'] };

	it.each(['', ' \u200b', [], null, undefined])('the blank %j is not set', (blank) => {
		const given = { ...filled, colors: blank, options: { size: blank, name: blank } };
		expect(entered(of, given, AS_TOOL)).toEqual({ ...filled, options: {} });
		const ownerless = { ...filled, owner: { __rl: true, mode: 'id', value: blank } };
		expect(entered(of, ownerless, AS_TOOL)).toContain("'Owner' is empty: choose an owner");
	});

	it.each(['', null, undefined])(
		'a switch that is left %j is off, unless it must stay on',
		(blank) => {
			const on = kinds.toggle({ displayName: 'On', default: true });
			const dry: Parameter<boolean> = { ...on, staysOn: true };
			const options = { on: blank, dry: blank };
			expect(entered(settings({ on, dry }), options, AS_TOOL)).toEqual({ dry: true });
		},
	);

	it('false and 0 are values', () => {
		const flags = form({ on: kinds.toggle({ displayName: 'On', default: true }), size });
		expect(entered(flags, { on: false, size: 0 }, AS_TOOL)).toBe("'Size' must be at least 1");
	});
});
