import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import type { Fault } from '../emulator/index.ts';
import {
	accountForEachTest,
	asJson,
	CONTINUE,
	credentials,
	emulator,
	fail,
	oAuth2,
	run,
} from '../support/account.ts';
import { locator } from '../support/samples.ts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';

accountForEachTest();

const agentId = () => emulator.store.agents.all()[0]!.id;

const updateAgent = (fields: object = { first_message: 'Hi' }, id: unknown = agentId()) =>
	({ agent_id: locator(id), updateFields: fields }) as INodeParameters;

const orderOf = (status: string) =>
	emulator.store.orders.find((order) => order.status === status)!.id;
const fault = (fault: Fault) => emulator.faults.add(fault);

// Of the reference's table "Errors". What all operations have in common: contract/reference (keys,
// permissions, records of others) and faults/operations. Each status by itself: unit/errors.
const ROWS: Array<
	[what: string, name: string, given: () => INodeParameters, httpCode: string, RegExp, fix: RegExp]
> = [
	[
		...(['invalid data', 'agent.update'] as const),
		() => updateAgent({ selected_voice: locator(NOWHERE) }),
		'400',
		/^The API refused the data: .*is unknown \(400 INVALID_REQUEST\)$/,
		/Correct the value/,
	],
	[
		...(['a read-only field of an agent', 'apiRequest.send'] as const),
		() => ({ method: 'PATCH', path: `/agents/${agentId()}`, body: '{"agent_type":"inbound"}' }),
		'400',
		/^The API refused the data: .*read-only.* \(400 INVALID_REQUEST\)$/,
		/Correct the value/,
	],
	[
		...(['a status that an order cannot get', 'order.update'] as const),
		() => ({ order_id: locator(orderOf('completed')), updateFields: { status: 'confirmed' } }),
		'400',
		/^The API refused the update: .* \(400 INVALID_REQUEST\)$/,
		/from pending to confirmed or refused/,
	],
	[
		...(['a missing record', 'agent.update'] as const),
		() => updateAgent({ first_message: 'Hi' }, NOWHERE),
		'404',
		/^There is no such agent in this account \(404 NOT_FOUND\)$/,
		/Details from the API: agent not found/,
	],
	[
		...(['no active plan', 'usage.get'] as const),
		() => {
			emulator.store.usage = null;
			return {};
		},
		'404',
		/^The organization has no active plan, .* \(404 NOT_FOUND\)$/,
		/Details from the API: /,
	],
	[
		...(['a conflict', 'agent.update'] as const),
		() => {
			fault({ kind: 'status', status: 409, code: 'CONFLICT', message: 'changed meanwhile' });
			return updateAgent();
		},
		'409',
		/^The update conflicts with what is stored.*: changed meanwhile \(409 CONFLICT\)$/,
		/Read the agent/,
	],
	[
		...(['a write failure', 'agent.update'] as const),
		() => {
			fault({ kind: 'status', status: 500, code: 'WRITE_FAILED', message: 'not stored' });
			return updateAgent();
		},
		'500',
		/^The agent could not be stored: not stored \(500 WRITE_FAILED\)$/,
		/Read it again/,
	],
	[
		...(['a portal access that could not be checked', 'portalAccess.get'] as const),
		() => {
			fault({ kind: 'status', status: 503, times: Infinity });
			return {};
		},
		'503',
		/^The access could not be checked just now: .* \(503 /,
		/This is not a refusal/,
	],
];

describe('an error says what happened, the API’s code, the fix and the item', () => {
	test.each(ROWS)('of %s', async (_what, name, given, httpCode, message, fix) => {
		const error = await fail(name, given());
		expect(error.message).toMatch(message);
		expect(error.description).toMatch(fix);
		expect(error).toMatchObject({ httpCode, name: 'NodeApiError', context: { itemIndex: 0 } });
	});

	test('of a portal access that still cannot be checked after four tries, in the words of the API', async () => {
		const code = 'VERIFICATION_FAILED';
		fault({ kind: 'status', status: 503, code, retryAfter: '0.05', times: 9 });
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

	test.each<[string, INodeParameters, RegExp]>([
		['usage', {}, /no active plan.* \(nothing found\)$/],
		['agent', { agent_id: locator(NOWHERE) }, /no such record .*\(nothing found\)$/],
	])('means that there is no such record: %s', async (resource, where, error) => {
		nothing(null);
		const { json } = await run(`${resource}.get`, where, [{}], CONTINUE);
		expect(json).toMatchObject([{ error: expect.stringMatching(error) as string, status: 404 }]);
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
	const rest = { credentials: credentials(undefined, emulator.url.replace('http:', 'https:')) };
	const error = await fail('agent.update', updateAgent(), [{}], rest);
	expect(error.message).toMatch(/no secure connection; does the address begin with http:/);
	expect(error.description).toMatch(/the change may have been made/);
});

test('a 401 of an OAuth2 credential without a refresh token keeps the words of the API', async () => {
	const oauthTokenData = { access_token: 'token_that_is_none' };
	const rest = { credentials: oAuth2('', { oauthTokenData }) };
	const error = await fail('agent.getAll', {}, [{}], rest);
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
	const { message, description } = await fail('wallet.get', {}, [{}], {
		credentials: credentials('yk_message'),
	});
	expect(message).toBe('The API key was not accepted: [secret] is no key (401 DENIED)');
	expect(description).toMatch(/begins with yk_.*"\[secret\]":"x"/);
});
