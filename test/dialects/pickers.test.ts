import type { INodeListSearchResult, INodeParameters, ResourceMapperFields } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { Emulator } from '../emulator/index.ts';
import { nameOf, type Kind } from '../emulator/wire.ts';
import { accountForAllTests, credentials, emulator } from '../support/account.ts';
import { loadOptions, loadPackage } from '../support/harness.ts';
import { locator } from '../support/samples.ts';
import { SERVERS } from './servers.ts';

type Store = Emulator['store'];

const idsOf = (rows: Array<{ id: string }>) => rows.map(({ id }) => id).sort();

/** The IDs that each list must show. */
const LISTS: Readonly<Record<string, (store: Store) => string[]>> = {
	searchAgents: (store) => idsOf(store.agents.all()),
	searchOutboundAgents: (store) =>
		idsOf(store.agents.all().filter(({ agent_type: type }) => type === 'outbound')),
	searchModels: (store) => store.models.map(({ value }) => value).sort(),
	searchVoices: (store) => idsOf(store.voices),
	searchCalls: (store) => idsOf(store.calls.all()),
	searchOrders: (store) => idsOf(store.orders.all()),
	searchContacts: (store) => idsOf(store.contacts.all()),
	searchContactLists: (store) => idsOf(store.contactLists.all()),
	searchCampaigns: (store) => idsOf(store.campaigns.all()),
	searchCatalogues: (store) => idsOf(store.catalogues.all()),
	searchItems: (store) => idsOf(store.items.all()),
	searchEvents: (store) => idsOf(store.events.all()),
};

/** The fields that each mapper must offer, in the store's words. */
const FIELDS: Readonly<Record<string, [Kind, string[]]>> = {
	mapContact: ['contact', ['phone_number', 'secondary_phone_number', 'first_name', 'notes']],
	mapCatalogue: ['catalogue', ['name', 'description']],
	mapItem: ['item', ['name', 'sku', 'price', 'currency', 'quantity', 'category', 'catalogue_id']],
	mapEvent: ['event', ['title', 'date', 'extras']],
};

// Names of accounts come from the credential, and languages are no records.
const OTHERS = ['searchAccounts', 'searchLanguages'];

it('every list of the node is tested here', async () => {
	const { nodeTypes } = await loadPackage();
	const { listSearch = {} } = nodeTypes.getByNameAndVersion('ykVoice', 1).methods!;
	expect([...Object.keys(LISTS), ...OTHERS].sort()).toEqual(Object.keys(listSearch).sort());
});

describe.each(SERVERS)('$name', ({ readings }) => {
	accountForAllTests({ readings });

	/** The whole list, as for a user who scrolls to its end. */
	async function scrolled(name: string, filter?: string) {
		const found: INodeListSearchResult['results'] = [];
		let token: string | undefined;
		do {
			const page: INodeListSearchResult = await loadOptions('listSearch', name, {
				credentials: credentials(),
				filter,
				token,
			});
			found.push(...page.results);
			token = page.paginationToken as string | undefined;
		} while (token !== undefined);
		return found;
	}

	it.each(Object.entries(LISTS))('%s: every record, and found by its name', async (name, all) => {
		const found = await scrolled(name);
		expect(found.map(({ value }) => String(value)).sort()).toEqual(all(emulator.store));
		const last = found.at(-1)!;
		expect(last.name.trim()).not.toBe('');
		// The API searches for a contact's number. What else it searches is not shown.
		const contact = emulator.store.contacts.get(String(last.value));
		const word = contact?.phone_number ?? last.name.split(/ (?:· )?/)[0];
		const again = await scrolled(name, word);
		expect(again.map(({ value }) => value)).toContain(last.value);
	});

	it.each(Object.entries(FIELDS))(
		'%s: every field that a record has',
		async (name, [kind, fields]) => {
			const { fields: columns } = await loadOptions<ResourceMapperFields>('resourceMapping', name, {
				credentials: credentials(),
			});
			const ids = columns.map(({ id }) => id);
			for (const field of fields)
				expect(
					ids.some((id) => id.split('.')[0] === nameOf(kind, field, emulator.readings)),
					field,
				).toBe(true);
			if (kind === 'contact') expect(ids.some((id) => id.includes('loyalty_tier'))).toBe(true);
			expect(ids).not.toContain('id');
		},
	);

	it('mapAgentTool: every field of a tool', async () => {
		const agent = emulator.store.agents.find(({ agent_type: type }) => type === 'inbound')!;
		const parameters: INodeParameters = {
			resource: 'agentTool',
			operation: 'update',
			agent_id: locator(agent.id),
			tool: 'make-reservation',
		};
		const { fields } = await loadOptions<ResourceMapperFields>('resourceMapping', 'mapAgentTool', {
			credentials: credentials(),
			parameters,
		});
		expect(fields.map(({ id }) => id)).toContain('max_party_size');
	});
});
