import type {
	INodeListSearchResult,
	INodeParameters,
	INodePropertyOptions,
	ResourceMapperFields,
} from 'n8n-workflow';
import { beforeAll, describe, expect, it } from 'vitest';

import { accountForAllTests, agentOf, credentials, emulator, succeed } from '../support/account.ts';
import { loadOptions, loadPackage } from '../support/harness.ts';
import { description } from '../support/description.ts';
import { locator } from '../support/samples.ts';

interface Search {
	parameters?: INodeParameters;
	filter?: string;
	token?: string;
}

const search = async (name: string, given: Search = {}) =>
	await loadOptions<INodeListSearchResult>('listSearch', name, {
		credentials: credentials(),
		...given,
	});

/** What a user sees who scrolls to the end of the list; each page takes five requests at most. */
async function scrolled(name: string, given: Search = {}) {
	const found: INodeListSearchResult['results'] = [];
	let token: string | undefined;
	do {
		const before = emulator.requests.length;
		const page = await search(name, { ...given, token });
		expect(emulator.requests.length - before).toBeLessThanOrEqual(5);
		found.push(...page.results);
		token = page.paginationToken;
	} while (token !== undefined);
	return found;
}

const values = (results: INodeListSearchResult['results']) =>
	results.map(({ value }) => String(value)).sort();

const MANY = 230;

accountForAllTests({ data: 'small' });

beforeAll(() => {
	const { store } = emulator;
	store.fill({ calls: MANY, contacts: MANY });
	for (let index = 0; index < MANY; index++) {
		store.addAgent(index % 2 ? 'inbound' : 'outbound', { name: `Agent ${index}` });
		store.voices.push({
			...store.voices[0]!,
			id: store.random.uuid(),
			custom_name: `Voice ${index}`,
		});
	}
});

it('every list and field list is used by a parameter, and none is missing', async () => {
	const used = (kind: string) => {
		const named = JSON.stringify(description).matchAll(new RegExp(`"${kind}":"(\\w+)"`, 'g'));
		return [...new Set([...named].map(([, name]) => name))].sort();
	};
	const { nodeTypes } = await loadPackage();
	const { listSearch, resourceMapping } = nodeTypes.getByNameAndVersion('ykVoice', 1).methods!;
	expect(used('searchListMethod')).toEqual(Object.keys(listSearch!).sort());
	expect(used('resourceMapperMethod')).toEqual(Object.keys(resourceMapping!).sort());
});

// Whether every list holds all records, on every kind of server, is tested in dialects/pickers.
describe('a search that the API does not do by itself', () => {
	it('goes on until there is enough to scroll, because n8n asks for more only then', async () => {
		const names = Array.from({ length: 257 }, (_, at) =>
			at === 6 || at === 151 ? 'Sales' : 'Shop',
		);
		for (const name of names) emulator.store.addAgent('inbound', { name: `${name} X` });
		const { results } = await search('searchAgents', { filter: 'sales x' });
		expect(results).toHaveLength(2);
	});

	it('ends after ten pages, and goes on if the user scrolls', async () => {
		emulator.store.fill({ calls: 1500 });
		const { results, paginationToken } = await search('searchCalls', { filter: 'zzz' });
		expect(results).toEqual([]);
		expect(paginationToken).toBe('991');
		expect(emulator.requests).toHaveLength(10);
	});
});

describe('the list of voices', () => {
	const update = (agentId: string | undefined, model?: INodeParameters): INodeParameters => ({
		resource: 'agent',
		operation: 'update',
		...(agentId && { agent_id: locator(agentId) }),
		updateFields: model ? { ai_provider: model } : {},
	});

	const modelsOf = async (parameters: INodeParameters) => {
		const ids = new Set(values(await scrolled('searchVoices', { parameters })));
		const found = emulator.store.voices.filter(({ id }) => ids.has(id));
		return [...new Set(found.map(({ ai_provider: model }) => model))];
	};

	const agentWith = (model: string | null) =>
		emulator.store.agents.find(({ ai_provider: own }) => own === model)!.id;

	it('follows the model that is being set', async () => {
		expect(await modelsOf(update(agentWith('zeta'), locator('beta', 'list')))).toEqual(['beta']);
	});

	it('otherwise follows the agent’s own model', async () => {
		expect(await modelsOf(update(agentWith('zeta')))).toEqual(['zeta']);
		const address = `https://app.example/agents/${agentWith('beta')}`;
		expect(await modelsOf(update(address))).toEqual(['beta']);
	});

	it.each([
		['no agent is chosen', () => update(undefined)],
		['the agent has no model', () => update(agentWith(null))],
		['the agent is an expression', () => update('={{ $json.agent }}')],
		['the model is an expression', () => update(agentWith('zeta'), locator('={{ $json.model }}'))],
	])('has every voice if %s', async (_case, parameters) => {
		expect((await modelsOf(parameters())).length).toBe(4);
	});
});

it('a list marks a model that the organization may not use', async () => {
	const models = (await search('searchModels')).results;
	const marked = models.filter(({ name }) => name.includes('unavailable'));
	expect(marked).toEqual([{ name: 'Omega (unavailable to your organization)', value: 'omega' }]);
});

it('a record whose name begins with = makes no expression of the workflow', async () => {
	const store = emulator.store;
	store.addContactList({ name: '={{ $env.HOME }}' });
	const { results } = await search('searchContactLists', { filter: '$env' });
	expect(results.map(({ name }) => name)).toEqual([' ={{ $env.HOME }}']);
	store.addContactList({ id: '={{ 1 + 1 }}', name: 'Hostile ID' } as never);
	expect((await search('searchContactLists', { filter: 'Hostile' })).results).toEqual([]);
});

it('languages are all those of ISO 639-1, found by name and by code', async () => {
	const languages = await loadOptions<INodePropertyOptions[]>('loadOptions', 'getLanguages', {
		credentials: credentials(),
	});
	expect(languages).toHaveLength(183);
	expect(languages).toContainEqual({ name: 'Italian (it)', value: 'it' });
	expect((await search('searchLanguages')).results).toEqual(languages);
	for (const [filter, codes] of [
		['ITALIAN ', ['it']],
		['(it)', ['it']],
		['klingon', []],
	] as const) {
		expect(values((await search('searchLanguages', { filter })).results)).toEqual(codes);
	}
	expect(emulator.requests).toEqual([]);
});

it.each([
	['the permission that a key lacks', {}, /needs READ or READ_WRITE/],
	['the address that a credential lacks', { baseUrl: '' }, /Base URL/],
])('the error of a list names %s', async (_what, over, words) => {
	const { ykVoiceApi } = credentials(emulator.keys.none);
	const list = loadOptions('listSearch', 'searchContacts', {
		credentials: { ykVoiceApi: { ...ykVoiceApi, ...over } },
	});
	const { message, description: advice } = (await list.catch(
		(error: unknown) => error,
	)) as Error & {
		description?: string;
	};
	expect(`${message} ${advice}`).toMatch(words);
});

describe('a field list', () => {
	const ofTool = { resource: 'agentTool', operation: 'update' };

	const columns = async (name: string, parameters: INodeParameters = {}) => {
		const { fields } = await loadOptions<ResourceMapperFields>('resourceMapping', name, {
			parameters,
			credentials: credentials(),
		});
		return fields;
	};

	it.each([
		[
			'mapContact',
			['phone_number', 'secondary_phone_number'],
			['first_name', 'custom_fields.loyalty_tier'],
		],
		['mapCatalogue', ['name'], ['description']],
		[
			'mapItem',
			['name', 'description', 'sku', 'price', 'currency', 'quantity', 'category'],
			['catalogue_id'],
		],
		['mapEvent', ['extras'], ['title', 'extras.guests']],
	])(
		'%s has the documented fields first, then those of the account',
		async (name, documented, seen) => {
			const ids = (await columns(name)).map(({ id }) => id);
			expect(ids.slice(0, documented.length)).toEqual(documented);
			expect(ids).toEqual(expect.arrayContaining(seen));
			expect(new Set(ids).size).toBe(ids.length);
			for (const own of ['id', 'created_at', 'updated_at', 'item_count'])
				expect(ids).not.toContain(own);
			expect(emulator.requests).toHaveLength(1);
		},
	);

	it('names a field in words, with its type', async () => {
		const fields = await columns('mapItem');
		const sku = fields.find(({ id }) => id === 'sku');
		expect(sku).toMatchObject({ displayName: 'SKU', type: 'string', required: false });
		expect(fields.find(({ id }) => id === 'price')?.type).toBe('number');
		const tier = (await columns('mapContact')).find(
			({ id }) => id === 'custom_fields.loyalty_tier',
		);
		expect(tier).toMatchObject({ displayName: 'Custom Fields: Loyalty Tier', type: 'string' });
	});

	it('has the fields of the chosen tool', async () => {
		const agent_id = locator(agentOf('inbound').id);
		const parameters = { ...ofTool, agent_id, tool: 'make-reservation' };
		const ids = (await columns('mapAgentTool', parameters)).map(({ id }) => id);
		expect(ids.sort()).toEqual([
			...['enabled', 'instructions', 'max_party_size', 'minimum_notice_hours'],
			...['reminder.hours_before', 'reminder.sms'],
		]);
	});

	it('has no fields of a tool if there is no agent, or one by expression', async () => {
		const byExpression = { agent_id: locator('={{ $json.id }}'), tool: 'place-order' };
		for (const parameters of [{}, byExpression])
			expect(await columns('mapAgentTool', { ...ofTool, ...parameters })).toEqual([]);
		expect(emulator.requests).toEqual([]);
	});

	const create = async (resource: string, record: INodeParameters, item = {}) => {
		await succeed(`${resource}.create`, { record }, [item]);
		return emulator.requests.at(-1)?.body;
	};

	const schema = async (name = 'mapContact') =>
		(await columns(name)) as unknown as INodeParameters[];

	it('a mapped custom field is sent inside its object; an empty field or expression is not sent', async () => {
		const body = await create('contact', {
			mappingMode: 'defineBelow',
			schema: await schema(),
			value: {
				phone_number: '+393470004444',
				email: null,
				first_name: '={{ $json.missing }}',
				'custom_fields.loyalty_tier': 'gold',
				'custom_fields.birthday': null,
			},
		});
		expect(body).toEqual({
			phone_number: '+393470004444',
			custom_fields: { loyalty_tier: 'gold' },
		});
	});

	it('Map Automatically takes the input item’s fields that the record has', async () => {
		const record = { mappingMode: 'autoMapInputData', schema: await schema(), value: null };
		const known = { phone_number: '+393470005555', first_name: 'Ada' };
		const custom_fields = { birthday: '1990-01-10' };
		const item = { ...known, custom_fields: { ...custom_fields, other: 1 }, row_number: 7 };
		expect(await create('contact', record, item)).toEqual({ ...known, custom_fields });
	});

	it('a value is sent in its column’s type, which expressions and tables do not keep', async () => {
		const expressions = { name: '={{ $json.name }}', price: '={{ $json.price }}' };
		const value = { ...expressions, quantity: '12', sku: '={{ $json.sku }}' };
		const mapped = { mappingMode: 'defineBelow', schema: await schema('mapItem'), value };
		const item = { name: 42, price: '9.50', sku: '007' };
		const sent = { name: '42', price: 9.5, sku: '007' };
		expect(await create('item', mapped, item)).toEqual({ ...sent, quantity: 12 });
		const automatic = { ...mapped, mappingMode: 'autoMapInputData', value: null };
		const other = { ...item, sku: '008' };
		expect(await create('item', automatic, other)).toEqual({ ...sent, sku: '008' });
	});

	it.each([
		['as an object', '={{ { guests: 4 } }}', { guests: 4 }],
		['as JSON', '{"guests": 4}', { guests: 4 }],
		['as JSON beside one of its fields', '{"guests": 4}', { guests: 4, table: 'A' }],
	])('takes the extras of an event %s', async (_form, extras, expected) => {
		const { id } = emulator.store.addEvent();
		const value = { extras, ...('table' in expected && { 'extras.table': 'A' }) };
		const record = { mappingMode: 'defineBelow', schema: await schema('mapEvent'), value };
		await succeed('event.update', { event_id: locator(id), record });
		expect(emulator.requests.at(-1)?.body).toEqual({ extras: expected });
	});
});
