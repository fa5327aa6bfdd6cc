import assert from 'node:assert/strict';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Contact, Emulator } from '../emulator/index.ts';
import { runNode, type NodeResult } from './harness.ts';

/** One run of one operation that must succeed, against the emulator's small data. */
export interface Sample {
	/** The parameters of a saved workflow, without resource and operation. */
	parameters: INodeParameters;
	/** The JSON of each input item. Default: one empty item. */
	items?: IDataObject[];
	/** Other parameters that must succeed too, such as those that reach other paths of the API. */
	also?: INodeParameters[];
	/** Checks the output items and the account afterwards. */
	check(output: IDataObject[], emulator: Emulator): void;
}

export const locator = (value: unknown, mode = 'id'): INodeParameters => ({
	__rl: true,
	mode,
	value: value as string,
});

const all = { returnAll: true };

/** Earlier than all records of the emulator. */
const longAgo = '2000-01-01T00:00:00Z';

/** A period with all records of the emulator. */
const always: INodeParameters = {
	period: 'between',
	from: longAgo,
	until: '2100-01-01T00:00:00Z',
};

/** A period that is over, so that what is said of it stays the same. */
const october: INodeParameters = {
	period: 'between',
	from: '2026-10-01T00:00:00Z',
	until: '2026-11-01T00:00:00Z',
};

const json = (record: object): INodeParameters => ({
	specifyFields: 'json',
	json: JSON.stringify(record),
});

/** A resource mapper as the editor saves it. */
const mapped = (value: INodeParameters): INodeParameters => ({
	specifyFields: 'fields',
	record: { mappingMode: 'defineBelow', value, schema: [], matchingColumns: [] },
});

const isRecord = (id: string) => (output: IDataObject[]) => {
	assert.equal(output.length, 1);
	assert.equal(output[0]?.id, id);
};

const isCount = (expected: number) => (output: IDataObject[]) => {
	assert.deepEqual(
		output.map(({ count }) => count),
		[expected],
	);
};

const hasEvery = (ids: string[]) => (output: IDataObject[]) => {
	assert.deepEqual(output.map(({ id }) => id).sort(), [...ids].sort());
};

/** The samples, by `resource.operation`. Every operation has exactly one. */
export function samplesFor({ store }: Emulator): Record<string, Sample> {
	const agent = store.agents.find(({ agent_type: type }) => type === 'inbound')!;
	const live = store.agents.find(({ conversation_style: style }) => style !== null)!;
	const outbound = store.agents.find(({ agent_type: type }) => type === 'outbound')!;
	const [contact, otherContact] = store.contacts.all() as [Contact, Contact];
	const contactList = store.contactLists.all().find(({ id }) => store.members.get(id)?.size)!;
	const member = [...store.members.get(contactList.id)!][0]!;
	const catalogue = store.catalogues.all()[0]!;
	const item = store.items.all()[0]!;
	const byStatus = <T extends { status: string }>(table: { all(): T[] }) => {
		const found = new Map(table.all().map((one) => [one.status, { ...one }]));
		return (status: string) => found.get(status)!;
	};
	const campaign = byStatus(store.campaigns);
	const event = byStatus(store.events);
	const call = store.calls.find(({ call_status: status }) => status === 'Completed')!;
	const pending = store.orders.find(({ status }) => status === 'pending')!;
	const ofAgent = { agent_id: locator(agent.id) };
	const ofCall = { call_id: locator(call.id) };
	const ofCatalogue = { catalogue_id: locator(catalogue.id) };
	const ofEvent = { event_id: locator(event('pending').id) };
	const ofItem = { item_id: locator(item.id) };
	const ofList = { contact_list_id: locator(contactList.id) };
	const ids = (table: { all(): Array<{ id: string }> }) => table.all().map(({ id }) => id);

	return {
		'agent.get': {
			parameters: ofAgent,
			check: isRecord(agent.id),
			also: [
				{ ...ofAgent, simplify: false },
				{ ...ofAgent, options: { settingsOnly: true } },
			],
		},
		'agent.getAll': {
			parameters: all,
			check: hasEvery(ids(store.agents)),
			also: [{ filters: { agent_type: 'outbound' } }],
		},
		'agent.getModels': {
			parameters: all,
			check: (output) => assert.equal(output.length, store.models.length),
		},
		'agent.getVoices': {
			parameters: { ...all, filters: { model_name: locator('base') } },
			check: (output) => {
				assert.ok(output.length > 0);
				assert.ok(output.every(({ ai_provider: provider }) => provider === 'base'));
			},
		},
		'agent.getVoicePreview': {
			parameters: { voice_id: locator(store.voices[0]!.id) },
			check: isRecord(store.voices[0]!.id),
		},
		'agent.update': {
			parameters: {
				...ofAgent,
				updateFields: {
					prompt_instructions: 'Be brief.',
					beta_backend: 'backend_studio',
				},
				clearFields: ['first_message'],
			},
			check: ([output], emulator) => {
				assert.equal(output?.prompt_instructions, 'Be brief.');
				assert.equal(output.beta_backend, 'backend_studio');
				assert.equal(emulator.store.agents.get(agent.id)?.first_message, null);
			},
			also: [
				{
					agent_id: locator(live.id),
					updateFields: {
						conversation_style: { style: { tone: 'direct' } },
						live_conversation_settings: { settings: { pauses: 'patient' } },
					},
				},
				{ ...ofAgent, ...json({ first_message: 'Hi', reasoning_effort: null }) },
				{ ...ofAgent, updateFields: { first_message: 'Hello' }, options: { dryRun: true } },
			],
		},
		'call.get': {
			parameters: { ...ofCall, options: { include: ['summary', 'transcriptText'] } },
			check: ([shown]) => {
				assert.equal(shown?.id, call.id);
				assert.equal(shown.summary, store.summaryOf(call));
				assert.ok(String(shown.transcript_text).includes(store.turnsOf(call)![0]!.text));
			},
			also: [ofCall, { ...ofCall, options: { include: ['transcript'] } }],
		},
		'call.getAll': {
			parameters: {
				...all,
				options: { include: ['detail', 'summary', 'transcript', 'transcriptText'] },
			},
			check: (output) => {
				hasEvery(ids(store.calls))(output);
				assert.ok(output.some(({ summary }) => typeof summary === 'string'));
				const said = JSON.stringify(output);
				for (const { text } of store.turnsOf(call)!) assert.ok(said.includes(text));
				const texts = output.map(({ transcript_text: text }) => String(text)).join();
				for (const { text } of store.turnsOf(call)!) assert.ok(texts.includes(text));
			},
			also: [
				{
					filters: { call_status: ['Completed'], created_after: longAgo },
					sort: { sort: 'created_at' },
				},
				{
					filters: { phone_number: call.phone_number },
					sort: { sortField: '-duration_seconds' },
				},
			],
		},
		'call.count': {
			parameters: { filters: { agent_id: locator(call.agent_id) } },
			check: ([found]) => {
				const own = store.calls.all().filter(({ agent_id: id }) => id === call.agent_id);
				assert.deepEqual(found, { count: own.length, method: 'counted' });
			},
			also: [
				{},
				{ filters: { call_status: ['Completed'], created_after: longAgo } },
				{ filters: { created_before: '2100-01-01T00:00:00Z', phone_number: call.phone_number } },
			],
		},
		'contact.count': {
			parameters: { options: { search: String(contact.first_name) } },
			check: isCount(
				store.contacts.all().filter(({ first_name: name }) => name === contact.first_name).length,
			),
			also: [{}],
		},
		'contactList.countContacts': {
			parameters: ofList,
			check: isCount(store.members.get(contactList.id)!.size),
		},
		'item.count': {
			parameters: { filters: { fieldFilters: { filter: [{ name: 'sku', value: item.sku }] } } },
			check: isCount(1),
			also: [{}],
		},
		'order.count': {
			parameters: {},
			check: isCount(store.orders.all().length),
			also: [{ filters: { status: 'pending', period: 'thisQuarter' } }],
		},
		'call.getStatistics': {
			parameters: {
				...always,
				filters: { agent_id: locator(call.agent_id) },
				options: { transfers: true },
			},
			check: ([totals]) => {
				const own = store.calls.all().filter(({ agent_id: id }) => id === call.agent_id);
				assert.equal(totals?.calls, own.length);
				assert.equal(
					totals?.transferred,
					own.filter(({ transfer_time: time }) => time !== null).length,
				);
			},
			also: [
				{
					...{ ...always, compare: true },
					options: {
						billing: { values: { pricePerMinute: 0.15 } },
						...{ differences: true, shares: true },
					},
				},
				{ period: 'thisQuarter', groupBy: 'week', filters: { call_status: ['Completed'] } },
				{ ...always, groupBy: 'agent' },
				{ ...always, groupBy: 'provider', filters: { phone_number: call.phone_number } },
				{ period: 'last30Days', groupBy: 'weekday' },
			],
		},
		'call.check': {
			parameters: { ...ofCall, checks: { agentMustSay: 'Trattoria Aurora' } },
			check: ([verdict]) => {
				assert.equal(verdict?.failed_checks, '');
				assert.equal(verdict?.passed, true);
			},
			also: [
				{
					...ofCall,
					checks: {
						agentMustNotSay: 'I do not know',
						callerMustSay: 'no such words',
						expectedStatus: 'Completed',
						maxSeconds: 9999,
						minSeconds: 1,
						summaryMustContain: 'caller',
					},
				},
			],
		},
		'call.getSummary': {
			parameters: ofCall,
			check: ([summary]) => assert.equal(summary?.summary, store.summaryOf(call)),
		},
		'call.getTranscript': {
			parameters: ofCall,
			check: (output) => {
				const said = JSON.stringify(output);
				for (const { text } of store.turnsOf(call)!) assert.ok(said.includes(text));
			},
			also: ['text', 'textFile', 'markdown'].map((format) => ({ ...ofCall, format })),
		},
		'order.get': { parameters: { order_id: locator(pending.id) }, check: isRecord(pending.id) },
		'order.getAll': {
			parameters: all,
			check: hasEvery(ids(store.orders)),
			also: [
				{
					filters: { status: 'pending', created_after: longAgo },
					sort: { sort: '-total_amount' },
				},
				{ options: { include: ['lineItems'] } },
				{ options: { splitIntoLineItems: true } },
			],
		},
		'order.getStatistics': {
			parameters: always,
			check: ([totals]) => {
				const orders = store.orders.all();
				assert.equal(totals?.orders, orders.length);
				assert.equal(totals?.currency, 'EUR');
				const refused = orders.filter(({ status }) => status === 'refused').length;
				assert.equal(totals?.refused, refused);
			},
			also: [
				{ ...always, groupBy: 'item' },
				{ ...always, groupBy: 'reason' },
				{ ...always, groupBy: 'status', options: { revenueStatuses: ['completed'] } },
				{ period: 'last7Days', groupBy: 'day', compare: true, options: { differences: true } },
			],
		},
		'agentTool.get': {
			parameters: { ...ofAgent, tool: 'end-the-call' },
			check: ([tool]) => assert.equal(typeof tool?.enabled, 'boolean'),
			also: ['make-reservation', 'place-order', 'transfer-to-operator', 'transfer-to-phone'].map(
				(tool) => ({ ...ofAgent, tool }),
			),
		},
		'agentTool.getAll': {
			parameters: { ...ofAgent, ...all },
			check: (output) => assert.ok(output.length > 1),
		},
		'agentTool.update': {
			parameters: {
				...ofAgent,
				tool: 'transfer-to-phone',
				...json({ phone_number: '+39 06 1234 5678' }),
			},
			check: ([tool]) => assert.equal(tool?.phone_number, '+390612345678'),
			also: [
				{ ...ofAgent, tool: 'make-reservation', ...json({ reminder: { sms: false } }) },
				{ ...ofAgent, tool: 'place-order', ...json({ require_confirmation: true }) },
				{ ...ofAgent, tool: 'transfer-to-operator', ...json({ business_hours_only: true }) },
			],
		},
		'apiRequest.send': {
			parameters: { method: 'GET', path: '/contacts', allPages: true },
			check: hasEvery(ids(store.contacts)),
			also: [{ method: 'GET', path: '/orders', response: 'json' }],
		},
		'call.waitForCompletion': {
			parameters: ofCall,
			check: ([outcome]) => {
				assert.equal(outcome?.result, 'ended');
				assert.equal(String((outcome.call as IDataObject).id), call.id);
			},
			also: [{ ...ofCall, waitAtMost: 0, waitFor: ['summary', 'transcript'] }],
		},
		'campaign.waitForCompletion': {
			parameters: { campaign_id: locator(campaign('completed').id), waitAtMost: 0 },
			check: ([outcome]) => {
				assert.match(String(outcome?.result), /finished|underWay/);
				assert.equal(String((outcome?.campaign as IDataObject).id), campaign('completed').id);
			},
		},
		'campaign.get': {
			parameters: { campaign_id: locator(campaign('running').id) },
			check: isRecord(campaign('running').id),
		},
		'campaign.getAll': {
			parameters: { ...all, filters: { status: 'running', search: campaign('running').name } },
			check: (output) => assert.ok(output.every(({ status }) => status === 'running')),
		},
		'campaign.getStats': {
			parameters: { campaign_id: locator(campaign('running').id) },
			check: ([stats]) => assert.equal(stats?.campaign_id, campaign('running').id),
		},
		...Object.fromEntries(
			[
				['pause', 'running', 'paused'],
				['resume', 'paused', 'running'],
				['start', 'draft', 'running'],
				['stop', 'running', 'stopped'],
			].map(([name, from, to]) => [
				`campaign.${name}`,
				{
					parameters: { campaign_id: locator(campaign(from!).id) },
					check: () => assert.equal(store.campaigns.get(campaign(from!).id)?.status, to),
				},
			]),
		),
		'catalogue.create': {
			parameters: mapped({ name: 'Autumn menu', description: 'From October' }),
			check: ([created]) =>
				assert.equal(store.catalogues.get(String(created?.id))?.name, 'Autumn menu'),
		},
		'catalogue.delete': {
			parameters: ofCatalogue,
			check: (output) => {
				assert.deepEqual(output, [{ deleted: true }]);
				assert.equal(store.catalogues.get(catalogue.id), undefined);
			},
		},
		'catalogue.get': { parameters: ofCatalogue, check: isRecord(catalogue.id) },
		'catalogue.getAll': {
			parameters: { ...all, filters: { search: catalogue.name }, sort: { sort: '-name' } },
			check: (output) => assert.ok(output.some(({ id }) => id === catalogue.id)),
		},
		'catalogue.update': {
			parameters: { ...ofCatalogue, ...mapped({ name: 'Renamed' }) },
			check: () => {
				const { name, description } = store.catalogues.get(catalogue.id)!;
				assert.deepEqual(
					{ name, description },
					{ name: 'Renamed', description: catalogue.description },
				);
			},
		},
		'contact.create': {
			parameters: mapped({ phone_number: '+39 347 000 1111', first_name: 'Ada' }),
			check: ([created]) => assert.equal(created?.phone_number, '+393470001111'),
		},
		'contact.delete': {
			parameters: { contact: locator(contact.id) },
			check: () => assert.equal(store.contacts.get(contact.id), undefined),
			also: [{ contact: locator(otherContact.phone_number, 'phone') }],
		},
		'contact.get': {
			parameters: { contact: locator(contact.phone_number, 'phone') },
			check: isRecord(contact.id),
			also: [{ contact: locator(contact.id) }],
		},
		'contact.getAll': {
			parameters: {
				...all,
				filterType: 'conditions',
				combine: '&',
				conditions: {
					condition: [{ field: 'phone_number', operator: 'equals', value: contact.phone_number }],
				},
				sort: { sort: '-created_at' },
			},
			check: isRecord(contact.id),
			also: [{ ...all, filterType: 'none', options: { search: String(contact.first_name) } }],
		},
		'contact.update': {
			parameters: { contact: locator(contact.id), ...json({ email: 'ada@example.com' }) },
			check: () => {
				const { email, first_name: name } = store.contacts.get(contact.id)!;
				assert.deepEqual({ email, name }, { email: 'ada@example.com', name: contact.first_name });
			},
			also: [
				{ contact: locator(contact.phone_number, 'phone'), ...json({ notes: 'Called back' }) },
				{ contact: locator(contact.id), clearFields: ['secondary_phone_number'] },
			],
		},
		'contact.upsert': {
			parameters: { phone_number: '+393470002222', ...json({ first_name: 'Grace' }) },
			check: ([created]) => assert.equal(created?.first_name, 'Grace'),
			also: [
				{
					phone_number: contact.phone_number,
					...json({ first_name: 'Grace' }),
					clearFields: ['secondary_phone_number'],
				},
			],
		},
		'contactList.addContacts': {
			parameters: {
				...ofList,
				contact_ids: '={{ $json.id }}',
				phone_numbers: '+393470003333',
				auto_create: true,
			},
			items: [{ id: contact.id }, { id: otherContact.id }],
			check: (output) => {
				assert.equal(output.length, 1);
				assert.ok(store.members.get(contactList.id)?.has(contact.id));
				assert.ok(store.members.get(contactList.id)?.has(otherContact.id));
			},
		},
		'contactList.get': { parameters: ofList, check: isRecord(contactList.id) },
		'contactList.getAll': {
			parameters: { ...all, filters: { search: contactList.name } },
			check: (output) => assert.ok(output.some(({ id }) => id === contactList.id)),
		},
		'contactList.getContacts': {
			parameters: { ...all, ...ofList },
			check: hasEvery([...store.members.get(contactList.id)!]),
		},
		'contactList.removeContacts': {
			parameters: { ...ofList, contact_ids: member },
			check: () => assert.ok(!store.members.get(contactList.id)?.has(member)),
		},
		'contactList.sync': {
			parameters: { ...ofList, contact_ids: '={{ $json.id }}', options: { auto_create: true } },
			items: [{ id: contact.id }, { id: otherContact.id }],
			check: (output) => {
				assert.equal(output.length, 1);
				const members = [...store.members.get(contactList.id)!];
				assert.deepEqual(members.sort(), [contact.id, otherContact.id].sort());
			},
			also: [{ ...ofList, phone_numbers: contact.phone_number, options: { dryRun: true } }],
		},
		'event.approve': {
			parameters: ofEvent,
			check: () => assert.equal(store.events.get(event('pending').id)?.status, 'approved'),
		},
		'event.confirm': {
			parameters: { ...ofEvent, options: { method: 'POST' } },
			check: () => assert.equal(store.events.get(event('pending').id)?.status, 'confirmed'),
		},
		'event.delete': {
			parameters: ofEvent,
			check: (output) => assert.deepEqual(output, [{ deleted: true }]),
		},
		'event.get': { parameters: ofEvent, check: isRecord(event('pending').id) },
		'event.getAll': {
			parameters: all,
			check: hasEvery(ids(store.events)),
			also: [
				{ ...all, group: true },
				{ ...all, group: true, filters: { from: longAgo, until: '2100-01-01' } },
				{ filters: { status: 'Pending, approved' } },
			],
		},
		'event.reject': {
			parameters: ofEvent,
			check: () => assert.equal(store.events.get(event('pending').id)?.status, 'rejected'),
		},
		'event.update': {
			parameters: { ...ofEvent, ...json({ title: 'Table for four', extras: { seats: 4 } }) },
			check: () => {
				const { title, extras } = store.events.get(event('pending').id)!;
				assert.equal(title, 'Table for four');
				assert.deepEqual(extras, { ...event('pending').extras, seats: 4 });
			},
			also: [{ ...ofEvent, clearFields: ['description'] }],
		},
		'health.check': { parameters: {}, check: ([health]) => assert.equal(health?.status, 'ok') },
		'item.assign': {
			parameters: { items: item.id, ...ofCatalogue },
			check: () => assert.equal(store.items.get(item.id)?.catalogue_id, catalogue.id),
		},
		'item.create': {
			parameters: {
				...ofCatalogue,
				...mapped({
					name: 'Tiramisù',
					description: 'With coffee',
					price: 6.5,
					currency: 'EUR',
					quantity: 12,
					category: 'Desserts',
				}),
			},
			check: ([created]) => assert.equal(created?.catalogue_id, catalogue.id),
		},
		'item.delete': {
			parameters: ofItem,
			check: () => assert.equal(store.items.get(item.id), undefined),
		},
		'item.get': { parameters: ofItem, check: isRecord(item.id) },
		'item.getAll': {
			parameters: {
				...all,
				filters: {
					search: item.name,
					fieldFilters: { filter: [{ name: 'sku', value: item.sku }] },
				},
				sort: { sort: '-price' },
			},
			check: isRecord(item.id),
		},
		'item.unassign': {
			parameters: { items: item.id },
			check: () => assert.equal(store.items.get(item.id)?.catalogue_id, null),
		},
		'item.upsert': {
			parameters: { sku: item.sku, ...json({ price: 8.5 }) },
			check: (output, emulator) => {
				isRecord(item.id)(output);
				assert.equal(emulator.store.items.get(item.id)?.price, 8.5);
				assert.equal(emulator.store.items.get(item.id)?.name, item.name);
			},
		},
		'item.update': {
			parameters: { ...ofItem, ...json({ price: 9.9 }) },
			check: () => {
				const { price, name } = store.items.get(item.id)!;
				assert.deepEqual({ price, name }, { price: 9.9, name: item.name });
			},
			also: [{ ...ofItem, clearFields: ['category'] }],
		},
		'order.update': {
			parameters: {
				order_id: locator(pending.id),
				updateFields: { status: 'refused', status_reason: 'Out of stock' },
			},
			check: (_output, emulator) => {
				assert.equal(emulator.store.orders.get(pending.id)?.status, 'refused');
			},
		},
		'playground.makeTestCall': {
			parameters: { agent_id: locator(outbound.id), phone_number: [...store.verifiedNumbers][0]! },
			check: ([call]) => {
				assert.equal(call?.task_id, store.testCalls[0]?.task_id);
				assert.equal(store.testCalls.length, 1);
			},
			also: [
				{
					agent_id: locator(outbound.id),
					phone_number: [...store.verifiedNumbers][0]!,
					waitForResult: true,
					placeCalls: 'oneAfterAnother',
					waitAtMost: 0,
					waitFor: ['summary'],
					checks: {
						agentMustNotSay: 'y',
						agentMustSay: 'x',
						callerMustSay: 'x',
						expectedStatus: 'Busy',
						maxSeconds: 90,
						minSeconds: 1,
						summaryMustContain: 'x',
					},
				},
			],
		},
		'portalAccess.get': {
			parameters: { portal: 'realEstate' },
			check: ([decision]) => assert.equal(typeof decision?.operational_access, 'boolean'),
		},
		'report.create': {
			parameters: {
				...october,
				title: 'Aurora',
				sections: ['keyFigures', 'callsByAgent', 'orders', 'wallet'],
				options: { language: 'de', accent: '#1b7f5c' },
			},
			check: ([report]) => {
				const { html, text, figures } = report as Record<string, any>;
				const { length } = store.calls
					.all()
					.filter(({ created_at }) => String(created_at).startsWith('2026-10'));
				assert.equal(figures.keyFigures[0].calls, length);
				assert.match(text, new RegExp(`Anrufe: ${length}\\b`));
				assert.match(html, /^<!DOCTYPE html>/);
			},
			also: [
				{ period: 'lastQuarter', compare: false, sections: ['callsByDay', 'busiestHours'] },
				{ ...october, options: { agent_id: locator(call.agent_id) } },
			],
		},
		'usage.get': {
			parameters: {},
			check: ([usage]) => assert.equal(usage?.minutes_included, store.usage?.minutes_included),
		},
		'wallet.get': {
			parameters: {},
			check: ([wallet]) => assert.equal(wallet?.balance, store.wallet.balance),
		},
		'wallet.getStatistics': {
			parameters: always,
			check: ([totals]) => assert.equal(totals?.transactions, store.transactions.all().length),
			also: [
				{ period: 'lastMonth', groupBy: 'day', compare: true, options: { differences: true } },
			],
		},
		'wallet.getTransactions': {
			parameters: { ...all, filters: { transaction_type: 'CONSUME' } },
			check: (output) => {
				assert.ok(output.every(({ transaction_type: type }) => type === 'CONSUME'));
			},
			also: [{ filters: { created_after: longAgo } }],
		},
	};
}

/**
 * Runs an operation's sample in n8n's own engine, then its other parameters.
 * @param over added to the parameters of each run
 */
export async function* runSample(
	emulator: Emulator,
	name: string,
	over: INodeParameters = {},
): AsyncGenerator<NodeResult> {
	const { parameters: first, also = [], items = [{}] } = samplesFor(emulator)[name]!;
	const [resource, operation] = name.split('.') as [string, string];
	for (const parameters of [first, ...also]) {
		yield await runNode({
			parameters: { resource, operation, ...parameters, ...over },
			credentials: { ykVoiceApi: { baseUrl: emulator.url, apiKey: emulator.keys.all } },
			items: items.map((json) => ({ json })),
		});
	}
}

// The texts that each parameter must refuse. test/contract/input.test.ts tries them with every operation.

/** Bad values. `undefined` is what an expression gives that finds nothing. */
export const NOTHING = [undefined];
export const NOT_TEXT = [{ a: 1 }, ['a', { b: 2 }], ...NOTHING];
export const NOT_IDS = ['..', '../x', '%2e%2e', 'a/../b', '\ud800', 1.5, ...NOT_TEXT];
export const NOT_UUIDS = ['not-a-uuid', '3f2b8c1e', 7, ...NOT_IDS];
const NOT_PHONES = ['letters', '+12', '0612345678', '+390612345678 ext. 5', ...NOT_TEXT];
const NOT_PATHS = [
	'',
	'contacts',
	'https://example.com/x',
	'//example.com/x',
	'/a/../b',
	'/a/%2e%2E/b',
	'/a%2fb',
	'/a?b=1',
	'/a#b',
	'/a b',
	'/a\\b',
	...NOT_TEXT,
];
export const BLANK = ['', ' \n '];

/**
 * The texts that a parameter refuses, by its path. With `resource.operation.` in front, the entry is only
 * for that operation.
 */
export const TEXTS: Readonly<Record<string, unknown[]>> = {
	binaryPropertyName: [...BLANK, ...NOT_TEXT],
	'conditions.condition.field': [...BLANK, 'a&b', 'a==b', 'two words', ...NOT_TEXT],
	'conditions.condition.value': [...BLANK, 'a&b', 'a|b', ...NOT_TEXT],
	contact_ids: NOT_UUIDS,
	filter: [...BLANK, ...NOT_TEXT],
	'filters.phone_number': ['', ...NOT_PHONES],
	'filters.transcriptContains': [...BLANK, '?!', ...NOT_TEXT],
	'filters.fieldFilters.filter.name': [...BLANK, ...NOT_TEXT],
	'filters.fieldFilters.filter.value': [...BLANK, ...NOT_TEXT],
	items: ['', ...NOT_IDS],
	'options.binaryPropertyName': [...BLANK, ...NOT_TEXT],
	'options.inputFields': [...BLANK, ...NOT_TEXT],
	'options.logo': [
		'http://a.example/logo.png',
		'logo.png',
		'https://',
		'https://u:p@a.example/',
		...NOT_TEXT,
	],
	path: NOT_PATHS,
	phone_number: ['', ...NOT_PHONES],
	sku: [...BLANK, ...NOT_TEXT],
	phone_numbers: NOT_PHONES,
	'query.parameter.name': [...BLANK, ...NOT_TEXT],
	'formFields.field.name': [...BLANK, ...NOT_TEXT],
	'formFiles.file.field': [...BLANK, ...NOT_TEXT],
	'formFiles.file.name': [...BLANK, ...NOT_TEXT],
	'headers.header.name': ['Authorization', 'Host', 'a b', ...BLANK, ...NOT_TEXT],
	'headers.header.value': ['a\nb', 'x'.repeat(4001)],
	inputField: [...BLANK, ...NOT_TEXT],
	'updateFields.beta_backend': [...BLANK, ...NOT_TEXT],
	'updateFields.conversation_style.style.custom_note': ['x'.repeat(501), ...NOT_TEXT],
	'updateFields.first_message': ['x'.repeat(1001), ...NOT_TEXT],
	'updateFields.live_conversation_settings.settings.pronunciations.pronunciation.say_as': [
		...BLANK,
		'x'.repeat(121),
		...NOT_TEXT,
	],
	'updateFields.live_conversation_settings.settings.pronunciations.pronunciation.term': [
		...BLANK,
		'x'.repeat(61),
		...NOT_TEXT,
	],
	'updateFields.prompt_instructions': ['x'.repeat(20_001), ...NOT_TEXT],
	'updateFields.status_reason': [...BLANK, ...NOT_TEXT],
	'checks.agentMustNotSay': [true, { a: 1 }, ['a', { b: 2 }]],
	'checks.agentMustSay': [true, { a: 1 }, ['a', { b: 2 }]],
	'checks.callerMustSay': [true, { a: 1 }, ['a', { b: 2 }]],
	'checks.summaryMustContain': [true, { a: 1 }, ['a', { b: 2 }]],
};

/** Parameters that take any text, and why. */
export const FREE_TEXTS: Readonly<Record<string, string>> = {
	'filters.search': 'a search for anything; blank searches nothing',
	'filters.status': 'the states of campaigns are not shown; blank filters nothing',
	'options.footer': 'a text of the report; blank is none',
	'options.intro': 'a text of the report; blank is none',
	title: 'a text of the report; blank is the usual title',
	'options.search': 'a search for anything; blank searches nothing',
	'sort.sortField': 'the fields to sort calls by are not shown; blank sorts nothing',
	'sort.sort': 'the fields to sort by are not shown; blank sorts nothing',
	'formFields.field.value': 'whatever the other endpoint takes',
	'query.parameter.value': 'whatever the other endpoint takes',
	'updateFields.notes': 'notes are free, and may be blank',
};

/** Valid values for the other parameters of a group whose defaults are not valid. */
export const NEIGHBOURS: Readonly<Record<string, INodeParameters>> = {
	'conditions.condition': { field: 'first_name', value: 'Ann' },
	'filters.fieldFilters.filter': { name: 'category', value: 'Drinks' },
	'query.parameter': { name: 'search', value: 'Ann' },
	'formFields.field': { name: 'title', value: 'Menu' },
	'formFiles.file': { name: 'file', field: 'data' },
	'headers.header': { name: 'X-Note', value: 'new' },
	'updateFields.live_conversation_settings.settings': { pronunciation_list: 'keep' },
	'updateFields.live_conversation_settings.settings.pronunciations.pronunciation': {
		term: 'Aurora',
		say_as: 'ow-ROH-rah',
	},
	'updateFields.live_conversation_settings': {},
};
