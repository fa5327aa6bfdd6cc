import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import type { Fault } from '../emulator/index.ts';
import { accountForEachTest, asJson, emulator, fail, run } from '../support/account.ts';
import { locator } from '../support/samples.ts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';

accountForEachTest();

const agentId = () => emulator.store.agents.all()[0]!.id;

const updateAgent = (fields: object = { first_message: 'Hi' }, id: unknown = agentId()) =>
	({ agent_id: locator(id), updateFields: fields }) as INodeParameters;

const orderOf = (status: string) =>
	emulator.store.orders.find((order) => order.status === status)!.id;
const fault = (fault: Fault) => emulator.faults.add(fault);

interface Row {
	what: string;
	name: string;
	fault?: Fault;
	/** Lets it go wrong without a fault, and gives the parameters of the operation that fails. */
	provoke: () => INodeParameters;
	message: RegExp;
	httpCode: string;
	fix: RegExp;
}

// Of the reference's table "Errors". What all operations have in common is in contract/reference
// (keys, permissions, records of others) and faults/operations.
const ROWS: Row[] = [
	{
		what: 'invalid data',
		name: 'agent.update',
		provoke: () => updateAgent({ selected_voice: locator(NOWHERE) }),
		message: /^The API refused the data: .*is unknown \(400 INVALID_REQUEST\)$/,
		httpCode: '400',
		fix: /Correct the value/,
	},
	{
		what: 'a read-only field of an agent',
		name: 'apiRequest.send',
		provoke: () => ({
			method: 'PATCH',
			path: `/agents/${agentId()}`,
			body: '{"agent_type":"inbound"}',
		}),
		message: /^The API refused the data: .*read-only.* \(400 INVALID_REQUEST\)$/,
		httpCode: '400',
		fix: /Correct the value/,
	},
	{
		what: 'a status that an order cannot get',
		name: 'order.update',
		provoke: () => ({
			order_id: locator(orderOf('completed')),
			updateFields: { status: 'confirmed' },
		}),
		message: /^The API refused the update: .* \(400 INVALID_REQUEST\)$/,
		httpCode: '400',
		fix: /from pending to confirmed or refused/,
	},
	{
		what: 'a missing record',
		name: 'agent.update',
		provoke: () => updateAgent({ first_message: 'Hi' }, NOWHERE),
		message: /^There is no such agent in this account \(404 NOT_FOUND\)$/,
		httpCode: '404',
		fix: /Details from the API: agent not found/,
	},
	{
		what: 'no active plan',
		name: 'usage.get',
		provoke() {
			emulator.store.usage = null;
			return {};
		},
		message: /^The organization has no active plan, .* \(404 NOT_FOUND\)$/,
		httpCode: '404',
		fix: /Details from the API: /,
	},
	{
		what: 'a conflict',
		name: 'agent.update',
		fault: { kind: 'status', status: 409, code: 'CONFLICT', message: 'changed meanwhile' },
		provoke: updateAgent,
		message: /^The update conflicts with what is stored.*: changed meanwhile \(409 CONFLICT\)$/,
		httpCode: '409',
		fix: /Read the agent/,
	},
	{
		what: 'a write failure',
		name: 'agent.update',
		fault: { kind: 'status', status: 500, code: 'WRITE_FAILED', message: 'not stored' },
		provoke: updateAgent,
		message: /^The agent could not be stored: not stored \(500 WRITE_FAILED\)$/,
		httpCode: '500',
		fix: /Read it again/,
	},
	{
		what: 'a portal access that could not be checked',
		name: 'portalAccess.get',
		provoke() {
			emulator.store.portalFailing = true;
			return {};
		},
		message: /^The access could not be checked just now: .* \(503 /,
		httpCode: '503',
		fix: /This is not a refusal/,
	},
];

describe('an error says what happened, the API’s code, the fix and the item', () => {
	test.each(ROWS)('$what', async ({ name, fault: given, provoke, message, httpCode, fix }) => {
		if (given) fault(given);
		const error = await fail(name, provoke());
		expect(error.message).toMatch(message);
		expect(error.description).toMatch(fix);
		expect(error.httpCode).toBe(httpCode);
		expect(error.context?.itemIndex).toBe(0);
		expect(error.name).toBe('NodeApiError');
	});

	test('a portal access that still cannot be checked after four tries keeps the words of the API', async () => {
		fault({
			kind: 'status',
			status: 503,
			code: 'VERIFICATION_FAILED',
			retryAfter: '0.05',
			times: 9,
		});
		const error = await fail('portalAccess.get');
		expect(error.message).toMatch(/ \(503 VERIFICATION_FAILED\)$/);
		expect(error.description).toMatch(/This is not a refusal/);
		expect(emulator.requests).toHaveLength(4);
	});

	test('the item is the one that failed', async () => {
		const good = agentId();
		const items = [good, good, NOWHERE, good].map((id) => ({ id }));
		const { error } = await run('agent.get', { agent_id: locator('={{ $json.id }}') }, items);
		expect(error?.httpCode).toBe('404');
		expect(error?.context?.itemIndex).toBe(2);
		expect(error?.description).toMatch(/set 'On Error' to 'Continue'/);
		const alone = await fail('agent.get', { agent_id: locator(NOWHERE) });
		expect(alone.description).not.toContain('On Error');
	});
});

test('a change whose answer was lost may have been made, also if the second try is refused', async () => {
	const contact = emulator.store.addContact();
	fault({ kind: 'reset-after', match: ({ method }) => method === 'PUT' });
	const error = await fail('contact.update', {
		contact: locator(contact.phone_number, 'phone'),
		...asJson({ phone_number: '+393209999999' }),
	});
	expect(emulator.store.contacts.get(contact.id)?.phone_number).toBe('+393209999999');
	expect(error.message).toMatch(/^The record was not found any more \(404 /);
	expect(error.description).toMatch(/earlier try .* may have been made\. Look at the record/);
});

describe('an answer whose data is null', () => {
	const nothing = (meta: object | null) =>
		fault({ kind: 'status', status: 200, body: { ok: true, data: null, error: null, meta } });

	test.each(['call', 'event', 'contact'])('is an empty list: %s', async (resource) => {
		for (const meta of [null, { limit: 5, offset: 0, total_items: 0 }]) {
			nothing(meta);
			const { error, json } = await run(`${resource}.getAll`, { limit: 5 });
			expect(error?.message).toBeUndefined();
			expect(json).toEqual([]);
		}
	});

	test.each([
		['usage', {}, /no active plan.* \(nothing found\)$/],
		['agent', { agent_id: locator(NOWHERE) }, /no such record .*\(nothing found\)$/],
	])('means that there is no such record: %s', async (resource, where, title) => {
		nothing(null);
		const error = await fail(`${resource}.get`, where as INodeParameters);
		expect(error.message).toMatch(title);
		expect(error.httpCode).toBe('404');
		nothing(null);
		const node = { onError: 'continueRegularOutput' } as const;
		const { json } = await run(`${resource}.get`, where as INodeParameters, [{}], { node });
		expect(json).toMatchObject([{ status: 404 }]);
	});

	test('keeps an update from replacing a record that could not be read', async () => {
		nothing(null);
		const parameters = { contact: locator(NOWHERE), ...asJson({ name: 'New' }) };
		expect((await fail('contact.update', parameters)).httpCode).toBe('404');
		expect(emulator.requests).toHaveLength(1);
	});

	test('is refused if the total says that there are records; the advice speaks of no change', async () => {
		nothing({ limit: 5, offset: 0, total_items: 30 });
		const { message, description } = await fail('call.getAll', { limit: 5 });
		expect(message).toMatch(/its data is not a list of records but null \(200\)$/);
		expect(description).toMatch(/Base URL/);
		expect(description).not.toMatch(/change/);
	});
});

test('https where the server speaks http: the error asks for the address, and says that it is not sure that nothing was changed', async () => {
	const baseUrl = emulator.url.replace('http:', 'https:');
	const credentials = { ykVoiceApi: { apiKey: emulator.keys.all, baseUrl } };
	const error = await fail('agent.update', updateAgent(), [{}], { credentials });
	expect(error.message).toMatch(/no secure connection; does the address begin with http:/);
	expect(error.description).toMatch(/the change may have been made/);
});

test('a 401 of an OAuth2 credential without a refresh token keeps the words of the API', async () => {
	const token = { access_token: 'token_that_is_none' };
	const credentials = { ykVoiceOAuth2Api: { baseUrl: emulator.url, oauthTokenData: token } };
	const error = await fail('agent.getAll', { authentication: 'oAuth2' }, [{}], { credentials });
	expect(error.message).toMatch(
		/^The access token was not accepted \(401 AUTHENTICATION_FAILED\)$/,
	);
	expect(error.description).toMatch(/Reconnect the OAuth2 credential/);
	expect(error.httpCode).toBe('401');
	expect(emulator.requests).toHaveLength(1);
});

test('only an error of a changed status explains which status an order can get', async () => {
	const adviceFor = async (updateFields: INodeParameters) => {
		fault({ kind: 'status', status: 400 });
		const order_id = locator(orderOf('pending'));
		return (await fail('order.update', { order_id, updateFields })).description;
	};
	expect(await adviceFor({ notes: 'x' })).not.toMatch(/pending to confirmed/);
	expect(await adviceFor({ status: 'confirmed' })).toMatch(/pending to confirmed/);
});

test('a failed item has the status and the code beside the message', async () => {
	const node = { onError: 'continueRegularOutput' } as const;
	const { json } = await run('order.get', { order_id: locator(NOWHERE) }, [{}], { node });
	expect(json).toMatchObject([
		{ error: expect.stringContaining('404'), status: 404, code: 'NOT_FOUND' },
	]);
});

test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
	'an item says that a change may have been made although it failed (%s)',
	async (onError) => {
		const campaign_id = locator(emulator.store.addCampaign({ status: 'paused' }).id);
		fault({ kind: 'reset-after', match: ({ method }) => method === 'POST' });
		const { outputs } = await run('campaign.resume', { campaign_id }, [{}], { node: { onError } });
		const [item] = outputs.flat();
		expect(item?.json.may_have_acted).toBe(true);
		expect(item?.json.error).toMatch(/the change may have been made\. Look at the record/);
		const read = await run('campaign.get', { campaign_id: locator(NOWHERE) }, [{}], {
			node: { onError },
		});
		expect(read.outputs.flat()[0]?.json).not.toHaveProperty('may_have_acted');
	},
);

test('taking out a secret leaves the advice', async () => {
	const error = { code: 'DENIED', message: 'yk_message is no key', details: { yk_message: 'x' } };
	fault({ kind: 'status', status: 401, body: { ok: false, error } });
	const credentials = { ykVoiceApi: { apiKey: 'yk_message', baseUrl: emulator.url } };
	const { message, description } = await fail('wallet.get', {}, [{}], { credentials });
	expect(message).toBe('The API key was not accepted: [secret] is no key (401 DENIED)');
	expect(description).toMatch(/begins with yk_.*"\[secret\]":"x"/);
});
