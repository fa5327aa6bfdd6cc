import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';

import {
	accountForEachTest,
	agentOf,
	asJson as json,
	changeAccount,
	emulator,
	fail,
	sent,
	slowly,
	succeed,
} from '../support/account.ts';
import { locator } from '../support/samples.ts';

accountForEachTest({ data: 'small' });

const methods = () => emulator.requests.map(({ method }) => method);

const contact = () => emulator.store.contacts.all()[0]!;

/** A record for each operation, as the user chooses it. */
const RECORDS: Readonly<Record<string, () => INodeParameters>> = {
	'agent.update': () => ({ agent_id: locator(agentOf('inbound').id) }),
	'agentTool.update': () => ({
		agent_id: locator(agentOf('inbound').id),
		tool: 'make-reservation',
	}),
	'catalogue.update': () => ({ catalogue_id: locator(emulator.store.catalogues.all()[0]!.id) }),
	'contact.update': () => ({ contact: locator(contact().id) }),
	'event.update': () => ({ event_id: locator(emulator.store.events.all()[0]!.id) }),
	'item.update': () => ({ item_id: locator(emulator.store.items.all()[0]!.id) }),
	'apiRequest.send': () => ({ method: 'PUT', path: '/contacts/1' }),
};

describe('an update by PUT', () => {
	it.each<[name: string, change: object, required: () => object, lost: string]>([
		[
			'contact.update',
			{ email: 'new@example.com' },
			() => ({ phone_number: contact().phone_number }),
			'first_name',
		],
		['catalogue.update', { name: 'Renamed' }, () => ({}), 'description'],
		['item.update', { price: 1.5 }, () => ({ name: 'Renamed' }), 'category'],
	])(
		'%s keeps the fields it does not name, unless Keep Other Fields is off',
		async (name, change, required, lost) => {
			const { contacts, catalogues, items } = emulator.store;
			const tables = { contact: contacts, catalogue: catalogues, item: items };
			const table = tables[name.split('.')[0] as keyof typeof tables];
			const stored = () => ({ ...table.all()[0]! }) as unknown as IDataObject;
			const before = stored();
			await succeed(name, { ...RECORDS[name]!(), ...json(change) });
			expect(stored()).toEqual({ ...before, ...change, updated_at: stored().updated_at });
			expect(methods()).toEqual(['GET', 'PUT']);
			for (const own of ['id', 'created_at', 'updated_at', 'item_count'])
				expect(emulator.requests[1]?.body).not.toHaveProperty(own);
			const whole = { ...required(), ...change };
			expect(stored()[lost]).not.toBeNull();
			emulator.reset();
			await succeed(name, { ...RECORDS[name]!(), ...json(whole), keepUntouched: false });
			expect(emulator.requests).toMatchObject([{ method: 'PUT', body: whole }]);
			expect(stored()[lost]).toBeNull();
		},
	);

	it('is sent again without a field that only the API may set, and says so', async () => {
		await changeAccount({ data: 'small', readings: { readOnly: 'refused, revision' } });
		const { id, last_name } = contact();
		const change = json({ first_name: 'Ada' });
		const { hints } = await succeed('contact.update', { contact: locator(id), ...change });
		expect(methods()).toEqual(['GET', 'PUT', 'PUT']);
		expect(emulator.requests[2]?.body).not.toHaveProperty('revision');
		expect(contact()).toMatchObject({ first_name: 'Ada', last_name });
		expect(hints).toMatchObject([{ message: expect.stringContaining('revision') as string }]);
	});

	it('is sent again without an empty field that the API refuses', async () => {
		emulator.store.contacts.change(contact().id, { segment: null } as never);
		const error = { code: 'INVALID', message: 'no', details: ['segment'] };
		const match = ({ method }: { method: string }) => method === 'PUT';
		const body = { ok: false, error };
		emulator.faults.add({ kind: 'status', status: 400, body, match, times: 1 });
		const parameters = { contact: locator(contact().id), ...json({ first_name: 'Ada' }) };
		await succeed('contact.update', parameters);
		expect(methods()).toEqual(['GET', 'PUT', 'PUT']);
		expect(emulator.requests[2]?.body).not.toHaveProperty('segment');
	});

	it.each([
		['says a sentence', 'no', 'notes is too long, last_seen_at'],
		['names what somebody may have entered', 'unknown', ['points']],
	])('is not sent again if the API %s', async (_what, message, details) => {
		const set = { last_seen_at: '2026-01-02T03:04:05Z', points: 5 };
		emulator.store.contacts.change(contact().id, set as never);
		const body = { ok: false, error: { code: 'INVALID', message, details } };
		const match = ({ method }: { method: string }) => method === 'PUT';
		emulator.faults.add({ kind: 'status', status: 400, body, match });
		const parameters = { contact: locator(contact().id), ...json({ first_name: 'Ada' }) };
		const error = await fail('contact.update', parameters);
		expect(methods()).toEqual(['GET', 'PUT']);
		expect(error.message).toContain(message);
		expect(error.description).toContain("Turn 'Keep Other Fields' off");
	});
});

// Which fields are cleared: unit/record.
describe('an update by PATCH of an object in a record', () => {
	beforeEach(async () => {
		const readings = { patchObjects: 'replaces', toolConfig: 'wrapped' } as const;
		await changeAccount({ data: 'small', readings });
	});

	it('keeps the other extras of an event, and clears those that are named', async () => {
		const event = emulator.store.addEvent({ extras: { guests: 2, note: 'Window', child: true } });
		await succeed('event.update', {
			event_id: locator(event.id),
			...json({ extras: { guests: 4 } }),
			clearFields: ['extras.note'],
		});
		const extras = { guests: 4, note: null, child: true };
		expect(emulator.requests.at(-1)?.body).toEqual({ extras });
		expect(emulator.store.events.get(event.id)?.extras).toEqual(extras);
	});

	it('keeps what is inside an object of a tool, which the API wraps', async () => {
		const where = RECORDS['agentTool.update']!();
		const change = json({ max_party_size: 4, reminder: { hours_before: 5 } });
		const { json: output } = await succeed('agentTool.update', { ...where, ...change });
		const reminder = { sms: true, hours_before: 5 };
		expect(emulator.requests.at(-1)?.body).toEqual({ max_party_size: 4, reminder });
		expect(output).toMatchObject([{ max_party_size: 4, reminder }]);
		expect((await succeed('agentTool.get', where)).json).toMatchObject([{ reminder }]);
	});
});

it.each<[name: string, changes: object[]]>([
	['contact.update', [{ first_name: 'Ada' }, { last_name: 'Bell' }]],
	['event.update', [{ extras: { guests: 4 } }, { extras: { note: 'Window' } }]],
	['agentTool.update', [{ reminder: { sms: false } }, { reminder: { hours_before: 5 } }]],
])(
	'several items that update one record keep what the others changed, also with Parallel Writes: %s',
	async (name, changes) => {
		await changeAccount({ data: 'small', readings: { patchObjects: 'replaces' } });
		const parameters = {
			...RECORDS[name]!(),
			options: { writes: 5 },
			specifyFields: 'json',
			json: '={{ $json.change }}',
		};
		const items = changes.map((change) => ({ change }) as IDataObject);
		const { json: updated } = await succeed(name, parameters, items);
		for (const change of changes) expect(updated.at(-1)).toMatchObject(change);
	},
);

it.each<[name: string, parameters: (id: string) => INodeParameters]>([
	['order.update', (id) => ({ order_id: locator(id), updateFields: { notes: 'x' } })],
	['apiRequest.send', (id) => ({ method: 'PATCH', path: `/orders/${id}`, body: '{"notes":"x"}' })],
])('changes of one record take turns with Parallel Writes: %s', async (name, parameters) => {
	const { id } = emulator.store.orders.all()[0]!;
	const seen = slowly(() => 10);
	await succeed(name, { ...parameters(id), options: { writes: 5 } }, [{}, {}, {}]);
	expect([methods(), seen.most]).toEqual([['PATCH', 'PATCH', 'PATCH'], 1]);
});

it('keeps a custom field "constructor", which n8n’s HTTP client drops from an object', async () => {
	emulator.store.customFields.add('constructor');
	const { id } = emulator.store.addContact({ custom_fields: { constructor: 'Sol' } as never });
	await succeed('contact.update', { contact: locator(id), ...json({ first_name: 'Ada' }) });
	const { custom_fields: kept } = emulator.requests.at(-1)!.body as { custom_fields: object };
	expect(Object.entries(kept)).toEqual([['constructor', 'Sol']]);
});

describe('an expression without a value clears no field', () => {
	const byJson = (text: string) => ({ specifyFields: 'json', json: `={{ ${text} }}` });
	const mapped = {
		mappingMode: 'defineBelow',
		value: { price: '={{ Number($json.nothing) }}' },
		schema: [{ id: 'price', type: 'number' }],
	};

	it.each<[name: string, given: INodeParameters, lacking: string]>([
		['contact.update', byJson('{ notes: $json.nothing, first_name: "Ann" }'), 'notes'],
		['contact.update', byJson('{ custom_fields: { b: $json.x } }'), 'custom_fields.b'],
		['event.update', byJson('{ extras: { guests: Number($json.x) } }'), 'extras.guests'],
		['item.update', { record: mapped }, 'price'],
		['apiRequest.send', { body: '={{ { notes: $json.nothing } }}' }, 'notes'],
	])('in %s', async (name, given, lacking) => {
		const { message } = await fail(name, { ...RECORDS[name]!(), ...given });
		expect(message).toContain(`has a wrong value: ${lacking} has no value. Correct its`);
		expect(sent()).toEqual([]);
	});
});
