import type { INodeParameters } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startEmulator, type Emulator, type Fault } from '../emulator/index.ts';
import { runNode, type NodeRun } from '../support/harness.ts';
import { locator } from '../support/samples.ts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';

let emulator: Emulator;

beforeEach(async () => {
	emulator = await startEmulator();
});
afterEach(async () => await emulator.close());

async function run(
	parameters: INodeParameters,
	{ apiKey, ...rest }: Partial<NodeRun> & { apiKey?: string } = {},
) {
	return await runNode({
		parameters,
		credentials: { ykVoiceApi: { apiKey: apiKey ?? emulator.keys.all, baseUrl: emulator.url } },
		...rest,
	});
}

const agentId = () => emulator.store.agents.all()[0]!.id;

const updateAgent = (
	fields: object = { first_message: 'Hi' },
	id: unknown = agentId(),
): INodeParameters => ({
	resource: 'agent',
	operation: 'update',
	agent_id: locator(id),
	updateFields: fields as INodeParameters,
});

const send = (
	method: string,
	path: string,
	body: object = {},
	query: object = {},
): INodeParameters => ({
	resource: 'apiRequest',
	operation: 'send',
	method,
	path,
	...(method !== 'GET' && { body: JSON.stringify(body) }),
	query: {
		parameter: Object.entries(query).map(([name, value]) => ({ name, value })),
	} as INodeParameters,
});

const orderOf = (status: string) =>
	emulator.store.orders.find((order) => order.status === status)!.id;
const campaignOf = (status: string) =>
	emulator.store.campaigns.find((one) => one.status === status)!.id;
const fault = (fault: Fault) => emulator.faults.add(fault);

interface Row {
	what: string;
	/** What goes wrong; gives the operation that meets it. */
	provoke: () => INodeParameters;
	apiKey?: () => string;
	operation: string;
	/** Status and code as the message has them; null where the reference shows no code. */
	code: RegExp;
	httpCode: string;
	fix: RegExp;
}

// Each row of the reference's table "Errors", and each case that a row names.
const ROWS: Row[] = [
	{
		what: 'invalid data',
		provoke: () => updateAgent({ selected_voice: locator(NOWHERE) }),
		operation: 'Agent: Update',
		code: /400 INVALID_REQUEST: .*is unknown/,
		httpCode: '400',
		fix: /Correct the value.*Details from the API: /,
	},
	{
		what: 'an empty PATCH body',
		provoke: () => send('PATCH', `/agents/${agentId()}`),
		operation: 'API Request: Send',
		code: /400 INVALID_REQUEST/,
		httpCode: '400',
		fix: /Correct the value/,
	},
	{
		what: 'a read-only field in an agent PATCH',
		provoke: () => send('PATCH', `/agents/${agentId()}`, { agent_type: 'inbound' }),
		operation: 'API Request: Send',
		code: /400 INVALID_REQUEST: .*read-only/,
		httpCode: '400',
		fix: /Details from the API: agent_type/,
	},
	...['In Progress', 'Cancelled'].map((call_status) => ({
		what: `call_status ${call_status}`,
		provoke: () => send('GET', '/call-history', {}, { call_status }),
		operation: 'API Request: Send',
		code: /400 INVALID_REQUEST: call_status/,
		httpCode: '400',
		fix: /Correct the value/,
	})),
	{
		what: 'an invalid campaign move',
		provoke: () => ({
			resource: 'campaign',
			operation: 'start',
			campaign_id: locator(campaignOf('running')),
		}),
		operation: 'Campaign: Start',
		code: /400 INVALID_REQUEST: cannot start a campaign that is running/,
		httpCode: '400',
		fix: /in its current status/,
	},
	{
		what: 'refusing an order without a reason',
		provoke: () => send('PATCH', `/orders/${orderOf('pending')}`, { status: 'refused' }),
		operation: 'API Request: Send',
		code: /400 INVALID_REQUEST: .*status_reason/,
		httpCode: '400',
		fix: /Correct the value/,
	},
	{
		what: 'an impossible move of an order',
		provoke: () => ({
			resource: 'order',
			operation: 'update',
			order_id: locator(orderOf('completed')),
			updateFields: { status: 'confirmed' },
		}),
		operation: 'Order: Update',
		code: /400 INVALID_REQUEST/,
		httpCode: '400',
		fix: /from pending to confirmed or refused/,
	},
	{
		what: 'an invalid key',
		provoke: () => updateAgent(),
		apiKey: () => 'yk_of_nobody',
		operation: 'Agent: Update',
		code: /401 AUTHENTICATION_FAILED/,
		httpCode: '401',
		fix: /API key was not accepted.*begins with yk_/,
	},
	{
		what: 'a key revoked meanwhile',
		provoke: () => {
			fault({ kind: 'unauthorized' });
			return { resource: 'call', operation: 'getAll' };
		},
		operation: 'Call: Get Many',
		code: /401 AUTHENTICATION_FAILED: the API key was revoked/,
		httpCode: '401',
		fix: /may have been revoked/,
	},
	{
		what: 'a key that may not',
		provoke: () => updateAgent(),
		apiKey: () => emulator.keys.read,
		operation: 'Agent: Update',
		code: /403 INSUFFICIENT_PERMISSIONS/,
		httpCode: '403',
		fix: /This operation needs READ_WRITE\./,
	},
	{
		what: 'a missing record',
		provoke: () => updateAgent({ first_message: 'Hi' }, NOWHERE),
		operation: 'Agent: Update',
		code: /404 NOT_FOUND/,
		httpCode: '404',
		fix: /no such agent in this account/,
	},
	{
		what: 'another organization’s record',
		provoke: () => ({
			resource: 'agent',
			operation: 'get',
			agent_id: locator(emulator.otherStore.agents.all()[0]!.id),
		}),
		operation: 'Agent: Get',
		code: /404 NOT_FOUND/,
		httpCode: '404',
		fix: /no such record in this account/,
	},
	{
		what: 'no active plan',
		provoke: () => {
			emulator.store.usage = null;
			return { resource: 'usage', operation: 'get' };
		},
		operation: 'Usage: Get',
		code: /404 NOT_FOUND/,
		httpCode: '404',
		fix: /no active plan/,
	},
	{
		what: 'a conflict',
		provoke: () => {
			fault({ kind: 'status', status: 409, code: 'CONFLICT', message: 'changed meanwhile' });
			return updateAgent();
		},
		operation: 'Agent: Update',
		code: /409 CONFLICT: changed meanwhile/,
		httpCode: '409',
		fix: /conflicts with what is stored.*Read the agent/,
	},
	{
		what: 'a write failure',
		provoke: () => {
			fault({ kind: 'status', status: 500, code: 'WRITE_FAILED', message: 'not stored' });
			return updateAgent();
		},
		operation: 'Agent: Update',
		code: /500 WRITE_FAILED: not stored/,
		httpCode: '500',
		fix: /could not be stored.*Read it again/,
	},
	{
		what: 'a verification failure',
		provoke: () => {
			emulator.store.portalFailing = true;
			return { resource: 'portalAccess', operation: 'get', requestOptions: { maxWait: 0 } };
		},
		operation: 'Portal Access: Get',
		code: /503/,
		httpCode: '503',
		fix: /could not be checked.*This is not a refusal/,
	},
];

describe('an error names the operation, the API’s code, the fix and the item', () => {
	test.each(ROWS)('$what', async ({ provoke, apiKey, operation, code, httpCode, fix }) => {
		const { error } = await run(provoke(), { apiKey: apiKey?.() });
		expect(error?.message.slice(0, operation.length + 2)).toBe(`${operation}: `);
		expect(error?.message).toMatch(code);
		expect(error?.description).toMatch(fix);
		expect(error?.httpCode).toBe(httpCode);
		expect(error?.context?.itemIndex).toBe(0);
		expect(error?.name).toBe('NodeApiError');
	});

	test('a verification failure that lasts keeps its own words', async () => {
		fault({
			kind: 'status',
			status: 503,
			code: 'VERIFICATION_FAILED',
			retryAfter: '0.05',
			times: 9,
		});
		const { error } = await run({ resource: 'portalAccess', operation: 'get' });
		expect(error?.message).toMatch(/^Portal Access: Get: 503 VERIFICATION_FAILED/);
		expect(error?.description).toMatch(/This is not a refusal/);
		expect(emulator.requests).toHaveLength(4);
	});

	test('the item is the one that failed', async () => {
		const good = agentId();
		const parameters = {
			resource: 'agent',
			operation: 'get',
			agent_id: locator('={{ $json.id }}'),
		};
		const items = [good, good, NOWHERE, good].map((id) => ({ json: { id } }));
		const { error } = await run(parameters, { items });
		expect(error?.httpCode).toBe('404');
		expect(error?.context?.itemIndex).toBe(2);
	});
});

describe('an answer that is none', () => {
	const getCalls = { resource: 'call', operation: 'getAll', limit: 5 };

	test.each<[fault: Fault, message: RegExp, description: RegExp]>([
		[
			{ kind: 'status', status: 200, body: { ok: true, data: {} } },
			/could not be used: its data is not a list of records/,
			/Base URL/,
		],
		[{ kind: 'status', status: 418, body: 'teapot' }, /: 418 teapot$/, /refused the request/],
		[{ kind: 'half-body' }, /no answer from the server \(answer cut off\)/, /may have been made/],
	])('%j', async (given, message, description) => {
		fault(given);
		const { error } = await run({ ...getCalls, requestOptions: { maxWait: 0 } });
		expect(error?.message).toMatch(/^Call: Get Many: /);
		expect(error?.message).toMatch(message);
		expect(error?.description).toMatch(description);
		expect(error?.context?.itemIndex).toBe(0);
	});

	test('a change whose answer is lost is sent once, and said to be in doubt', async () => {
		fault({ kind: 'reset-after' });
		const { error } = await run(updateAgent({ first_message: 'Changed' }));
		expect(error?.description).toMatch(/may have been made\. Look at the record/);
		expect(emulator.requests).toHaveLength(1);
		expect(emulator.store.agents.get(agentId())?.first_message).toBe('Changed');
	});

	test('a change that was sent again is said to be in doubt, whatever the repeat was told', async () => {
		const contact = emulator.store.addContact();
		fault({ kind: 'reset-after', match: ({ method }) => method === 'PUT' });
		const { error } = await run({
			resource: 'contact',
			operation: 'update',
			contact: locator(contact.phone_number, 'phone'),
			specifyFields: 'json',
			json: JSON.stringify({ phone_number: '+393209999999' }),
		});
		expect(emulator.store.contacts.get(contact.id)?.phone_number).toBe('+393209999999');
		expect(error?.message).toMatch(/^Contact: Update: 404/);
		expect(error?.description).toMatch(/earlier try .* may have been made\. Look at the record/);
	});

	describe('data that is null', () => {
		const nothing = (meta: object | null) =>
			fault({ kind: 'status', status: 200, body: { ok: true, data: null, error: null, meta } });

		test.each(['call', 'event', 'contact'])('is an empty list: %s', async (resource) => {
			for (const meta of [null, { limit: 5, offset: 0, total_items: 0 }]) {
				nothing(meta);
				const { error, json } = await run({ ...getCalls, resource });
				expect(error?.message).toBeUndefined();
				expect(json).toEqual([]);
			}
		});

		test.each([
			['usage', {}, /no active plan/],
			['agent', { agent_id: locator(NOWHERE) }, /no such record/],
		])('of one record means that there is none: %s', async (resource, where, fix) => {
			nothing(null);
			const parameters = { resource, operation: 'get', ...where } as INodeParameters;
			const { error } = await run(parameters);
			expect(error?.message).toMatch(/: nothing found$/);
			expect(error?.description).toMatch(fix);
			expect(error?.httpCode).toBe('404');
			nothing(null);
			const node = { onError: 'continueRegularOutput' } as const;
			expect((await run(parameters, { node })).json).toMatchObject([{ status: 404 }]);
		});

		test('keeps an update from replacing a record that could not be read', async () => {
			nothing(null);
			const { error } = await run({
				resource: 'contact',
				operation: 'update',
				contact: locator(NOWHERE),
				specifyFields: 'json',
				json: '{ "name": "New" }',
			});
			expect(error?.httpCode).toBe('404');
			expect(emulator.requests).toHaveLength(1);
		});

		test('is refused where the total says that there are records; nothing is said of a change', async () => {
			nothing({ limit: 5, offset: 0, total_items: 30 });
			const { error } = await run(getCalls);
			expect(error?.message).toMatch(/its data is not a list of records but null$/);
			expect(error?.description).toMatch(/Base URL/);
			expect(error?.description).not.toMatch(/change/);
		});
	});

	test('a server that hangs is left after Timeout', async () => {
		fault({ kind: 'hang' });
		const { error } = await run({ ...updateAgent(), requestOptions: { timeout: 1 } });
		expect(error?.message).toBe('Agent: Update: no answer from the server (timed out)');
	});

	test('a port where nobody listens', async () => {
		await emulator.close();
		const { error } = await run({ ...getCalls, requestOptions: { maxWait: 0 } });
		expect(error?.message).toBe('Call: Get Many: no answer from the server (connection refused)');
		expect(error?.description).toMatch(/Base URL/);
		emulator = await startEmulator();
	});

	test('https where only http is spoken', async () => {
		const baseUrl = emulator.url.replace('http:', 'https:');
		const { error } = await run(
			{ ...updateAgent(), requestOptions: { maxWait: 0 } },
			{
				credentials: { ykVoiceApi: { apiKey: emulator.keys.all, baseUrl } },
			},
		);
		expect(error?.message).toMatch(/no answer from the server \(no secure connection/);
		expect(error?.description).toMatch(/Check the 'Base URL'.*changed nothing/);
	});
});

test('a 401 of an OAuth2 credential without a refresh token is told in the words of the API', async () => {
	const { url: baseUrl } = emulator;
	const token = { access_token: 'token_that_is_none' };
	const { error } = await run(
		{ resource: 'agent', operation: 'getAll', authentication: 'oAuth2' },
		{ credentials: { ykVoiceOAuth2Api: { baseUrl, oauthTokenData: token } } },
	);
	expect(error?.message).toMatch(/^Agent: Get Many: 401 AUTHENTICATION_FAILED/);
	expect(error?.description).toMatch(/Reconnect the OAuth2 credential/);
	expect(error?.httpCode).toBe('401');
	expect(emulator.requests).toHaveLength(1);
});

test('advice on an order’s moves is given to those who moved it', async () => {
	const adviceFor = async (updateFields: INodeParameters) => {
		fault({ kind: 'status', status: 400 });
		const order_id = locator(orderOf('pending'));
		const { error } = await run({ resource: 'order', operation: 'update', order_id, updateFields });
		return error?.description;
	};
	expect(await adviceFor({ notes: 'x' })).not.toMatch(/pending to confirmed/);
	expect(await adviceFor({ status: 'confirmed' })).toMatch(/pending to confirmed/);
});

test('a failed item has the status and the code beside the message', async () => {
	const { json } = await run(
		{ resource: 'order', operation: 'get', order_id: locator(NOWHERE) },
		{ node: { onError: 'continueRegularOutput' } },
	);
	expect(json).toMatchObject([
		{ error: expect.stringContaining('404'), status: 404, code: 'NOT_FOUND' },
	]);
});

test('taking out a secret leaves the advice, and the names of fields', async () => {
	const error = { code: 'DENIED', message: 'yk_message is no key', details: { yk_message: 'x' } };
	fault({ kind: 'status', status: 401, body: { ok: false, error } });
	const failed = await run({ resource: 'wallet', operation: 'get' }, { apiKey: 'yk_message' });
	expect(failed.error?.message).toContain('[secret] is no key');
	expect(failed.error?.description).toMatch(/begins with yk_.*"yk_message":"x"/);
});
