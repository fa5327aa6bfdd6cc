import assert from 'node:assert/strict';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { CalendarEvent, CampaignStatus, Contact, Emulator } from '../emulator/index.ts';
import { runNode, type NodeResult } from './harness.ts';

/** One run of one operation that must succeed, against the emulator's small data. */
export interface Sample {
	/** The parameters of a saved workflow, without resource and operation. */
	parameters: INodeParameters;
	/** The JSON of each input item. Default: one empty item. */
	items?: IDataObject[];
	/** Other parameters that must succeed too, such as those that reach other paths of the API. */
	also: INodeParameters[];
	/** Checks the output items and the account afterwards. */
	check(output: IDataObject[], emulator: Emulator): void;
}

export const locator = (value: unknown, mode = 'id'): INodeParameters => ({
	__rl: true,
	mode,
	value: value as string,
});

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

/** A record as the user enters it as JSON. */
export const asJson = (record: object): INodeParameters => ({
	specifyFields: 'json',
	json: JSON.stringify(record),
});

/** A resource mapper as the editor saves it. */
const mapped = (value: INodeParameters): INodeParameters => ({
	specifyFields: 'fields',
	record: { mappingMode: 'defineBelow', value, schema: [], matchingColumns: [] },
});

/** All checks that a call may have. */
const CHECKS: INodeParameters = {
	agentMustNotSay: 'I do not know',
	agentMustSay: 'x',
	callerMustSay: 'no such words',
	expectedStatus: 'Completed',
	maxSeconds: 9999,
	minSeconds: 1,
	summaryMustContain: 'caller',
};

/** The output is one item that has these fields. */
const shows = (fields: object) => (output: IDataObject[]) => {
	assert.equal(output.length, 1);
	assert.partialDeepStrictEqual(output[0], fields);
};

/** The output has exactly these records. */
const showsAll = (ids: string[]) => (output: IDataObject[]) =>
	assert.deepEqual(output.map(({ id }) => id).sort(), ids.toSorted());

/** The output has this record, maybe among others. */
const shown = (id: string) => (output: IDataObject[]) =>
	assert.ok(output.some((record) => record.id === id));

interface Table<Row extends { id: string }> {
	all(): Row[];
	get(id: string): Row | undefined;
}

/** The account has a record with these fields; undefined: it has no such record. */
const stored =
	<Row extends { id: string }>(table: Table<Row>, id: string, fields?: Partial<Row>) =>
	() =>
		fields
			? assert.partialDeepStrictEqual(table.get(id), fields)
			: assert.equal(table.get(id), undefined);

/** The samples, by `resource.operation`. Every operation has exactly one. */
export function samplesFor({ store }: Emulator): Record<string, Sample> {
	const agent = store.agents.find(({ agent_type: type }) => type === 'inbound')!;
	const live = store.agents.find(({ conversation_style: style }) => style !== null)!;
	const outbound = store.agents.find(({ agent_type: type }) => type === 'outbound')!;
	const [contact, otherContact] = store.contacts.all() as [Contact, Contact];
	const contactList = store.contactLists.all().find(({ id }) => store.members.get(id)?.size)!;
	const members = () => [...store.members.get(contactList.id)!];
	const [member] = members();
	const catalogue = store.catalogues.all()[0]!;
	const item = store.items.all()[0]!;
	const campaign = (status: string) => store.campaigns.find((one) => one.status === status)!;
	const event = store.events.find(({ status }) => status === 'pending')!;
	const call = store.calls.find(({ call_status: status }) => status === 'Completed')!;
	const pending = store.orders.find(({ status }) => status === 'pending')!;
	const [voice] = store.voices;
	const callsOfAgent = store.calls.all().filter(({ agent_id: id }) => id === call.agent_id);
	const ids = (table: Table<{ id: string }>) => table.all().map(({ id }) => id);
	/** Each turn of the call stands in the output. */
	const isSaid = (output: unknown[]) => {
		const said = JSON.stringify(output);
		for (const { text } of store.turnsOf(call)!) assert.ok(said.includes(text));
	};

	/** What many operations ask for. n8n gives to each only the parameters that it shows. */
	const USUAL: INodeParameters = {
		agent_id: locator(agent.id),
		call_id: locator(call.id),
		catalogue_id: locator(catalogue.id),
		contact: locator(contact.id),
		contact_list_id: locator(contactList.id),
		event_id: locator(event.id),
		item_id: locator(item.id),
		order_id: locator(pending.id),
		voice_id: locator(voice!.id),
		returnAll: true,
	};
	/** @param also other parameters that must succeed too */
	const sample = (
		parameters: INodeParameters,
		check: Sample['check'],
		...also: INodeParameters[]
	): Sample => ({
		parameters: { ...USUAL, ...parameters },
		check,
		also: also.map((more) => ({ ...USUAL, ...more })),
	});
	const ofCampaign = (status: string) => ({ campaign_id: locator(campaign(status).id) });
	const movesCampaign = (from: string, status: CampaignStatus) =>
		sample(ofCampaign(from), stored(store.campaigns, campaign(from).id, { status }));
	const movesEvent = (status: CalendarEvent['status']) =>
		sample({}, stored(store.events, event.id, { status }));
	const byPhone = { contact: locator(contact.phone_number, 'phone') };
	const testCall = {
		agent_id: locator(outbound.id),
		phone_number: [...store.verifiedNumbers][0]!,
	};
	const namedContacts = [{ id: contact.id }, { id: otherContact.id }];

	return {
		'agent.get': sample({}, shows({ id: agent.id })),
		'agent.getAll': sample({}, showsAll(ids(store.agents)), {
			filters: { agent_type: 'outbound' },
		}),
		'agent.getModels': sample({}, ({ length }) => assert.equal(length, store.models.length)),
		'agent.getVoices': sample({ filters: { model_name: locator('base') } }, (output) => {
			assert.ok(output.length > 0);
			assert.ok(output.every(({ ai_provider: provider }) => provider === 'base'));
		}),
		'agent.getVoicePreview': sample({}, shows({ id: voice!.id })),
		'agent.update': sample(
			{
				updateFields: { prompt_instructions: 'Be brief.', beta_backend: 'backend_studio' },
				clearFields: ['first_message'],
			},
			(output) => {
				shows({ prompt_instructions: 'Be brief.', beta_backend: 'backend_studio' })(output);
				stored(store.agents, agent.id, { first_message: null })();
			},
			{
				agent_id: locator(live.id),
				updateFields: {
					conversation_style: { style: { tone: 'direct' } },
					live_conversation_settings: { settings: { pauses: 'patient' } },
				},
			},
			asJson({ first_message: 'Hi', reasoning_effort: null }),
			{ updateFields: { first_message: 'Hello' }, options: { dryRun: true } },
		),
		'call.get': sample(
			{ options: { include: ['summary', 'transcriptText'] } },
			(output) => {
				shows({ id: call.id, summary: store.summaryOf(call) })(output);
				isSaid(output.map(({ transcript_text: text }) => text));
			},
			{},
			{ options: { include: ['transcript'] } },
		),
		'call.getAll': sample(
			{ options: { include: ['detail', 'summary', 'transcript', 'transcriptText'] } },
			(output) => {
				showsAll(ids(store.calls))(output);
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
			shows({ count: callsOfAgent.length, method: 'counted' }),
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
			shows({ calls: callsOfAgent.length }),
			{
				...always,
				compare: true,
				options: {
					billing: { values: { pricePerMinute: 0.15 } },
					differences: true,
					shares: true,
				},
			},
			{ period: 'thisQuarter', groupBy: 'week', filters: { call_status: ['Completed'] } },
			{ ...always, groupBy: 'agent' },
			{ ...always, groupBy: 'direction', filters: { direction: 'outbound' } },
			{ ...always, groupBy: 'provider', filters: { phone_number: call.phone_number } },
			{ period: 'last30Days', groupBy: 'weekday' },
		),
		'call.check': sample(
			{ checks: { agentMustSay: 'Trattoria Aurora' } },
			shows({ failed_checks: '', passed: true }),
			{ checks: CHECKS },
		),
		'call.getSummary': sample({}, shows({ summary: store.summaryOf(call) })),
		'call.getTranscript': sample(
			{},
			isSaid,
			...['text', 'textFile', 'markdown'].map((format) => ({ format })),
		),
		'call.waitForCompletion': sample({}, shows({ result: 'ended', call: { id: call.id } }), {
			waitAtMost: 0,
			waitFor: ['summary', 'transcript'],
		}),
		'order.get': sample({}, shows({ id: pending.id })),
		'order.getAll': sample(
			{},
			showsAll(ids(store.orders)),
			{
				filters: { status: 'pending', created_after: longAgo },
				sort: { sort: '-total_amount' },
			},
			{ options: { include: ['lineItems'] } },
			{ options: { splitIntoLineItems: true } },
		),
		'order.count': sample({}, shows({ count: store.orders.size }), {
			filters: { status: 'pending', period: 'thisQuarter' },
		}),
		'order.getStatistics': sample(
			always,
			shows({ orders: store.orders.size }),
			{ ...always, groupBy: 'item' },
			{ ...always, groupBy: 'reason' },
			{ ...always, groupBy: 'status', options: { revenueStatuses: ['completed'] } },
			{ period: 'last7Days', groupBy: 'day', compare: true, options: { differences: true } },
		),
		'order.update': sample(
			{ updateFields: { status: 'refused', status_reason: 'Out of stock' } },
			stored(store.orders, pending.id, { status: 'refused' }),
		),
		'agentTool.get': sample(
			{ tool: 'end-the-call' },
			([tool]) => assert.equal(typeof tool?.enabled, 'boolean'),
			...['make-reservation', 'place-order', 'transfer-to-operator', 'transfer-to-phone'].map(
				(tool) => ({ tool }),
			),
		),
		'agentTool.getAll': sample({}, ({ length }) => assert.ok(length > 1)),
		'agentTool.update': sample(
			{ tool: 'transfer-to-phone', ...asJson({ phone_number: '+39 06 1234 5678' }) },
			shows({ phone_number: '+390612345678' }),
			{ tool: 'make-reservation', ...asJson({ reminder: { sms: false } }) },
			{ tool: 'place-order', ...asJson({ require_confirmation: true }) },
			{ tool: 'transfer-to-operator', ...asJson({ business_hours_only: true }) },
		),
		'apiRequest.send': sample(
			{ method: 'GET', path: '/contacts', allPages: true },
			showsAll(ids(store.contacts)),
			{ method: 'GET', path: '/orders', response: 'json' },
		),
		'campaign.waitForCompletion': sample(
			{ ...ofCampaign('completed'), waitAtMost: 0 },
			([outcome]) => {
				assert.match(String(outcome?.result), /finished|underWay/);
				assert.equal((outcome?.campaign as IDataObject).id, campaign('completed').id);
			},
		),
		'campaign.get': sample(ofCampaign('running'), shows({ id: campaign('running').id })),
		'campaign.getAll': sample(
			{ filters: { status: 'running', search: campaign('running').name } },
			(output) => assert.ok(output.every(({ status }) => status === 'running')),
		),
		'campaign.getStats': sample(
			ofCampaign('running'),
			shows({ campaign_id: campaign('running').id }),
		),
		'campaign.pause': movesCampaign('running', 'paused'),
		'campaign.resume': movesCampaign('paused', 'running'),
		'campaign.start': movesCampaign('draft', 'running'),
		'campaign.stop': movesCampaign('running', 'stopped'),
		'catalogue.create': sample(
			mapped({ name: 'Autumn menu', description: 'From October' }),
			([created]) => stored(store.catalogues, String(created?.id), { name: 'Autumn menu' })(),
		),
		'catalogue.delete': sample({}, (output) => {
			assert.deepEqual(output, [{ deleted: true }]);
			stored(store.catalogues, catalogue.id)();
		}),
		'catalogue.get': sample({}, shows({ id: catalogue.id })),
		'catalogue.getAll': sample(
			{ filters: { search: catalogue.name }, sort: { sort: '-name' } },
			shown(catalogue.id),
		),
		'catalogue.update': sample(
			mapped({ name: 'Renamed' }),
			stored(store.catalogues, catalogue.id, {
				name: 'Renamed',
				description: catalogue.description,
			}),
		),
		'contact.count': sample(
			{ options: { search: String(contact.first_name) } },
			shows({
				count: store.contacts.all().filter(({ first_name: name }) => name === contact.first_name)
					.length,
			}),
			{},
		),
		'contact.create': sample(
			mapped({ phone_number: '+39 347 000 1111', first_name: 'Ada' }),
			shows({ phone_number: '+393470001111' }),
		),
		'contact.delete': sample({}, stored(store.contacts, contact.id), {
			contact: locator(otherContact.phone_number, 'phone'),
		}),
		'contact.get': sample(byPhone, shows({ id: contact.id }), {}),
		'contact.getAll': sample(
			{
				filterType: 'conditions',
				combine: '&',
				conditions: {
					condition: [{ field: 'phone_number', operator: 'equals', value: contact.phone_number }],
				},
				sort: { sort: '-created_at' },
			},
			shows({ id: contact.id }),
			{ filterType: 'none', options: { search: String(contact.first_name) } },
		),
		'contact.update': sample(
			asJson({ email: 'ada@example.com' }),
			stored(store.contacts, contact.id, {
				email: 'ada@example.com',
				first_name: contact.first_name,
			}),
			{ ...byPhone, ...asJson({ notes: 'Called back' }) },
			{ clearFields: ['secondary_phone_number'] },
		),
		'contact.upsert': sample(
			{ phone_number: '+393470002222', ...asJson({ first_name: 'Grace' }) },
			shows({ first_name: 'Grace' }),
			{
				phone_number: contact.phone_number,
				...asJson({ first_name: 'Grace' }),
				clearFields: ['secondary_phone_number'],
			},
		),
		'contactList.addContacts': {
			...sample(
				{ contact_ids: '={{ $json.id }}', phone_numbers: '+393470003333', auto_create: true },
				({ length }) => {
					assert.equal(length, 1);
					for (const { id } of namedContacts) assert.ok(members().includes(id));
				},
			),
			items: namedContacts,
		},
		'contactList.countContacts': sample({}, shows({ count: members().length })),
		'contactList.get': sample({}, shows({ id: contactList.id })),
		'contactList.getAll': sample({ filters: { search: contactList.name } }, shown(contactList.id)),
		'contactList.getContacts': sample({}, showsAll(members())),
		'contactList.removeContacts': sample({ contact_ids: member! }, () =>
			assert.ok(!members().includes(member!)),
		),
		'contactList.sync': {
			...sample(
				{ contact_ids: '={{ $json.id }}', options: { auto_create: true } },
				({ length }) => {
					assert.equal(length, 1);
					assert.deepEqual(members().sort(), namedContacts.map(({ id }) => id).sort());
				},
				{ phone_numbers: contact.phone_number, options: { dryRun: true } },
			),
			items: namedContacts,
		},
		'event.approve': movesEvent('approved'),
		'event.confirm': movesEvent('confirmed'),
		'event.reject': movesEvent('rejected'),
		'event.delete': sample({}, (output) => assert.deepEqual(output, [{ deleted: true }])),
		'event.get': sample({}, shows({ id: event.id })),
		'event.getAll': sample(
			{},
			showsAll(ids(store.events)),
			{ group: true },
			{ group: true, filters: { from: longAgo, until: '2100-01-01' } },
			{ filters: { status: 'Pending, approved' } },
		),
		'event.update': sample(
			asJson({ title: 'Table for four', extras: { seats: 4 } }),
			stored(store.events, event.id, {
				title: 'Table for four',
				extras: { ...event.extras, seats: 4 },
			}),
			{ clearFields: ['description'] },
		),
		'health.check': sample({}, shows({ status: 'ok' })),
		'item.assign': sample(
			{ items: item.id },
			stored(store.items, item.id, { catalogue_id: catalogue.id }),
		),
		'item.count': sample(
			{ filters: { fieldFilters: { filter: [{ name: 'sku', value: item.sku }] } } },
			shows({ count: 1 }),
			{},
		),
		'item.create': sample(
			mapped({
				name: 'Tiramisù',
				description: 'With coffee',
				price: 6.5,
				currency: 'EUR',
				quantity: 12,
				category: 'Desserts',
			}),
			shows({ catalogue_id: catalogue.id }),
		),
		'item.delete': sample({}, stored(store.items, item.id)),
		'item.get': sample({}, shows({ id: item.id })),
		'item.getAll': sample(
			{
				sort: { sort: '-price' },
				filters: {
					search: item.name,
					fieldFilters: { filter: [{ name: 'sku', value: item.sku }] },
				},
			},
			shows({ id: item.id }),
		),
		'item.unassign': sample(
			{ items: item.id },
			stored(store.items, item.id, { catalogue_id: null }),
		),
		'item.upsert': sample({ sku: item.sku, ...asJson({ price: 8.5 }) }, (output) => {
			shows({ id: item.id })(output);
			stored(store.items, item.id, { price: 8.5, name: item.name })();
		}),
		'item.update': sample(
			asJson({ price: 9.9 }),
			stored(store.items, item.id, { price: 9.9, name: item.name }),
			{ clearFields: ['category'] },
		),
		'playground.makeTestCall': sample(
			testCall,
			([placed]) => {
				assert.equal(placed?.task_id, store.testCalls[0]?.task_id);
				assert.equal(store.testCalls.length, 1);
			},
			{
				...testCall,
				waitForResult: true,
				placeCalls: 'oneAfterAnother',
				waitAtMost: 0,
				waitFor: ['summary'],
				checks: CHECKS,
			},
		),
		'portalAccess.get': sample({ portal: 'realEstate' }, ([decision]) =>
			assert.equal(typeof decision?.operational_access, 'boolean'),
		),
		'report.create': sample(
			{
				...october,
				title: 'Aurora',
				sections: ['keyFigures', 'callsByAgent', 'orders', 'wallet'],
				options: { language: 'de', accent: '#1b7f5c' },
			},
			(output) => {
				const isOfOctober = ({ created_at: at }: { created_at: string }) =>
					at.startsWith('2026-10');
				const { length } = store.calls.all().filter(isOfOctober);
				shows({ figures: { keyFigures: [{ calls: length }] } })(output);
			},
			{ period: 'lastQuarter', compare: false, sections: ['callsByDay', 'busiestHours'] },
			{ ...october, options: { agent_id: locator(call.agent_id) } },
		),
		'usage.get': sample({}, shows({ minutes_included: store.usage?.minutes_included })),
		'wallet.get': sample({}, shows({ balance: store.wallet.balance })),
		'wallet.getStatistics': sample(always, shows({ transactions: store.transactions.size }), {
			period: 'lastMonth',
			groupBy: 'day',
			compare: true,
			options: { differences: true },
		}),
		'wallet.getTransactions': sample(
			{ filters: { transaction_type: 'CONSUME' } },
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
export const BLANK = ['', ' \n '];

/** The texts that a parameter refuses, by its path, if they are not what is blank and what is no text. */
export const TEXTS: Readonly<Record<string, unknown[]>> = {
	'conditions.condition.field': [...BLANK, 'a&b', 'a==b', 'two words', ...NOT_TEXT],
	'conditions.condition.value': [...BLANK, 'a&b', 'a|b', ...NOT_TEXT],
	contact_ids: NOT_UUIDS,
	'filters.phone_number': ['', ...NOT_PHONES],
	'filters.transcriptContains': [...BLANK, '?!', 'x'.repeat(1001), ...NOT_TEXT],
	items: ['', ...NOT_IDS],
	'options.billing.values.currency': ['€', 'Euro', ...NOT_TEXT],
	'options.billing.values.pricePerMinute': ['0', '-1', '0,15', 'many', ...NOT_TEXT],
	'options.logo': ['http://a.example/logo.png', 'logo.png', 'https://u:p@a.example/', ...NOT_TEXT],
	// The others: unit/path.
	path: ['', 'contacts', 'https://example.com/x', '/a/%2e%2E/b', '/a?b=1', ...NOT_TEXT],
	phone_number: ['', ...NOT_PHONES],
	phone_numbers: NOT_PHONES,
	'headers.header.name': [
		'authorization ',
		'Host',
		'content-length',
		'X\r\nA',
		...BLANK,
		...NOT_TEXT,
	],
	'headers.header.value': ['a\nb', '\u0000', 'ü', 'x'.repeat(4001)],
	'updateFields.conversation_style.style.custom_note': ['x'.repeat(501), ...NOT_TEXT],
	'updateFields.first_message': ['x'.repeat(1001), ...NOT_TEXT],
	'updateFields.prompt_instructions': ['x'.repeat(20_001), ...NOT_TEXT],
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
