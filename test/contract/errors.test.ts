import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import {
	accountForEachTest,
	asJson,
	CONTINUE,
	emulator,
	fail,
	run,
	succeed,
} from '../support/account.ts';
import { locator } from '../support/samples.ts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';

accountForEachTest();

const answerWith = (status: number, rest: object) =>
	emulator.faults.add({ kind: 'status', status, ...rest });

const agentId = () => emulator.store.agents.all()[0]!.id;
const completedOrder = () => emulator.store.orders.find(({ status }) => status === 'completed')!.id;

// What each status means: unit/errors. What is sent again: faults/operations.
test.each<[what: string, name: string, given: () => INodeParameters, said: RegExp]>([
	[
		'a missing record',
		'agent.get',
		() => ({ agent_id: locator(NOWHERE) }),
		/^There is no such record in this account \(404 NOT_FOUND\) — .*Details from the API: agent not found/,
	],
	[
		'a status that an order cannot get',
		'order.update',
		() => ({ order_id: locator(completedOrder()), updateFields: { status: 'confirmed' } }),
		/^The API refused the update: .* \(400 INVALID_REQUEST\) — .*from pending to confirmed or refused/,
	],
	[
		'no active plan',
		'usage.get',
		() => {
			emulator.store.usage = null;
			return {};
		},
		/^The organization has no active plan, .* \(404 NOT_FOUND\) — .*Details from the API: /,
	],
	[
		'a write failure',
		'agent.update',
		() => {
			answerWith(500, { code: 'WRITE_FAILED', message: 'not stored' });
			return { agent_id: locator(agentId()), updateFields: { first_message: 'Hi' } };
		},
		/^The agent could not be stored: not stored \(500 WRITE_FAILED\) — .*Read it again/,
	],
	[
		'a portal access that could not be checked',
		'portalAccess.get',
		() => {
			answerWith(503, { times: Infinity });
			return {};
		},
		/^The access could not be checked just now: .* \(503 .* — .*This is not a refusal/,
	],
])('an error says what happened, and what to do: %s', async (_what, name, given, said) => {
	const error = await fail(name, given());
	expect(`${error.message} — ${error.description}`).toMatch(said);
	expect(error).toMatchObject({ name: 'NodeApiError', context: { itemIndex: 0 } });
});

test('a change whose answer was lost may have been made, also if the second try is refused', async () => {
	const contact = emulator.store.addContact();
	emulator.faults.add({ kind: 'reset-after', match: ({ method }) => method === 'PUT' });
	const where = { contact: locator(contact.phone_number, 'phone') };
	const change = { ...where, ...asJson({ phone_number: '+393209999999' }) };
	const [item] = (await run('contact.update', change, [{}], CONTINUE)).json;
	expect(item).toMatchObject({ status: 404, may_have_acted: true });
	expect(item!.error).toMatch(
		/^The record no longer exists under this ID.*earlier try .* may have been made/,
	);
});

describe('an answer whose data is null', () => {
	const nothing = () => answerWith(200, { body: { ok: true, data: null, error: null } });

	// One whose total says that there are records is refused: unit/lists.
	test.each(['call', 'event', 'contact'])('is an empty list: %s', async (resource) => {
		nothing();
		expect((await succeed(`${resource}.getAll`)).json).toEqual([]);
	});

	test('means that there is no such record, and an update then replaces nothing', async () => {
		nothing();
		const parameters = { contact: locator(NOWHERE), ...asJson({ name: 'New' }) };
		const error = await fail('contact.update', parameters);
		expect(error.message).toMatch(/no such .*\(nothing found\)$/);
		expect(emulator.requests).toHaveLength(1);
	});
});
