import type { INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';

import type { JsonObject } from '../../nodes/json.ts';
import { DAY } from '../../nodes/time.ts';
import {
	accountForEachTest,
	changeAccount,
	emulator,
	run,
	sent,
	succeed,
} from '../support/account.ts';
import { locator } from '../support/samples.ts';

accountForEachTest({ data: 'small' });

it.each(['null', 'empty'] as const)(
	'the transcript of a call in which nothing was said is a record too: %s',
	async (noTranscript) => {
		await changeAccount({ data: 'small', readings: { noTranscript } });
		const { id } = emulator.store.addCall({ transcript: null } as never);
		const { json: output } = await succeed('call.getTranscript', { call_id: locator(id) });
		expect(output).toMatchObject([{ call_id: id }]);
	},
);

it('Get Many does not look at what lies behind the limit', async () => {
	const agent_id = emulator.store.agents.all()[0]!.id;
	const data = [{ id: 'a', agent_id }, { id: 'b' }];
	const meta = { limit: 100, offset: 0, total_items: 2 };
	const body = { ok: true, data, meta, error: null };
	emulator.faults.add({ kind: 'status', status: 200, body, times: Infinity });
	const filters = { agent_id: locator(agent_id) };
	const limited = { returnAll: false, limit: 1, filters };
	expect(await succeed('call.getAll', limited)).toMatchObject({ json: [{ id: 'a' }], hints: [] });
	const { hints } = await run('call.getAll', { returnAll: true, filters });
	expect(hints[0]?.message).toMatch(/agent/);
});

describe('Get Many with Transcript Contains', () => {
	beforeEach(async () => {
		await changeAccount({ data: 'empty' });
		for (let day = 1; day <= 130; day++) {
			emulator.store.addCall({
				created_at: new Date(Date.UTC(2026, 0, 1) + day * DAY).toISOString(),
				call_status: day % 2 === 0 ? 'Completed' : 'Failed',
			});
		}
	});

	const read = async (filters: INodeParameters, more: INodeParameters = {}) =>
		await succeed('call.getAll', { returnAll: true, filters, ...more });

	const idsOf = ({ json }: { json: JsonObject[] }) => json.map(({ id }) => id);

	/** What the same calls show if their transcripts are read, recounted with other code. */
	const idsWith = async (said: string, filters: INodeParameters = {}) => {
		const { json } = await read(filters, { options: { include: ['transcript'] } });
		return json
			.filter(({ transcript }) => JSON.stringify(transcript).includes(said))
			.map(({ id }) => id);
	};

	it('returns the calls in which somebody said it, and counts them', async () => {
		const expected = await idsWith('two pizzas');
		expect(expected.length).toBeGreaterThan(5);
		const transcriptContains = 'TWO  pízzas';
		expect(idsOf(await read({ transcriptContains }))).toEqual(expected);
		const { json } = await succeed('call.count', { filters: { transcriptContains } });
		expect(json).toEqual([{ count: expected.length, method: 'counted' }]);
		expect((await read({ transcriptContains: 'no such words' })).json).toEqual([]);
	});

	it('reads only the transcripts that the other filters leave, and stops at the limit', async () => {
		const filters = { call_status: 'Failed' };
		const expected = await idsWith('two pizzas', filters);
		emulator.reset();
		expect(idsOf(await read({ ...filters, transcriptContains: 'two pizzas' }))).toEqual(expected);
		expect(transcriptsRead()).toBe(65);
		emulator.reset();
		const first = await read(
			{ transcriptContains: 'two pizzas' },
			{ returnAll: false, limit: 3, sort: { sort: 'created_at' } },
		);
		expect(first.json).toHaveLength(3);
		expect(transcriptsRead()).toBe(100);
	});

	it.each([['?!'], ['x'.repeat(1001)]])('refuses %j before anything is sent', async (text) => {
		const { error } = await run('call.getAll', { filters: { transcriptContains: text } });
		expect(error?.message).toContain('Transcript Contains');
		expect(sent()).toEqual([]);
	});
});

const transcriptsRead = () => sent().filter((request) => request.endsWith('/transcript')).length;
