import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { attack, clock, leastTurn, NOISE } from './attack.ts';
import { pollerFor } from './hosts.ts';
import { USUAL } from './targets.ts';
import { answerWith, ID, isList, record, send, serverForTests, tame } from './server.ts';

const api = serverForTests();

const fields = (count: number, name = 'f') =>
	Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, 0]));

const usual = (name: string) => USUAL.find(({ operation }) => operation === name)!.parameters;

const failure = async (operation: string, parameters: INodeParameters, items?: [object]) => {
	const { error } = await attack(api, { operation, parameters, items: items as never });
	return error?.message;
};

describe('what is copied has a bound', () => {
	it('the fields of an input item, into each output item [P226]', async () => {
		api.answer = tame;
		const parameters = { outputOptions: { includeInputFields: 'all' } };
		expect(await failure('call.getAll', parameters, [fields(201)])).toContain(
			'the item has more than 200 fields',
		);
		expect(await failure('call.getAll', parameters, [fields(200)])).toBeUndefined();
	});

	it('the date of a group, into each of its events', async () => {
		const date = `2026-01-12 ${'x'.repeat(2 ** 20)}`;
		const all = Array.from({ length: 200 }, (_, id) => ({ id, status: 'a' }));
		api.answer = (asked, response) => {
			const [limit, offset] = ['limit', 'offset'].map((name) => Number(asked.query.get(name)));
			const events = all.slice(offset, offset! + limit!);
			send(response, { ok: true, data: events.length > 0 ? [{ date, events }] : [] });
		};
		const { outputs } = await attack(api, { operation: 'event.getAll', parameters: {} });
		expect(outputs.flat()).toHaveLength(50);
		expect(String(outputs.flat()[0]!.json.date)).toHaveLength(100);
	});

	it('the fields to clear', async () => {
		api.answer = tame;
		const names = Object.keys(fields(501, 'custom_fields.k'));
		const parameters = {
			...usual('contact.update'),
			clearFields: '={{ $json.names }}',
		};
		expect(await failure('contact.update', parameters, [{ names }])).toContain(
			'must name at most 500 fields',
		);
	});

	it('the fields of an object in an item', async () => {
		for (const [count, isTooMuch] of [
			[4000, false],
			[5001, true],
		] as const) {
			api.answer = answerWith(({ path }) => record(path));
			const written = await failure(
				'contact.create',
				{ specifyFields: 'json', json: '={{ $json.inner }}' },
				[{ inner: { name: 'A', phone_number: '+390612345678', custom_fields: fields(count) } }],
			);
			expect(written?.includes('must have at most 5000 fields') ?? false).toBe(isTooMuch);
		}
	});
});

describe('a long text is not searched', () => {
	const LONG = 4_000_000;

	/** The work with the text in a place where nobody looks at it takes about as long. */
	const expectLike = async (plain: () => Promise<unknown>, work: () => Promise<unknown>) =>
		expect(await leastTurn(work)).toBeLessThan(3 * (await leastTurn(plain)) + NOISE);

	it.each(['call.waitForCompletion', 'campaign.waitForCompletion'])(
		'of a status, in %s',
		async (operation) => {
			const work = (names: string[]) => async () => {
				const texts = Object.fromEntries(names.map((name) => [name, '-'.repeat(LONG)]));
				api.answer = answerWith(({ path }) => record(path, texts));
				await attack(api, { operation, parameters: { ...usual(operation), waitAtMost: 0 } });
			};
			await expectLike(work(['notes', 'title']), work(['call_status', 'status']));
		},
	);

	it('of a choice', async () => {
		const work = (filter: object) => async () =>
			await attack(api, {
				operation: 'call.getAll',
				parameters: { filters: filter as INodeParameters },
				items: [{ all: Array<string>(5).fill('a '.repeat(190_000)) }],
				onError: 'continueErrorOutput',
			});
		api.answer = tame;
		await expectLike(work({}), work({ call_status: '={{ $json.all }}' }));
	});

	it('of the number of a member', async () => {
		api.answer = (asked, response) => {
			const one = { id: ID, phone_number: '+390612345678', mobile: '1.'.repeat(2 ** 20) };
			const data = isList(asked) && Number(asked.query.get('offset')) === 0 ? [one] : [];
			send(response, { ok: true, data });
		};
		const message = await failure('contactList.sync', {
			contact_list_id: { __rl: true, mode: 'id', value: ID },
			phone_numbers: '+393205098161',
		});
		expect(message).toContain('nobody can tell whether it is wanted');
		expect(message!.length).toBeLessThan(500);
	});
});

describe('long texts of one length are told apart quickly', () => {
	/** JavaScript tells longer keys of a map apart by their length alone. */
	const [SHORTER, LONGER] = [16_000, 16_500];
	const COUNT = 400;

	const expectAlike = async (work: (length: number) => Promise<unknown>) => {
		const least = async (length: number) => await leastTurn(async () => await work(length));
		expect(await least(LONGER)).toBeLessThan(2 * (await least(SHORTER)) + NOISE);
	};

	const texts = (length: number) =>
		Array.from({ length: COUNT }, (_, at) => 'x'.repeat(length - 4) + String(1000 + at));

	const lists =
		(recordOf: (text: string, at: number) => object): ((length: number) => void) =>
		(length) => {
			const all = texts(length).map(recordOf);
			api.answer = (asked, response) => {
				const offset = Number(asked.query.get('offset'));
				send(response, { ok: true, data: isList(asked) ? all.slice(offset) : {} });
			};
		};

	const within = { period: 'between', from: '2026-10-01', until: '2026-11-01' };
	const created_at = '2026-10-05T10:00:00Z';

	it.each<[string, string, INodeParameters, (text: string, at: number) => object]>([
		['IDs', 'contact.getAll', { returnAll: true }, (id) => ({ id })],
		[
			'reasons',
			'order.getStatistics',
			{ ...within, groupBy: 'reason' },
			(status_reason, id) => ({ id: `${id}`, created_at, status: 'refused', status_reason }),
		],
		[
			'agents',
			'call.getStatistics',
			{ ...within, groupBy: 'agent' },
			(agent_id, id) => ({ id: `${id}`, created_at, agent_id, agent_name: agent_id }),
		],
		[
			'dates',
			'event.getAll',
			{ returnAll: true, group: true },
			(date, id) => ({ id: `${id}`, date, status: 'a' }),
		],
		[
			'statuses',
			'event.getAll',
			{ returnAll: true, filters: { status: 'a' } },
			(status, id) => ({ id: `${id}`, date: '2026-10-05', status }),
		],
	])('%s', async (_what, operation, parameters, recordOf) => {
		const fill = lists(recordOf);
		await expectAlike(async (length) => {
			fill(length);
			await attack(api, { operation, parameters });
		});
	});
});

it('a field option has a bound', async () => {
	api.answer = tame;
	const options = { currencyField: 'a.'.repeat(101) };
	expect(await failure('order.getStatistics', { options })).toContain('at most 200 characters');
});

it('a choice that is given twice counts once', async () => {
	api.answer = tame;
	const parameters = { options: { include: '={{ $json.all }}' } };
	const items: [object] = [{ all: Array<string>(50).fill('settings') }];
	const { asked } = await attack(api, {
		operation: 'agent.getAll',
		parameters,
		items: items as never,
	});
	expect(asked).toHaveLength(2);
});

it('records that change with every poll do not keep another one away [P76]', async () => {
	let poll = 0;
	api.answer = (asked, response) => {
		const old = Array.from({ length: 30 }, (_, at) =>
			record('', {
				id: `id-${at}`,
				created_at: '2026-01-01T00:00:00Z',
				...(at < 10 && { notes: `poll ${poll}` }),
			}),
		);
		const added = poll > 2 ? [record('', { id: 'new' })] : [];
		const all = [...added, ...old];
		const data = all.slice(Number(asked.query.get('offset')));
		send(response, { ok: true, data, meta: { total_items: all.length } });
	};
	const poller = pollerFor(api, {
		parameters: { event: 'contactChanged', options: { pollLimit: 10 } },
	});
	await poller.activate();
	const found: unknown[] = [];
	for (poll = 1; poll < 8; poll++) {
		clock.advance(600_000);
		found.push(...(await poller.tick()).map(({ id }) => id));
	}
	expect(found).toContain('new');
	expect(new Set(found).size).toBe(11);
});
