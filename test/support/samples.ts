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

/** @param also other parameters that must succeed too */
const sample = (
	parameters: INodeParameters,
	check: Sample['check'],
	...also: INodeParameters[]
): Sample => ({ parameters, check, also });

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
export const october: INodeParameters = {
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
	assert.equal(output.length, 1);
	assert.equal(output[0]?.count, expected);
};

const has = (id: string) => (output: IDataObject[]) =>
	assert.ok(output.some((record) => record.id === id));

/** All checks that a call may have. */
const CHECKS: INodeParameters = {
	...{ agentMustNotSay: 'I do not know', agentMustSay: 'x', callerMustSay: 'no such words' },
	...{ expectedStatus: 'Completed', maxSeconds: 9999, minSeconds: 1, summaryMustContain: 'caller' },
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
	const ofContact = { contact: locator(contact.id) };
	const ofCampaign = (status: string) => ({ campaign_id: locator(campaign(status).id) });
	const testCall = {
		agent_id: locator(outbound.id),
		phone_number: [...store.verifiedNumbers][0]!,
	};
	const callsOfAgent = store.calls.all().filter(({ agent_id: id }) => id === call.agent_id);
	/** Each turn of the call stands in the output. */
	const isSaid = (output: unknown[]) => {
		const said = JSON.stringify(output);
		for (const { text } of store.turnsOf(call)!) assert.ok(said.includes(text));
	};
	const ids = (table: { all(): Array<{ id: string }> }) => table.all().map(({ id }) => id);

	return {
		'agent.get': sample(
			ofAgent,
			isRecord(agent.id),
			{ ...ofAgent, simplify: false },
			{ ...ofAgent, options: { settingsOnly: true } },
		),
		'agent.getAll': sample(all, hasEvery(ids(store.agents)), {
			filters: { agent_type: 'outbound' },
		}),
		'agent.getModels': sample(all, (output) => assert.equal(output.length, store.models.length)),
		'agent.getVoices': sample({ ...all, filters: { model_name: locator('base') } }, (output) => {
			assert.ok(output.length > 0);
			assert.ok(output.every(({ ai_provider: provider }) => provider === 'base'));
		}),
		'agent.getVoicePreview': sample(
			{ voice_id: locator(store.voices[0]!.id) },
			isRecord(store.voices[0]!.id),
		),
		'agent.update': sample(
			{
				...ofAgent,
				updateFields: { prompt_instructions: 'Be brief.', beta_backend: 'backend_studio' },
				clearFields: ['first_message'],
			},
			([output], emulator) => {
				assert.equal(output?.prompt_instructions, 'Be brief.');
				assert.equal(output.beta_backend, 'backend_studio');
				assert.equal(emulator.store.agents.get(agent.id)?.first_message, null);
			},
			{
				agent_id: locator(live.id),
				updateFields: {
					conversation_style: { style: { tone: 'direct' } },
					live_conversation_settings: { settings: { pauses: 'patient' } },
				},
			},
			{ ...ofAgent, ...json({ first_message: 'Hi', reasoning_effort: null }) },
			{ ...ofAgent, updateFields: { first_message: 'Hello' }, options: { dryRun: true } },
		),
		'call.get': sample(
			{ ...ofCall, options: { include: ['summary', 'transcriptText'] } },
			([shown]) => {
				assert.equal(shown?.id, call.id);
				assert.equal(shown.summary, store.summaryOf(call));
				assert.ok(String(shown.transcript_text).includes(store.turnsOf(call)![0]!.text));
			},
			ofCall,
			{ ...ofCall, options: { include: ['transcript'] } },
		),
		'call.getAll': sample(
			{ ...all, options: { include: ['detail', 'summary', 'transcript', 'transcriptText'] } },
			(output) => {
				hasEvery(ids(store.calls))(output);
				assert.ok(output.some(({ summary }) => typeof summary === 'string'));
				isSaid(output);
				isSaid(output.map(({ transcript_text: text }) => text));
			},
			{
				filters: { call_status: ['Completed'], created_after: longAgo },
				sort: { sort: 'created_at' },
			},
			{ filters: { phone_number: call.phone_number }, sort: { sortField: '-duration_seconds' } },
		),
		'call.count': sample(
			{ filters: { agent_id: locator(call.agent_id) } },
			([found]) => assert.deepEqual(found, { count: callsOfAgent.length, method: 'counted' }),
			{},
			{ filters: { call_status: ['Completed'], created_after: longAgo } },
			{ filters: { created_before: '2100-01-01T00:00:00Z', phone_number: call.phone_number } },
		),
		'call.getStatistics': sample(
			{
				...always,
				filters: { agent_id: locator(call.agent_id) },
				options: { transfers: true },
			},
			([totals]) => {
				const transferred = callsOfAgent.filter(({ transfer_time: time }) => time !== null);
				assert.equal(totals?.calls, callsOfAgent.length);
				assert.equal(totals?.transferred, transferred.length);
			},
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
		),
		'call.check': sample(
			{ ...ofCall, checks: { agentMustSay: 'Trattoria Aurora' } },
			([verdict]) => {
				assert.equal(verdict?.failed_checks, '');
				assert.equal(verdict?.passed, true);
			},
			{ ...ofCall, checks: CHECKS },
		),
		'call.getSummary': sample(ofCall, ([summary]) =>
			assert.equal(summary?.summary, store.summaryOf(call)),
		),
		'call.getTranscript': sample(
			ofCall,
			isSaid,
			...['text', 'textFile', 'markdown'].map((format) => ({ ...ofCall, format })),
		),
		'call.waitForCompletion': sample(
			ofCall,
			([outcome]) => {
				assert.equal(outcome?.result, 'ended');
				assert.equal(String((outcome.call as IDataObject).id), call.id);
			},
			{ ...ofCall, waitAtMost: 0, waitFor: ['summary', 'transcript'] },
		),
		'order.get': sample({ order_id: locator(pending.id) }, isRecord(pending.id)),
		'order.getAll': sample(
			all,
			hasEvery(ids(store.orders)),
			{
				filters: { status: 'pending', created_after: longAgo },
				sort: { sort: '-total_amount' },
			},
			{ options: { include: ['lineItems'] } },
			{ options: { splitIntoLineItems: true } },
		),
		'order.count': sample({}, isCount(store.orders.size), {
			filters: { status: 'pending', period: 'thisQuarter' },
		}),
		'order.getStatistics': sample(
			always,
			([totals], { readings }) => {
				const refused = store.orders.all().filter(({ status }) => status === 'refused');
				assert.equal(totals?.orders, store.orders.size);
				// The reference does not say that an order names its currency.
				assert.equal(totals?.currency, readings.names === 'ours' ? 'EUR' : undefined);
				assert.equal(totals?.refused, refused.length);
			},
			{ ...always, groupBy: 'item' },
			{ ...always, groupBy: 'reason' },
			{ ...always, groupBy: 'status', options: { revenueStatuses: ['completed'] } },
			{ period: 'last7Days', groupBy: 'day', compare: true, options: { differences: true } },
		),
		'order.update': sample(
			{
				order_id: locator(pending.id),
				updateFields: { status: 'refused', status_reason: 'Out of stock' },
			},
			(_output, emulator) => assert.equal(emulator.store.orders.get(pending.id)?.status, 'refused'),
		),
		'agentTool.get': sample(
			{ ...ofAgent, tool: 'end-the-call' },
			([tool]) => assert.equal(typeof tool?.enabled, 'boolean'),
			...['make-reservation', 'place-order', 'transfer-to-operator', 'transfer-to-phone'].map(
				(tool) => ({ ...ofAgent, tool }),
			),
		),
		'agentTool.getAll': sample({ ...ofAgent, ...all }, (output) => assert.ok(output.length > 1)),
		'agentTool.update': sample(
			{ ...ofAgent, tool: 'transfer-to-phone', ...json({ phone_number: '+39 06 1234 5678' }) },
			([tool]) => assert.equal(tool?.phone_number, '+390612345678'),
			{ ...ofAgent, tool: 'make-reservation', ...json({ reminder: { sms: false } }) },
			{ ...ofAgent, tool: 'place-order', ...json({ require_confirmation: true }) },
			{ ...ofAgent, tool: 'transfer-to-operator', ...json({ business_hours_only: true }) },
		),
		'apiRequest.send': sample(
			{ method: 'GET', path: '/contacts', allPages: true },
			hasEvery(ids(store.contacts)),
			{ method: 'GET', path: '/orders', response: 'json' },
		),
		'campaign.waitForCompletion': sample(
			{ campaign_id: locator(campaign('completed').id), waitAtMost: 0 },
			([outcome]) => {
				assert.match(String(outcome?.result), /finished|underWay/);
				assert.equal(String((outcome?.campaign as IDataObject).id), campaign('completed').id);
			},
		),
		'campaign.get': sample(ofCampaign('running'), isRecord(campaign('running').id)),
		'campaign.getAll': sample(
			{ ...all, filters: { status: 'running', search: campaign('running').name } },
			(output) => assert.ok(output.every(({ status }) => status === 'running')),
		),
		'campaign.getStats': sample(ofCampaign('running'), ([stats]) =>
			assert.equal(stats?.campaign_id, campaign('running').id),
		),
		...Object.fromEntries(
			[
				['pause', 'running', 'paused'],
				['resume', 'paused', 'running'],
				['start', 'draft', 'running'],
				['stop', 'running', 'stopped'],
			].map(([move, from, to]) => [
				`campaign.${move}`,
				sample(ofCampaign(from!), () =>
					assert.equal(store.campaigns.get(campaign(from!).id)?.status, to),
				),
			]),
		),
		'catalogue.create': sample(
			mapped({ name: 'Autumn menu', description: 'From October' }),
			([created]) => assert.equal(store.catalogues.get(String(created?.id))?.name, 'Autumn menu'),
		),
		'catalogue.delete': sample(ofCatalogue, (output) => {
			assert.deepEqual(output, [{ deleted: true }]);
			assert.equal(store.catalogues.get(catalogue.id), undefined);
		}),
		'catalogue.get': sample(ofCatalogue, isRecord(catalogue.id)),
		'catalogue.getAll': sample(
			{ ...all, filters: { search: catalogue.name }, sort: { sort: '-name' } },
			has(catalogue.id),
		),
		'catalogue.update': sample({ ...ofCatalogue, ...mapped({ name: 'Renamed' }) }, () => {
			const { name, description } = store.catalogues.get(catalogue.id)!;
			assert.deepEqual([name, description], ['Renamed', catalogue.description]);
		}),
		'contact.count': sample(
			{ options: { search: String(contact.first_name) } },
			isCount(
				store.contacts.all().filter(({ first_name: name }) => name === contact.first_name).length,
			),
			{},
		),
		'contact.create': sample(
			mapped({ phone_number: '+39 347 000 1111', first_name: 'Ada' }),
			([created]) => assert.equal(created?.phone_number, '+393470001111'),
		),
		'contact.delete': sample(
			ofContact,
			() => assert.equal(store.contacts.get(contact.id), undefined),
			{ contact: locator(otherContact.phone_number, 'phone') },
		),
		'contact.get': sample(
			{ contact: locator(contact.phone_number, 'phone') },
			isRecord(contact.id),
			ofContact,
		),
		'contact.getAll': sample(
			{
				...{ ...all, filterType: 'conditions', combine: '&' },
				conditions: {
					condition: [{ field: 'phone_number', operator: 'equals', value: contact.phone_number }],
				},
				sort: { sort: '-created_at' },
			},
			isRecord(contact.id),
			{ ...all, filterType: 'none', options: { search: String(contact.first_name) } },
		),
		'contact.update': sample(
			{ ...ofContact, ...json({ email: 'ada@example.com' }) },
			() => {
				const { email, first_name: name } = store.contacts.get(contact.id)!;
				assert.deepEqual([email, name], ['ada@example.com', contact.first_name]);
			},
			{ contact: locator(contact.phone_number, 'phone'), ...json({ notes: 'Called back' }) },
			{ ...ofContact, clearFields: ['secondary_phone_number'] },
		),
		'contact.upsert': sample(
			{ phone_number: '+393470002222', ...json({ first_name: 'Grace' }) },
			([created]) => assert.equal(created?.first_name, 'Grace'),
			{
				...{ phone_number: contact.phone_number, ...json({ first_name: 'Grace' }) },
				clearFields: ['secondary_phone_number'],
			},
		),
		'contactList.addContacts': {
			...sample(
				{
					...{ ...ofList, contact_ids: '={{ $json.id }}' },
					...{ phone_numbers: '+393470003333', auto_create: true },
				},
				(output) => {
					assert.equal(output.length, 1);
					assert.ok(store.members.get(contactList.id)?.has(contact.id));
					assert.ok(store.members.get(contactList.id)?.has(otherContact.id));
				},
			),
			items: [{ id: contact.id }, { id: otherContact.id }],
		},
		'contactList.countContacts': sample(ofList, isCount(store.members.get(contactList.id)!.size)),
		'contactList.get': sample(ofList, isRecord(contactList.id)),
		'contactList.getAll': sample(
			{ ...all, filters: { search: contactList.name } },
			has(contactList.id),
		),
		'contactList.getContacts': sample(
			{ ...all, ...ofList },
			hasEvery([...store.members.get(contactList.id)!]),
		),
		'contactList.removeContacts': sample({ ...ofList, contact_ids: member }, () =>
			assert.ok(!store.members.get(contactList.id)?.has(member)),
		),
		'contactList.sync': {
			...sample(
				{ ...ofList, contact_ids: '={{ $json.id }}', options: { auto_create: true } },
				(output) => {
					assert.equal(output.length, 1);
					const members = [...store.members.get(contactList.id)!];
					assert.deepEqual(members.sort(), [contact.id, otherContact.id].sort());
				},
				{ ...ofList, phone_numbers: contact.phone_number, options: { dryRun: true } },
			),
			items: [{ id: contact.id }, { id: otherContact.id }],
		},
		...Object.fromEntries(
			[
				['approve', 'approved'],
				['confirm', 'confirmed'],
				['reject', 'rejected'],
			].map(([move, to]) => [
				`event.${move}`,
				sample(ofEvent, () => assert.equal(store.events.get(event('pending').id)?.status, to)),
			]),
		),
		'event.delete': sample(ofEvent, (output) => assert.deepEqual(output, [{ deleted: true }])),
		'event.get': sample(ofEvent, isRecord(event('pending').id)),
		'event.getAll': sample(
			all,
			hasEvery(ids(store.events)),
			{ ...all, group: true },
			{ ...all, group: true, filters: { from: longAgo, until: '2100-01-01' } },
			{ filters: { status: 'Pending, approved' } },
		),
		'event.update': sample(
			{ ...ofEvent, ...json({ title: 'Table for four', extras: { seats: 4 } }) },
			() => {
				const { title, extras } = store.events.get(event('pending').id)!;
				assert.equal(title, 'Table for four');
				assert.deepEqual(extras, { ...event('pending').extras, seats: 4 });
			},
			{ ...ofEvent, clearFields: ['description'] },
		),
		'health.check': sample({}, ([health]) => assert.equal(health?.status, 'ok')),
		'item.assign': sample({ items: item.id, ...ofCatalogue }, () =>
			assert.equal(store.items.get(item.id)?.catalogue_id, catalogue.id),
		),
		'item.count': sample(
			{ filters: { fieldFilters: { filter: [{ name: 'sku', value: item.sku }] } } },
			isCount(1),
			{},
		),
		'item.create': sample(
			{
				...ofCatalogue,
				...mapped({
					...{ name: 'Tiramisù', description: 'With coffee', price: 6.5 },
					...{ currency: 'EUR', quantity: 12, category: 'Desserts' },
				}),
			},
			([created]) => assert.equal(created?.catalogue_id, catalogue.id),
		),
		'item.delete': sample(ofItem, () => assert.equal(store.items.get(item.id), undefined)),
		'item.get': sample(ofItem, isRecord(item.id)),
		'item.getAll': sample(
			{
				...{ ...all, sort: { sort: '-price' } },
				filters: {
					search: item.name,
					fieldFilters: { filter: [{ name: 'sku', value: item.sku }] },
				},
			},
			isRecord(item.id),
		),
		'item.unassign': sample({ items: item.id }, () =>
			assert.equal(store.items.get(item.id)?.catalogue_id, null),
		),
		'item.upsert': sample({ sku: item.sku, ...json({ price: 8.5 }) }, (output, emulator) => {
			isRecord(item.id)(output);
			const { price, name } = emulator.store.items.get(item.id)!;
			assert.deepEqual([price, name], [8.5, item.name]);
		}),
		'item.update': sample(
			{ ...ofItem, ...json({ price: 9.9 }) },
			() => {
				const { price, name } = store.items.get(item.id)!;
				assert.deepEqual([price, name], [9.9, item.name]);
			},
			{ ...ofItem, clearFields: ['category'] },
		),
		'playground.makeTestCall': sample(
			testCall,
			([placed]) => {
				assert.equal(placed?.task_id, store.testCalls[0]?.task_id);
				assert.equal(store.testCalls.length, 1);
			},
			{
				...{ ...testCall, waitForResult: true, placeCalls: 'oneAfterAnother' },
				...{ waitAtMost: 0, waitFor: ['summary'], checks: CHECKS },
			},
		),
		'portalAccess.get': sample({ portal: 'realEstate' }, ([decision]) =>
			assert.equal(typeof decision?.operational_access, 'boolean'),
		),
		'report.create': sample(
			{
				...{ ...october, title: 'Aurora' },
				sections: ['keyFigures', 'callsByAgent', 'orders', 'wallet'],
				options: { language: 'de', accent: '#1b7f5c' },
			},
			([report]) => {
				const { html, text, figures } = report as Record<string, any>;
				const isOfOctober = ({ created_at }: { created_at: string }) =>
					created_at.startsWith('2026-10');
				const { length } = store.calls.all().filter(isOfOctober);
				assert.equal(figures.keyFigures[0].calls, length);
				assert.match(text, new RegExp(`Anrufe: ${length}\\b`));
				assert.match(html, /^<!DOCTYPE html>/);
			},
			{ period: 'lastQuarter', compare: false, sections: ['callsByDay', 'busiestHours'] },
			{ ...october, options: { agent_id: locator(call.agent_id) } },
		),
		'usage.get': sample({}, ([usage]) =>
			assert.equal(usage?.minutes_included, store.usage?.minutes_included),
		),
		'wallet.get': sample({}, ([wallet]) => assert.equal(wallet?.balance, store.wallet.balance)),
		'wallet.getStatistics': sample(
			always,
			([totals]) => assert.equal(totals?.transactions, store.transactions.size),
			{ period: 'lastMonth', groupBy: 'day', compare: true, options: { differences: true } },
		),
		'wallet.getTransactions': sample(
			{ ...all, filters: { transaction_type: 'CONSUME' } },
			(output) => assert.ok(output.every(({ transaction_type: type }) => type === 'CONSUME')),
			{ filters: { created_after: longAgo } },
		),
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
	'filters.transcriptContains': [...BLANK, '?!', 'x'.repeat(1001), ...NOT_TEXT],
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
	'headers.header.name': [
		...['Authorization', 'authorization ', 'Host', 'Content-Length', 'content-type', 'Expect'],
		...['Transfer-Encoding', 'Connection', 'Proxy-Authorization', 'X-HTTP-Method-Override'],
		...['X-Forwarded-Host', 'Forwarded', 'X-Original-URL', 'X\r\nAuthorization'],
		...['a b', 'a:b', 'ü', ...BLANK, ...NOT_TEXT],
	],
	'headers.header.value': ['a\nb', '\u0000', 'ü', 'x'.repeat(4001)],
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
