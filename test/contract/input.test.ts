import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	INodeProperties,
} from 'n8n-workflow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startEmulator } from '../emulator/index.ts';
import { run, runAgainst } from '../support/account.ts';
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
const FRACTIONS = [
	'options.billing.values.pricePerMinute',
	'options.lookBack',
	'options.unchangedFor',
	'options.timeout',
	'waitAtMost',
];

/** Options that operations have in common. They are tried with one operation. */
const COMMON = /^options\.(ifNotFound|inputFields|timeout|writes)$/;

/** The parameters of an operation, without those of a tool (see tool.test.ts). */
const ownPlacesOf = (operation: string) =>
	placesOf(operation).filter(({ name, property }) => {
		if (property.type.endsWith('ollection')) return false;
		if (COMMON.test(name)) return operation === 'apiRequest.send';
		return !['resource', 'operation', 'authentication', 'account'].includes(name);
	});

/** Settings that a blank does not set, such as an empty cell of a table. */
const MAY_BE_BLANK = /^checks\./;

const isBlank = (value: unknown) =>
	value === undefined || value === null || /^\s*$/.test(String(value));

const badValuesOf = (place: Place): unknown[] =>
	wrongValuesOf(place).filter((value) => !(MAY_BE_BLANK.test(place.name) && isBlank(value)));

function wrongValuesOf({ property, name }: Place): unknown[] {
	const { type, required, options = [], typeOptions } = property;
	if (type === 'string') {
		const isFree = name in FREE_TEXTS && !required;
		return TEXTS[name] ?? (isFree ? NOT_TEXT : [...BLANK, ...NOT_TEXT]);
	}
	const isOpen = type === 'multiOptions' && name === 'clearFields' && options.length === 0;
	const bad = isOpen ? OPEN_LISTS : (OTHERS[name] ?? BY_TYPE[type]);
	if (bad === undefined) throw new Error(`Add the bad values of type ${type} to BY_TYPE`);
	return [
		...bad,
		...(type === 'number' && !FRACTIONS.includes(name) ? [1.5, '1.5'] : []),
		...((typeOptions?.minValue ?? 0) > 0 ? [0] : []),
		...(required && type === 'resourceLocator' ? ['', ' '] : []),
	];
}

/**
 * The parameters that hold the bad value, which an expression takes from a field of the input item.
 * @param rest the other parameters
 */
function planted(
	{ property, put: enter }: Place,
	value: unknown,
	field = 'bad',
	rest: INodeParameters = {},
) {
	const put = (given: unknown) => enter(rest, given);
	const expression = `={{ $json.${field} }}`;
	if (property.type === 'resourceMapper') {
		return [put({ mappingMode: 'defineBelow', value, schema: [] } as INodeParameters)];
	}
	if (property.type !== 'resourceLocator') return [put(expression)];
	return (property.modes ?? []).map(({ name }) => put(locator(expression, name)));
}

describe.each(operations)('bad input of %s', (name) => {
	const sample = samples[name]!;
	// Create or Update needs no fields: contract/item and contract/contact say what it then does.
	const needsFields = !name.endsWith('.upsert');
	const places = ownPlacesOf(name)
		.filter(({ property: { type } }) => needsFields || type !== 'resourceMapper')
		.map((place) => [place.name, place] as const);
	const naming = ({ property: { displayName } }: Place) =>
		new RegExp(`[' ]${displayName.replace(/[()]/g, '\\$&')}( → entry \\d)?'`);

	const isNew = new Set(places.filter(([, place]) => !isTried(place)));
	// Those of the records that the operation is about. Others are read like any field of their group.
	const ids = places.filter(
		([path, { property }]) => property.type === 'resourceLocator' && !path.includes('.'),
	);

	/** The error of each item; nothing may be sent for any. */
	async function endings(parameters: INodeParameters, items: IDataObject[]): Promise<string[]> {
		// A sync that cannot read one item refuses all, so only its first error names the mistake.
		const isSync = name === 'contactList.sync';
		if (isSync && items.length > 1)
			return (await Promise.all(items.map((item) => endings(parameters, [item])))).flat();
		emulator.reset();
		const { outputs, error } = await run(
			name,
			{ ...sample.parameters, ...parameters },
			items.map((item) => ({ ...sample.items?.[0], ...item })),
			{ node: { onError: isSync ? 'stopWorkflow' : 'continueErrorOutput' } },
		);
		const sent = emulator.requests.map(({ method, path }) => `${method} ${path}`);
		expect(sent, `for ${JSON.stringify(items)}`).toEqual([]);
		if (isSync) return [error?.message ?? 'nothing'];
		const [good = [], bad = []] = outputs;
		const indexOf = ({ pairedItem }: INodeExecutionData) => pairedItem as number;
		const said = new Map(bad.map((item) => [indexOf(item), String(item.json.error)]));
		expect(error?.message).toBeUndefined();
		expect(good.map(indexOf)).toEqual([]);
		return items.map((_, at) => said.get(at) ?? 'nothing');
	}

	it('a bad or missing ID hides no other mistake', async () => {
		for (const one of ids) {
			const [path, id] = one;
			for (const another of places) {
				if (!isNew.has(one) && !isNew.has(another)) continue;
				const [other, place] = another;
				if (other === path || COMMON.test(other)) continue;
				const [bad] = badValuesOf(place);
				const withId = planted(id, undefined, 'badId')[0]!;
				const parameters = planted(place, bad, 'bad', withId)[0]!;
				// The other parameter hides the ID.
				if (Object.entries(withId).some(([at, value]) => parameters[at] !== value)) continue;
				const badIds = [badValuesOf(id)[0], undefined];
				const given = badIds.map((badId) => ({ bad, badId }) as IDataObject);
				for (const message of await endings(parameters, given)) {
					const said = `a bad ${path} beside ${JSON.stringify(bad)} in ${other}`;
					expect.soft(message, said).toMatch(naming(id));
					expect.soft(message, said).toMatch(naming(place));
				}
			}
		}
	});

	it.each([...isNew])('is named: %s', async (path, place) => {
		const named = naming(place);
		const values = badValuesOf(place);
		// Settings hold for all items, and a mapper takes no expression: these values are tried one by one.
		const isShared = COMMON.test(path) || place.property.type === 'resourceMapper';
		const batches = isShared ? values.map((bad) => [bad]) : [values];
		for (const batch of batches) {
			for (const parameters of planted(place, batch[0])) {
				const items = batch.map((bad) => ({ bad }) as IDataObject);
				const messages = await endings(parameters, items);
				messages.forEach((message, at) => {
					const said = `${JSON.stringify(batch[at])} in ${JSON.stringify(parameters)}`;
					expect.soft(message, said).toMatch(named);
					expect.soft(message, said).not.toMatch(OF_ZOD);
				});
			}
		}
	});
});

describe('a filter', () => {
	const filters = operations.flatMap((name) =>
		placesOf(name)
			.filter((place) => /^filters\.[^.]+$|^options\.search$/.test(place.name))
			.filter(({ property: { type } }) => type !== 'fixedCollection')
			.map((place) => [`${name}: ${place.name}`, name, place] as const),
	);
	/** The requests of an operation with this value, and the complaint about it. */
	const outcome = async (name: string, parameters: INodeParameters) => {
		emulator.reset();
		const sample = samples[name]!;
		const items = [{ ...sample.items?.[0], blank: ' ' }];
		const { error } = await run(name, { ...sample.parameters, ...parameters }, items);
		return { requests: emulator.requests.length, message: error?.message };
	};

	it.each(filters)('%s is refused if an expression leaves it blank', async (_at, name, place) => {
		const [parameters] = planted(place, undefined, 'blank');
		const { message, requests } = await outcome(name, parameters!);
		expect(message).toContain(`${place.property.displayName}' `);
		expect(message).toMatch(/has no value|is empty: choose/);
		expect(requests).toBe(0);
		if (!['string', 'dateTime'].includes(place.property.type)) return;
		// What is left empty in the editor is not set.
		const left = await outcome(name, place.put({}, ''));
		expect(left.message).toBeUndefined();
		expect(left.requests).toBeGreaterThan(0);
	});
});

it.each(['unknown', '__proto__'])('an operation called %s is refused', async (operation) => {
	emulator.reset();
	expect((await run(`wallet.${operation}`)).error?.message).toMatch(/^There is no operation/);
	expect(emulator.requests).toEqual([]);
});

it('no text parameter is listed both as free and with bad values', () => {
	expect(Object.keys(FREE_TEXTS).filter((path) => path in TEXTS)).toEqual([]);
});
