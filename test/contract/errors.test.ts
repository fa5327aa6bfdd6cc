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
	succeed,
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
const answerWith = (status: number, code: string, message: string) =>
	fault({ kind: 'status', status, code, message });

interface Row {
	name: string;
	/** Makes it happen, and gives the parameters. */
	given: () => INodeParameters;
	message: RegExp;
	fix: RegExp;
}

const ROWS: Readonly<Record<string, Row>> = {
	'invalid data': {
		name: 'agent.update',
		given: () => updateAgent({ selected_voice: locator(NOWHERE) }),
		message: /^The API refused the data: .*is unknown \(400 INVALID_REQUEST\)$/,
		fix: /Correct the value/,
	},
	'a status that an order cannot get': {
		name: 'order.update',
		given: () => ({
			order_id: locator(orderOf('completed')),
			updateFields: { status: 'confirmed' },
		}),
		message: /^The API refused the update: .* \(400 INVALID_REQUEST\)$/,
		fix: /from pending to confirmed or refused/,
	},
	'a missing record': {
		name: 'agent.update',
		given: () => updateAgent({ first_message: 'Hi' }, NOWHERE),
		message: /^There is no such agent in this account \(404 NOT_FOUND\)$/,
		fix: /Details from the API: agent not found/,
	},
	'no active plan': {
		name: 'usage.get',
		given: () => {
			emulator.store.usage = null;
			return {};
		},
		message: /^The organization has no active plan, .* \(404 NOT_FOUND\)$/,
		fix: /Details from the API: /,
	},
	'a conflict': {
		name: 'agent.update',
		given: () => {
			answerWith(409, 'CONFLICT', 'changed meanwhile');
			return updateAgent();
		},
		message: /^The update conflicts with what is stored.*: changed meanwhile \(409 CONFLICT\)$/,
		fix: /Read the agent/,
	},
	'a write failure': {
		name: 'agent.update',
		given: () => {
			answerWith(500, 'WRITE_FAILED', 'not stored');
			return updateAgent();
		},
		message: /^The agent could not be stored: not stored \(500 WRITE_FAILED\)$/,
		fix: /Read it again/,
	},
	'a portal access that could not be checked': {
		name: 'portalAccess.get',
		given: () => {
			emulator.faults.add({ kind: 'status', status: 503, times: Infinity });
			return {};
		},
		message: /^The access could not be checked just now: .* \(503 /,
		fix: /This is not a refusal/,
	},
};

describe('an error says what happened, the API’s code, the fix and the item', () => {
	test.each(Object.entries(ROWS))('of %s', async (_what, { name, given, message, fix }) => {
		const error = await fail(name, given());
		expect(error.message).toMatch(message);
		expect(error.description).toMatch(fix);
		expect(error).toMatchObject({ name: 'NodeApiError', context: { itemIndex: 0 } });
		expect(error.message).toContain(`(${error.httpCode} `);
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
	const nothing = (meta: object | null = null) =>
		fault({ kind: 'status', status: 200, body: { ok: true, data: null, error: null, meta } });

	// One whose total says that there are records is refused: unit/lists.
	test.each(['call', 'event', 'contact'])('is an empty list: %s', async (resource) => {
		for (const meta of [null, { limit: 5, offset: 0, total_items: 0 }]) {
			nothing(meta);
			expect((await succeed(`${resource}.getAll`, { limit: 5 })).json).toEqual([]);
		}
	});

	test.each<[string, INodeParameters, RegExp]>([
		['usage', {}, /no active plan.* \(nothing found\)$/],
		['agent', { agent_id: locator(NOWHERE) }, /no such record .*\(nothing found\)$/],
	])('means that there is no such record: %s', async (resource, where, error) => {
		nothing();
		const { json } = await run(`${resource}.get`, where, [{}], CONTINUE);
		expect(json).toMatchObject([{ error: expect.stringMatching(error) as string, status: 404 }]);
	});

	test('keeps an update from replacing a record that could not be read', async () => {
		nothing();
		const parameters = { contact: locator(NOWHERE), ...asJson({ name: 'New' }) };
		expect((await fail('contact.update', parameters)).httpCode).toBe('404');
		expect(emulator.requests).toHaveLength(1);
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

test('an error of an order whose status stays says nothing of statuses', async () => {
	fault({ kind: 'status', status: 400 });
	const given = { order_id: locator(orderOf('pending')), updateFields: { notes: 'x' } };
	expect((await fail('order.update', given)).description).not.toMatch(/pending to confirmed/);
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
		const missing = { campaign_id: locator(NOWHERE) };
		const read = await run('campaign.get', missing, [{}], { node: { onError } });
		expect(read.outputs.flat()[0]?.json).not.toHaveProperty('may_have_acted');
	},
);
