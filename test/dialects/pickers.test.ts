import type { INodeListSearchResult, INodeParameters, ResourceMapperFields } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import type { Store } from '../emulator/index.ts';
import { nameOf, type Kind } from '../emulator/wire.ts';
import { accountForAllTests, agentOf, credentials, emulator } from '../support/account.ts';
import { loadOptions, loadPackage } from '../support/harness.ts';
import { locator } from '../support/samples.ts';
import { SERVERS } from './servers.ts';

type Rows = { all(): Array<{ id: string }> };

/** The records that each list must show. */
const LISTS: Readonly<Record<string, (store: Store) => Rows>> = {
	searchAgents: (store) => store.agents,
	searchOutboundAgents: ({ agents }) => ({
		all: () => agents.all().filter(({ agent_type: type }) => type === 'outbound'),
	}),
	searchModels: ({ models }) => ({ all: () => models.map(({ value }) => ({ id: value })) }),
	searchVoices: ({ voices }) => ({ all: () => voices }),
	searchCalls: (store) => store.calls,
	searchOrders: (store) => store.orders,
	searchContacts: (store) => store.contacts,
	searchContactLists: (store) => store.contactLists,
	searchCampaigns: (store) => store.campaigns,
	searchCatalogues: (store) => store.catalogues,
	searchItems: (store) => store.items,
	searchEvents: (store) => store.events,
};

/** The fields that each mapper must offer, in the store's words. */
const FIELDS: Readonly<Record<string, [Kind, string[]]>> = {
	mapContact: ['contact', ['phone_number', 'secondary_phone_number', 'first_name', 'notes']],
	mapCatalogue: ['catalogue', ['name', 'description']],
	mapItem: ['item', ['name', 'sku', 'price', 'currency', 'quantity', 'category', 'catalogue_id']],
	mapEvent: ['event', ['title', 'date', 'extras']],
	mapAgentTool: ['tool', ['max_party_size']],
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
			const given = { credentials: credentials(), filter, token };
			const page: INodeListSearchResult = await loadOptions('listSearch', name, given);
			found.push(...page.results);
			token = page.paginationToken as string | undefined;
		} while (token !== undefined);
		return found;
	}

	it.each(Object.entries(LISTS))('%s: every record, and found by its name', async (name, rows) => {
		const found = await scrolled(name);
		const ids = rows(emulator.store)
			.all()
			.map(({ id }) => id);
		expect(found.map(({ value }) => String(value)).sort()).toEqual(ids.sort());
		const last = found.at(-1)!;
		expect(last.name.trim()).not.toBe('');
		// The API searches for a contact's number. What else it searches is not shown.
		const contact = emulator.store.contacts.get(String(last.value));
		const word = contact?.phone_number ?? last.name.split(/ (?:· )?/)[0];
		const again = await scrolled(name, word);
		expect(again.map(({ value }) => value)).toContain(last.value);
	});

	it.each(Object.entries(FIELDS))('%s: every field of a record', async (name, [kind, fields]) => {
		const ofTool = {
			resource: 'agentTool',
			operation: 'update',
			tool: 'make-reservation',
			agent_id: locator(agentOf('inbound').id),
		};
		const parameters: INodeParameters = kind === 'tool' ? ofTool : {};
		const given = { credentials: credentials(), parameters };
		const { fields: columns } = await loadOptions<ResourceMapperFields>(
			...(['resourceMapping', name, given] as const),
		);
		const names = columns.map(({ id }) => id.split('.')[0]);
		const wanted = fields.map((field) => nameOf(kind, field, emulator.readings));
		expect(names).toEqual(expect.arrayContaining(wanted));
		expect(names).not.toContain('id');
		const isCustom = columns.some(({ id }) => id.includes('loyalty_tier'));
		expect(isCustom).toBe(kind === 'contact');
	});
});
