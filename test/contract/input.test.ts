import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startEmulator } from '../emulator/index.ts';
import { CONTINUE, run, runAgainst } from '../support/account.ts';
import { placesOf, type Place } from '../support/places.ts';
import {
	BLANK,
	FREE_TEXTS,
	locator,
	NOT_IDS,
	NOT_TEXT,
	NOT_UUIDS,
	NOTHING,
	samplesFor,
	TEXTS,
} from '../support/samples.ts';
import { operations } from '../support/description.ts';

const emulator = await startEmulator({ data: 'small' });
const samples = samplesFor(emulator);

/** Parameters that an earlier operation has been tried with: several operations share a definition. */
const tried = new Set<string>();

const isTried = ({ name, property: { displayOptions: _, ...property } }: Place) => {
	const definition = JSON.stringify([name, property]);
	return tried.has(definition) || !tried.add(definition);
};

beforeAll(() => runAgainst(emulator));
afterAll(async () => await emulator.close());

const BY_TYPE: Partial<Record<INodeProperties['type'], unknown[]>> = {
	options: ['unknown', '__proto__', 'constructor', '', 7, ...NOT_TEXT],
	multiOptions: [['unknown'], ['__proto__'], 'unknown', [7], 7, { a: 1 }, ...NOTHING],
	boolean: ['maybe', '', 7, {}, ...NOTHING],
	number: ['many', '', ' ', -1, '-1', Infinity, {}, [5], ...NOTHING],
	color: ['', 'red', '#12', '#1234567', 'url(x)', 7, ...NOTHING],
	dateTime: ['nonsense', '2026-13-45', '31/12/2026', 20260131, ...NOT_TEXT],
	json: ['{broken', '[1]', '"text"', 'null', 7, [1], ...NOTHING],
	resourceLocator: NOT_IDS,
	resourceMapper: [null, {}, { empty: null }],
};

/** Bad values of Clear Fields, if it may name any field. */
const OPEN_LISTS = [['id'], 'created_at', [7], 7, { a: 1 }, ...NOTHING];

/** Words of zod, which do not help a user. */
const OF_ZOD =
	/invalid|expected|received|unrecognized|Required|too (big|small)|NaN|\b(string|boolean|array)\b/;

/** Parameters with other bad values than their type. */
const OTHERS: Readonly<Record<string, unknown[]>> = {
	agent_id: NOT_UUIDS,
	body: ['{broken', '"text"', 'null', 7, ...NOTHING],
	contact: NOT_UUIDS,
	'updateFields.selected_voice': NOT_UUIDS,
	'filters.model_name': [...BLANK, 7, {}, ...NOTHING],
	'updateFields.ai_provider': [...BLANK, 7, {}, ...NOTHING],
	'updateFields.default_language': ['', 'xx', 'english', '__proto__', 7, {}, ...NOTHING],
};

/** Numbers that may have a fraction: prices and spans of time. All others must be whole. */
const FRACTIONS = ['options.lookBack', 'options.unchangedFor', 'options.timeout', 'waitAtMost'];

/** Options that operations have in common. They are tried with one operation. */
const COMMON = /^options\.(ifNotFound|inputFields|timeout|writes)$/;

/** The parameters of an operation, without those of a tool (see tool.test.ts). */
const ownPlacesOf = (operation: string) =>
	placesOf(operation).filter(({ name, property }) => {
		if (property.type.endsWith('ollection')) return false;
		if (COMMON.test(name)) return operation === 'apiRequest.send';
		return !['resource', 'operation', 'authentication', 'account'].includes(name);
	});

/** What narrows a list. An expression that leaves it blank would return everything. */
const FILTER = /^filters\.[^.]+$|^options\.search$/;

/** Settings that a blank does not set, such as an empty cell of a table. */
const MAY_BE_BLANK = /^checks\.|^options\.(language|billing\.values\.currency)$/;

const isBlank = (value: unknown) =>
	value === undefined || value === null || /^\s*$/.test(String(value));

const badValuesOf = (place: Place): unknown[] =>
	wrongValuesOf(place).filter((value) => !(MAY_BE_BLANK.test(place.name) && isBlank(value)));

function wrongValuesOf({ property, name }: Place): unknown[] {
	const { type, required, options = [], typeOptions } = property;
	if (type === 'string') {
		const isFree = name in FREE_TEXTS && !required && !FILTER.test(name);
		return TEXTS[name] ?? (isFree ? NOT_TEXT : [...BLANK, ...NOT_TEXT]);
	}
	const isOpen = type === 'multiOptions' && name === 'clearFields' && options.length === 0;
	const bad = isOpen ? OPEN_LISTS : (OTHERS[name] ?? BY_TYPE[type]);
	if (bad === undefined) throw new Error(`Add the bad values of type ${type} to BY_TYPE`);
	return [
		...bad,
		...(type === 'number' && !FRACTIONS.includes(name) ? [1.5, '1.5'] : []),
		...((typeOptions?.minValue ?? 0) > 0 ? [0] : []),
		...(FILTER.test(name) ? [' '] : []),
		...(required && type === 'resourceLocator' ? ['', ' '] : []),
	];
}

/** The parameters that hold the bad value, which an expression takes from a field of the input item. */
function planted({ property, put: enter }: Place, value: unknown) {
	const put = (given: unknown) => enter({}, given);
	const expression = '={{ $json.bad }}';
	if (property.type === 'resourceMapper')
		return [put({ mappingMode: 'defineBelow', value, schema: [] } as INodeParameters)];
	if (property.type !== 'resourceLocator') return [put(expression)];
	return (property.modes ?? []).map(({ name }) => put(locator(expression, name)));
}

const cases = operations.flatMap((name) => {
	// Create or Update needs no fields: contract/contact says what it then does.
	const needsFields = !name.endsWith('.upsert');
	return ownPlacesOf(name)
		.filter(({ property: { type } }) => needsFields || type !== 'resourceMapper')
		.filter((place) => !isTried(place))
		.map((place) => [`${name}, ${place.name}`, name, place] as const);
});

it.each(cases)('a bad value is named, and nothing is sent: %s', async (_at, name, place) => {
	const label = place.property.displayName.replace(/[()]/g, '\\$&');
	const { parameters: good, items: [item] = [{}] } = samples[name]!;
	const values = badValuesOf(place);
	// Settings hold for all items, and a mapper takes no expression: these values are tried one by one.
	const isShared = COMMON.test(place.name) || place.property.type === 'resourceMapper';
	for (const batch of isShared ? values.map((bad) => [bad]) : [values]) {
		const bads = batch.map((bad) => ({ ...item, bad }) as IDataObject);
		for (const parameters of planted(place, batch[0])) {
			emulator.reset();
			const { json } = await run(name, { ...good, ...parameters }, bads, CONTINUE);
			expect.soft(emulator.requests).toEqual([]);
			batch.forEach((bad, at) => {
				const said = `${JSON.stringify(bad)} in ${JSON.stringify(parameters)}`;
				expect.soft(json[at]?.error, said).toMatch(new RegExp(`[' ]${label}( → entry \\d)?'`));
				expect.soft(json[at]?.error, said).not.toMatch(OF_ZOD);
			});
		}
	}
});

it('all mistakes of an item are named at once, also beside a bad ID', async () => {
	const given = { order_id: locator(' '), updateFields: { status: 'unknown' } };
	const { error } = await run('order.update', given);
	for (const label of ["'Order'", "Status'"]) expect(error?.message).toContain(label);
});

it.each(['unknown', '__proto__'])('an operation called %s is refused', async (operation) => {
	emulator.reset();
	expect((await run(`wallet.${operation}`)).error?.message).toMatch(/^There is no operation/);
	expect(emulator.requests).toEqual([]);
});
