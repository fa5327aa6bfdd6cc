import type {
	INodeListSearchResult,
	INodeParameters,
	INodeProperties,
	INodePropertyOptions,
	NodeApiError,
	ResourceMapperFields,
} from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { accountForAllTests, credentials, emulator, succeed } from '../support/account.ts';
import { loadOptions, loadPackage } from '../support/harness.ts';
import { description } from '../support/description.ts';
import { locator } from '../support/samples.ts';

const search = async (
	name: string,
	given: { parameters?: INodeParameters; filter?: string; timezone?: string } = {},
) =>
	await loadOptions<INodeListSearchResult>('listSearch', name, {
		credentials: credentials(),
		...given,
	});

const values = ({ results }: INodeListSearchResult) =>
	results.map(({ value }) => String(value)).sort();

accountForAllTests({ data: 'small' });

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

/** All parameters of a kind, also inside of others. */
const locatorsIn = (properties: INodeProperties[]): INodeProperties[] =>
	properties.flatMap((property) => [
		...(property.type === 'resourceLocator' ? [property] : []),
		...(property.options ?? []).flatMap((option) => {
			if ('values' in option) return locatorsIn(option.values);
			return 'type' in option ? locatorsIn([option]) : [];
		}),
	]);

// People copy it for the model of an AI agent, and an AI that builds workflows reads it. Nothing else says
// that the parameter takes no name.
it('every picker says which operation shows the IDs that it takes', () => {
	const actions = description.properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options }) => options as INodePropertyOptions[])
		.map(({ action = '' }) => `ID from ${action.toLowerCase()}`);
	const hasNoOperation = ['account', 'default_language'];
	const pickers = locatorsIn(description.properties).filter(
		({ name }) => !hasNoOperation.includes(name),
	);
	expect(pickers.length).toBeGreaterThan(15);
	for (const { name, description: said = '' } of pickers) {
		const [origin = ''] = /ID from [^.]+/.exec(said) ?? [];
		expect(actions, `${name}: ${said}`).toContain(
			origin.replace(/Get.*/, (named) => named.toLowerCase()),
		);
	}
});

it('shows moments in the zone of the workflow, as far as they name one', async () => {
	const created_at = '2026-01-15T22:30:00Z';
	emulator.store.addCall({ created_at });
	emulator.store.addEvent({ date: created_at, title: 'Late' });
	emulator.store.addEvent({ date: '2026-01-15', title: 'All day' });
	const given = { timezone: 'Europe/Rome' };
	const namesOf = async (name: string) =>
		(await search(name, given)).results.map((result) => result.name).join();
	expect(await namesOf('searchCalls')).toContain('2026-01-15 23:30 ');
	const events = await namesOf('searchEvents');
	expect(events).toContain('2026-01-15 23:30 · ');
	expect(events).toMatch(/2026-01-15 · [^,]*All day/);
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
	const ALL = ['base', 'beta', 'omega', 'zeta'];

	const agentWith = (model: string | null) =>
		emulator.store.agents.find(({ ai_provider }) => ai_provider === model)!.id;

	/** The models whose voices are listed for an agent, which may be about to get another model. */
	const modelsFor = async (agentId: string, model?: string) => {
		const updateFields = model ? { ai_provider: locator(model) } : {};
		const agent = { resource: 'agent', operation: 'update', agent_id: locator(agentId) };
		const ids = values(await search('searchVoices', { parameters: { ...agent, updateFields } }));
		const voices = emulator.store.voices.filter(({ id }) => ids.includes(id));
		return [...new Set(voices.map(({ ai_provider }) => ai_provider))].sort();
	};

	it('follows the model that is being set, or else the agent’s own', async () => {
		expect(await modelsFor(agentWith('zeta'), 'beta')).toEqual(['beta']);
		expect(await modelsFor(agentWith('zeta'))).toEqual(['zeta']);
	});

	it('has every voice if the editor cannot know the model', async () => {
		expect(await modelsFor(agentWith(null))).toEqual(ALL);
		expect(await modelsFor('={{ $json.agent }}')).toEqual(ALL);
		expect(await modelsFor(agentWith('zeta'), '={{ $json.model }}')).toEqual(ALL);
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
	for (const filter of ['ITALIAN ', '(it)'])
		expect(values(await search('searchLanguages', { filter }))).toEqual(['it']);
	expect(emulator.requests).toEqual([]);
});

it('the error of a list names the permission that a key lacks', async () => {
	const list = loadOptions('listSearch', 'searchContacts', {
		credentials: credentials(emulator.keys.none),
	});
	const error = (await list.catch((thrown: unknown) => thrown)) as NodeApiError;
	expect(error.description).toMatch(/needs READ or READ_WRITE/);
});

// That each has every field of the account: dialects/pickers.
describe('a field list', () => {
	const columns = async (name: string, parameters: INodeParameters = {}) => {
		const { fields } = await loadOptions<ResourceMapperFields>('resourceMapping', name, {
			parameters,
			credentials: credentials(),
		});
		return fields;
	};

	it('has the documented fields first, each once, named in words and with its type', async () => {
		const fields = await columns('mapItem');
		expect(emulator.requests).toHaveLength(1);
		const ids = fields.map(({ id }) => id);
		expect(ids.slice(0, 7)).toEqual([
			'name',
			'description',
			'sku',
			'price',
			'currency',
			'quantity',
			'category',
		]);
		expect(new Set(ids).size).toBe(ids.length);
		expect(fields).toContainEqual(
			expect.objectContaining({ displayName: 'SKU', type: 'string', required: false }),
		);
		expect(fields.find(({ id }) => id === 'price')?.type).toBe('number');
	});

	it('has no fields of a tool if there is no agent, or one by expression', async () => {
		const ofTool = { resource: 'agentTool', operation: 'update', tool: 'place-order' };
		for (const agent_id of [locator(''), locator('={{ $json.id }}')])
			expect(await columns('mapAgentTool', { ...ofTool, agent_id })).toEqual([]);
		expect(emulator.requests).toEqual([]);
	});

	// What becomes of empty and of inner fields: unit/record.
	const create = async (resource: string, mapper: string, record: INodeParameters, item = {}) => {
		const schema = (await columns(mapper)) as unknown as INodeParameters[];
		await succeed(`${resource}.create`, { record: { ...record, schema } }, [item]);
		return emulator.requests.at(-1)?.body;
	};
	const automatic = { mappingMode: 'autoMapInputData', value: null };

	it('Map Automatically takes the input item’s fields that the record has', async () => {
		const known = { phone_number: '+393470005555', first_name: 'Ada' };
		const custom_fields = { birthday: '1990-01-10' };
		const item = { ...known, custom_fields: { ...custom_fields, other: 1 }, row_number: 7 };
		expect(await create('contact', 'mapContact', automatic, item)).toEqual({
			...known,
			custom_fields,
		});
	});

	it('a value is sent in its column’s type, which expressions and tables do not keep', async () => {
		const expressions = { name: '={{ $json.name }}', price: '={{ $json.price }}' };
		const value = { ...expressions, quantity: '12', sku: '={{ $json.sku }}' };
		const mapped = { mappingMode: 'defineBelow', value };
		const item = { name: 42, price: '9.50', sku: '007' };
		const sent = { name: '42', price: 9.5, sku: '007' };
		expect(await create('item', 'mapItem', mapped, item)).toEqual({ ...sent, quantity: 12 });
		const other = { ...item, sku: '008' };
		expect(await create('item', 'mapItem', automatic, other)).toEqual({ ...sent, sku: '008' });
	});
});
