import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterEach, describe, expect, test } from 'vitest';

import { startEmulator, type Emulator, type EmulatorOptions } from '../emulator/index.ts';
import { loadOptions, runNode, type NodeRun } from '../support/harness.ts';
import { locator } from '../support/samples.ts';

// The defects that an independent check found, by their numbers in issue 11. Those of single
// schemas are held by the unit tests of schemas and records.

let emulator: Emulator;

afterEach(async () => await emulator.close());

const start = async (options: EmulatorOptions = {}) => {
	emulator = await startEmulator({ data: 'small', ...options });
	return emulator;
};

const credentials = () => ({
	ykVoiceApi: { apiKey: emulator.keys.all, baseUrl: emulator.url },
});

const run = async (name: string, parameters: INodeParameters = {}, rest: Partial<NodeRun> = {}) => {
	const [resource, operation] = name.split('.') as [string, string];
	return await runNode({
		parameters: { resource, operation, ...parameters },
		credentials: credentials(),
		...rest,
	});
};

const jsonOf = (record: object): INodeParameters => ({
	specifyFields: 'json',
	json: JSON.stringify(record),
});

describe('1: API Request with All Pages reads groups to the end of the list', () => {
	test.each<EmulatorOptions['readings']>([
		{ events: 'list of groups' },
		{ events: 'list of groups', pageCap: 'every list', metaLimit: 'used' },
		{ events: 'list of groups', pageCap: 'every list', meta: 'absent' },
		{ events: 'list of groups', eventsLimit: 'groups', pageCap: 'every list' },
		{ events: 'object by date' },
		{ events: 'flat', pageCap: 'every list' },
	])('%j', async (readings) => {
		await start({ readings });
		const wanted = emulator.store.events.all().map(({ id }) => String(id));
		const { json, error } = await run('apiRequest.send', {
			method: 'GET',
			path: '/events',
			allPages: true,
		});
		expect(error?.message).toBeUndefined();
		const found = json.flatMap((one) =>
			'id' in one ? [one] : (Object.values(one).find(Array.isArray) as IDataObject[]),
		);
		expect(found.map(({ id }) => String(id)).sort()).toEqual(wanted.sort());
	});
});

test('2: created_after keeps what is finer than a millisecond', async () => {
	await start();
	const created_after = '2026-01-31T09:00:00.123456+02:00';
	await run('call.getAll', { filters: { created_after } });
	expect(emulator.requests[0]?.query.created_after).toBe('2026-01-31T07:00:00.123456Z');
});

describe('3: an empty text', () => {
	test('of a sheet’s cell is not sent', async () => {
		await start();
		await run(
			'item.create',
			{
				record: {
					mappingMode: 'defineBelow',
					value: { name: 'Tea', sku: '={{ $json.sku }}', price: '={{ $json.price }}' },
					schema: [],
				} as INodeParameters,
			},
			{ items: [{ json: { sku: '', price: '' } }] },
		);
		expect(emulator.requests[0]?.body).toEqual({ name: 'Tea' });
	});

	test('of a number in JSON is not sent, and one that is required is refused', async () => {
		await start();
		await run('item.create', jsonOf({ name: 'Tea', sku: '', price: '', description: '' }));
		expect(emulator.requests[0]?.body).toEqual({ name: 'Tea', description: '' });
		const { error } = await run('contact.create', jsonOf({ phone_number: '', first_name: 'Ann' }));
		expect(error?.message).toContain('must have a value for phone_number');
		expect(emulator.requests).toHaveLength(1);
	});
});

test.each(['null', 'empty'] as const)(
	'4: the transcript of a call with nothing in it: %s',
	async (noTranscript) => {
		await start({ readings: { noTranscript } });
		const { id } = emulator.store.addCall({ transcript: null } as never);
		const { json, error } = await run('call.getTranscript', { call_id: locator(id) });
		expect(error?.message).toBeUndefined();
		expect(json).toMatchObject([{ call_id: id }]);
	},
);

test('5: a 401 of an OAuth2 credential without a refresh token is told in the words of the API', async () => {
	const { url: baseUrl } = await start();
	const token = { access_token: 'token_that_is_none' };
	const { error } = await run(
		'agent.getAll',
		{ authentication: 'oAuth2' },
		{ credentials: { ykVoiceOAuth2Api: { baseUrl, oauthTokenData: token } } },
	);
	expect(error?.message).toMatch(/^Agent: Get Many: 401 AUTHENTICATION_FAILED/);
	expect(error?.description).toMatch(/Reconnect the OAuth2 credential/);
	expect(error?.httpCode).toBe('401');
	expect(emulator.requests.length).toBe(1);
});

test('6: blanks and unseen marks around what is searched for are not sent', async () => {
	await start();
	await run('contact.getAll', { options: { search: ' Ann\u200b ' } });
	await run('campaign.getAll', { filters: { status: ' running ' } });
	await run('agent.getVoices', { filters: { model_name: locator('\u00a0zeta') } });
	const sent = emulator.requests.map(({ query }) => query).filter(({ offset }) => !Number(offset));
	expect(sent).toMatchObject([{ search: 'Ann' }, { status: 'running' }, { model_name: 'zeta' }]);
});

test.each(['10', '12:10', '1788264'])('7: %s is no date', async (created_after) => {
	await start();
	const { error } = await run('call.getAll', { filters: { created_after } });
	expect(error?.message).toMatch(/must be a date and time/);
	expect(emulator.requests).toEqual([]);
});

test('8: a field and one inside it are both sent', async () => {
	await start();
	const { id } = emulator.store.events.all()[0]!;
	await run('event.update', {
		event_id: locator(id),
		record: {
			mappingMode: 'defineBelow',
			value: { 'extras.guests': 2, extras: '{"note":"x"}' },
			schema: [],
		} as INodeParameters,
	});
	expect(emulator.requests[0]?.body).toEqual({ extras: { note: 'x', guests: 2 } });
});

test('9: a value of a condition cannot change its operator', async () => {
	await start();
	const condition = [{ field: 'age', operator: 'greater', value: '={{ "=5" }}' }];
	const { error } = await run('contact.getAll', {
		filterType: 'conditions',
		conditions: { condition },
	});
	expect(error?.message).toMatch(/must not begin with =/);
	expect(emulator.requests).toEqual([]);
});

test('10: a test call without a field is not placed', async () => {
	await start();
	const { error } = await run('playground.makeTestCall', jsonOf({}));
	expect(error?.message).toMatch(/.JSON. must have at least one field/);
	expect(emulator.requests).toEqual([]);
});

test('11: a decision holds for 60 seconds at the most', async () => {
	await start({ readings: { validUntil: 'far ahead' } });
	const { json } = await run('portalAccess.get', { portal: 'food' });
	expect(json[0]?.valid_for_seconds).toBeLessThanOrEqual(60);
	expect(json[0]?.valid_for_seconds).toBeGreaterThan(50);
});

test('12: advice on moves is given to those who moved', async () => {
	await start();
	const { id } = emulator.store.orders.all()[0]!;
	const adviceFor = async (updateFields: INodeParameters) => {
		emulator.faults.add({ kind: 'status', status: 400 });
		return (await run('order.update', { order_id: locator(id), updateFields })).error?.description;
	};
	expect(await adviceFor({ notes: 'x' })).not.toMatch(/pending to confirmed/);
	expect(await adviceFor({ status: 'confirmed' })).toMatch(/pending to confirmed/);
});

test('13: taking out secrets leaves the advice, and the names of fields', async () => {
	await start();
	const error = { code: 'DENIED', message: 'yk_message is no key', details: { yk_message: 'x' } };
	emulator.faults.add({ kind: 'status', status: 401, body: { ok: false, error } });
	const failed = await run(
		'wallet.get',
		{},
		{ credentials: { ykVoiceApi: { apiKey: 'yk_message', baseUrl: emulator.url } } },
	);
	expect(failed.error?.message).toContain('[secret] is no key');
	expect(failed.error?.description).toMatch(/begins with yk_.*"yk_message":"x"/);
});

describe('a failed item', () => {
	test('has the status, the code and the details beside the message', async () => {
		await start();
		const { json } = await run(
			'order.get',
			{ order_id: locator('={{ $json.id }}') },
			{
				node: { onError: 'continueRegularOutput' },
				items: [{ json: { id: '00000000-0000-4000-8000-000000000000' } }],
			},
		);
		expect(json).toMatchObject([
			{ error: expect.stringContaining('404'), status: 404, code: 'NOT_FOUND' },
		]);
	});

	test('names all the mistakes of its input', async () => {
		await start();
		const { error } = await run('agent.update', {
			agent_id: locator('={{ "x" }}'),
			updateFields: { ai_provider: locator('={{ " " }}') },
		});
		expect(error?.message).toMatch(/.Agent. must be a UUID.*Model. is empty: choose a model/);
		const list = await run('call.getAll', { limit: 0, filters: { created_after: '10' } });
		expect(list.error?.message).toMatch(/Created After. must be a date.*.Limit. must be/);
		expect(emulator.requests).toEqual([]);
	});
});

describe('a record that was read', () => {
	test('can be changed and handed back', async () => {
		await start({ readings: { readOnly: 'refused' } });
		const { id } = emulator.store.catalogues.all()[0]!;
		const { json } = await run('catalogue.get', { catalogue_id: locator(id) });
		const { error } = await run('catalogue.update', {
			catalogue_id: locator(id),
			...jsonOf({ ...json[0], name: 'New' }),
		});
		expect(error?.message).toBeUndefined();
		expect(emulator.store.catalogues.get(id)?.name).toBe('New');
	});

	test('of an agent shows what was changed', async () => {
		await start();
		const { id } = emulator.store.agents.all()[0]!;
		const { json } = await run('agent.update', {
			agent_id: locator(id),
			updateFields: { live_reasoning_effort: 'high' },
			simplify: true,
		});
		expect(json[0]).toMatchObject({ id, live_reasoning_effort: 'high' });
	});
});

test.each(['/v1/wallet', '/external/v1/wallet', '\u200b/wallet '])(
	'the path %j is the one below the base URL',
	async (path) => {
		await start();
		const { error } = await run('apiRequest.send', { method: 'GET', path });
		expect(error?.message).toBeUndefined();
		expect(emulator.requests[0]?.path).toBe('/wallet');
	},
);

describe('a limit', () => {
	test.each<EmulatorOptions['readings']>([
		{ pageCap: 'every list' },
		{ pageCap: 'every list', meta: 'absent' },
		{ pageCap: 'every list', meta: 'text', metaLimit: 'used' },
	])('is reached where the server serves few at a time: %j', async (readings) => {
		await start({ data: 'empty', readings });
		emulator.store.fill({ calls: 30 });
		const limited = await run('call.getAll', { limit: 20 });
		expect(limited.json).toHaveLength(20);
		const all = await run('call.getAll', { returnAll: true });
		expect(new Set(all.json.map(({ id }) => id)).size).toBe(30);
		const { results } = await loadOptions<{ results: unknown[] }>('listSearch', 'searchCalls', {
			credentials: credentials(),
		});
		expect(results.length).toBeGreaterThanOrEqual(20);
	});
});

describe.each(['whole number', 'prefixed', 'encoded'] as const)('IDs: %s', (ids) => {
	test('a record is read, and found by an ID that was pasted', async () => {
		await start({ readings: { ids } });
		const id = String(emulator.store.orders.all()[0]!.id);
		const { json, error } = await run('order.get', { order_id: locator(id) });
		expect(error?.message).toBeUndefined();
		expect(String(json[0]?.id)).toBe(id);
		const { results } = await loadOptions<{ results: Array<{ value: unknown }> }>(
			'listSearch',
			'searchContactLists',
			{ credentials: credentials(), filter: String(emulator.store.contactLists.all()[0]!.id) },
		);
		expect(results.map(({ value }) => String(value))).toContain(
			String(emulator.store.contactLists.all()[0]!.id),
		);
	});
});

test('IDs that are numbers stay numbers where they are picked and sent, and text stays text', async () => {
	await start({ readings: { ids: 'whole number' } });
	const { results } = await loadOptions<{ results: Array<{ value: unknown }> }>(
		'listSearch',
		'searchCatalogues',
		{ credentials: credentials() },
	);
	const picked = results[0]?.value as number;
	expect(typeof picked).toBe('number');
	const ids = emulator.store.items.all().map(({ id }) => Number(id));
	const [one, other] = [ids[0]!, ids[1]!];
	const before = emulator.requests.length;
	await run('item.assign', {
		items: `={{ [${one}, "${other}", ${one}] }}`,
		catalogue_id: locator(picked),
	});
	await run('item.assign', { items: `${one}, ${other}`, catalogue_id: locator(String(picked)) });
	await run('item.create', {
		catalogue_id: locator(picked),
		...jsonOf({ name: 'Tea', catalogue_id: picked }),
	});
	await run('item.create', { catalogue_id: locator(2 ** 53), ...jsonOf({ name: 'Tea' }) });
	expect(emulator.requests.slice(before).map(({ body }) => body)).toEqual([
		{ item_ids: [one, String(other)], catalogue_id: picked },
		{ item_ids: [String(one), String(other)], catalogue_id: String(picked) },
		{ name: 'Tea', catalogue_id: picked },
	]);
});

test.each(['301 adds', '302 takes', '307 adds', '308 takes'] as const)(
	'a redirect by a slash is followed: %s',
	async (slash) => {
		await start({ readings: { slash } });
		const { json, error } = await run('agent.getAll', { returnAll: true });
		expect(error?.message).toBeUndefined();
		expect(json).toHaveLength(emulator.store.agents.size);
	},
);

test.each(['204 empty', '200 null', '200 empty', '202 null'] as const)(
	'a record that was deleted is: %s',
	async (deleted) => {
		await start({ readings: { deleted } });
		const { id } = emulator.store.catalogues.all()[0]!;
		const { json, error } = await run('catalogue.delete', { catalogue_id: locator(id) });
		expect(error?.message).toBeUndefined();
		expect(json).toEqual([{ deleted: true }]);
	},
);

test.each(['200 null', '200 empty', '204 empty'] as const)(
	'a change without a record is a success: %s',
	async (changed) => {
		await start({ readings: { changed } });
		const { id } = emulator.store.orders.all()[0]!;
		const { json, error } = await run('order.update', {
			order_id: locator(id),
			updateFields: { notes: 'Hi' },
		});
		expect(error?.message).toBeUndefined();
		expect(json).toEqual([{ success: true }]);
	},
);

test.each(['detail', 'errors', 'problem', 'html'] as const)(
	'what the server says in another form reaches the user: %s',
	async (refusal) => {
		await start({ readings: { refusal } });
		const { error } = await run('order.get', {
			order_id: locator('00000000-0000-4000-8000-000000000000'),
		});
		expect(`${error?.message} ${error?.description}`).toMatch(/not found/i);
	},
);
