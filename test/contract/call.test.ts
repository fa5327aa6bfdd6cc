import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { accountInTime, clock, emulator, restart, run, sent, succeed } from '../support/account.ts';
import { locator } from '../support/samples.ts';
import { MINUTE, SECOND } from '../support/stage.ts';

accountInTime();

const idsOf = ({ json }: { json: IDataObject[] }) => json.map(({ id }) => id);

describe('Get Many', () => {
	const getAll = async (filters: INodeParameters, more: INodeParameters = {}) =>
		await run('call.getAll', { returnAll: true, filters, ...more });

	it('finds the calls of an agent, in a period or not, up to the limit', async () => {
		const [one, other] = [emulator.store.addAgent('inbound'), emulator.store.addAgent('inbound')];
		for (let at = 0; at < 250; at++)
			emulator.store.addCall({ agent_id: at % 50 === 0 ? one.id : other.id });
		const filters = { agent_id: locator(one.id.toUpperCase()) };
		const own = emulator.store.calls.all().filter(({ agent_id: id }) => id === one.id);
		const ids = own.map(({ id }) => id).sort();
		expect(idsOf(await getAll(filters)).sort()).toEqual(ids);
		expect((await getAll(filters, { returnAll: false, limit: 2 })).json).toHaveLength(2);
		expect(idsOf(await getAll({ ...filters, period: 'today' })).sort()).toEqual(ids);
	});

	it('refuses an ID that no agent can have, such as one that a model invents', async () => {
		emulator.store.addCall({ agent_id: emulator.store.addAgent('inbound').id });
		for (const name of ['Aurora', '12345']) {
			const { error } = await getAll({ agent_id: locator(name) });
			expect(error?.message).toContain('Choose the agent from the list');
		}
	});

	const PERSON = '+390612345678';

	it('finds the calls of a person by their number', async () => {
		for (const phone_number of [PERSON, '+14155550123', PERSON])
			emulator.store.addCall({ phone_number });
		const filters = { phone_number: '+39 06 1234 5678' };
		const { json } = await getAll(filters);
		expect(json.map(({ phone_number: number }) => number)).toEqual([PERSON, PERSON]);
		expect((await getAll({ ...filters, period: 'today' })).json).toHaveLength(2);
		emulator.store.addCall({ phone_number: '+39******678' });
		expect((await getAll(filters)).error?.message).toContain('hidden digits');
	});

	it.each([
		['agent_id', (id: string) => ({ agent_id: locator(id) }), "agent's ID"],
		['phone_number', () => ({ phone_number: PERSON }), 'phone number'],
		['call_status', () => ({ call_status: ['Completed', 'Busy'] }), 'status'],
	] as const)(
		'counts the calls that do not show their %s, as statistics and Count do, and is refused if none does',
		async (field, filterBy, what) => {
			const { id } = emulator.store.addAgent('inbound');
			const filters = filterBy(id);
			emulator.store.addCall({ agent_id: id, phone_number: PERSON, [field]: undefined });
			expect((await getAll(filters)).error?.message).toContain('do not show their');
			const shown = emulator.store.addCall({ agent_id: id, phone_number: PERSON });
			const left = `Calls left out, because they do not show their ${what}: 1.`;
			const hints = [{ message: expect.stringContaining(left) as string }];
			expect(await getAll(filters)).toMatchObject({ json: [{ id: shown.id }], hints });
			const statistics = await run('call.getStatistics', { period: 'today', filters });
			expect(statistics).toMatchObject({ json: [{ calls: 1 }], hints });
			const counted = await run('call.count', { filters });
			expect(counted).toMatchObject({ json: [{ count: 1 }], hints });
		},
	);

	it('takes several statuses; one alone is left to the API', async () => {
		for (const call_status of ['Busy', 'Not Answered', 'Completed'] as const)
			emulator.store.addCall({ call_status });
		const filters = { call_status: ['Busy', 'Not Answered'] };
		const { json } = await getAll(filters);
		expect(json.map(({ call_status: status }) => status).sort()).toEqual(filters.call_status);
		emulator.reset();
		await getAll({ call_status: ['Busy'] });
		expect(emulator.requests[0]?.query).toMatchObject({ call_status: 'Busy' });
	});

	it('sorts by any field that the user names, and says if the API does not know it', async () => {
		for (const duration_seconds of [20, 40, 30]) emulator.store.addCall({ duration_seconds });
		const { json } = await getAll({}, { sort: { sortField: '-duration_seconds' } });
		expect(json.map(({ duration_seconds: seconds }) => seconds)).toEqual([40, 30, 20]);
		const { error } = await getAll({}, { sort: { sortField: 'mood' } });
		expect(error?.description).toContain("Change or remove 'Sort Field'");
	});
});

describe('Get Many with Transcript Contains', () => {
	const add = (text: string, call_status: 'Completed' | 'Failed' = 'Completed') => {
		const turns = [{ role: 'caller' as const, text, at_seconds: 1 }];
		return emulator.store.addCall({ call_status }, { turns }).id;
	};

	const read = async (filters: INodeParameters, more: INodeParameters = {}) =>
		(await succeed('call.getAll', { returnAll: true, filters, ...more })).json;

	it('returns the calls in which somebody said it, and counts them', async () => {
		const id = add('I want two pizzas.');
		add('One pizza.');
		const filters = { transcriptContains: 'TWO  pízzas' };
		expect(await read(filters)).toMatchObject([{ id }]);
		const { json } = await succeed('call.count', { filters });
		expect(json).toEqual([{ count: 1, method: 'counted' }]);
	});

	it('reads only the transcripts that the other filters leave, and stops at the limit', async () => {
		for (let at = 0; at < 130; at++) add('Two pizzas.', at % 2 === 0 ? 'Completed' : 'Failed');
		const transcriptsRead = () => sent().filter((path) => path.endsWith('/transcript')).length;
		const transcriptContains = 'two pizzas';
		expect(await read({ call_status: 'Completed', transcriptContains })).toHaveLength(65);
		expect(transcriptsRead()).toBe(65);
		emulator.reset();
		const few = { returnAll: false, limit: 3, sort: { sort: 'created_at' } };
		expect(await read({ transcriptContains }, few)).toHaveLength(3);
		expect(transcriptsRead()).toBe(100);
	});
});

// What a transcript looks like as text: unit/transcript. What a file may be called: contract/agent.
describe('Get Transcript', () => {
	const get = async (id: string, parameters: INodeParameters = {}) =>
		await succeed('call.getTranscript', { call_id: locator(id), ...parameters });
	it('is what the API answers, or a text', async () => {
		const call = emulator.store.addCall();
		const turns = emulator.store.turnsOf(call)!;
		expect((await get(call.id)).json).toEqual([{ call_id: call.id, turns }]);
		const { json } = await get(call.id, { format: 'text' });
		const lines = String(json[0]!.transcript).split('\n');
		expect(lines).toHaveLength(turns.length);
		expect(lines[0]).toBe(`[0:00] Agent: ${turns[0]!.text}`);
	});

	it.each([
		['textFile', 'txt', 'text/plain', '[0:00] Agent: '],
		['markdown', 'md', 'text/markdown', '**Agent** (0:00): '],
	])('is a file with %s', async (format, ending, mimeType, start) => {
		const { id } = emulator.store.addCall();
		const { items } = await get(id, { format, binaryPropertyName: 'file' });
		const fileName = `transcript-${id}.${ending}`;
		expect(items.map(({ json }) => json)).toEqual([{ call_id: id, file_name: fileName }]);
		const { file } = items[0]!.binary!;
		expect(file).toMatchObject({ fileName, mimeType });
		expect(Buffer.from(file!.data, 'base64').toString()).toContain(start);
	});

	it.each(['null', 'blank'] as const)(
		'of a call in which nothing was said is a record too, where the API answers %s',
		async (noPart) => {
			await restart({ readings: { noPart } });
			const silent = emulator.store.addCall({ transcript: null } as never);
			expect((await get(silent.id)).json).toMatchObject([{ call_id: silent.id }]);
			emulator.store.callTimings.set(silent.id, { turns: [] });
			for (const format of ['data', 'text', 'textFile', 'markdown'])
				expect((await get(silent.id, { format })).json).toMatchObject([{ call_id: silent.id }]);
		},
	);
});

describe('Check', () => {
	const check = async (call_id: string, checks: INodeParameters) =>
		await run('call.check', { call_id: locator(call_id), checks });

	it('checks any call by its ID, and reads only what it needs', async () => {
		const turns = [
			{ role: 'agent' as const, text: 'We are closed.', at_seconds: 1 },
			{ role: 'caller' as const, text: 'Thank you.', at_seconds: 4 },
		];
		const { id } = emulator.store.addCall({ call_status: 'Completed' }, { turns });
		const { json } = await check(id, { agentMustSay: ['we are CLOSED', 'Sunday'] as never });
		expect(json).toEqual([
			{
				passed: false,
				failed_checks: 'The agent did not say "Sunday".',
				failed_check_count: 1,
				checks_note: null,
				score: 0.5,
				call: expect.objectContaining({ id, transcript: expect.anything() }),
			},
		]);
		const path = `/call-history/${id}`;
		expect(sent()).toEqual([`GET ${path}`, `GET ${path}/transcript`]);
	});

	it('refuses to say that all is well without a check', async () => {
		expect((await check('1', {})).error?.message).toContain(
			"'Checks' must have at least one check",
		);
	});
});

describe('Wait for Completion', () => {
	const waitFor = async (...ids: string[]) =>
		await run(
			'call.waitForCompletion',
			{ call_id: locator('={{ $json.id }}') },
			ids.map((id) => ({ id })),
		);

	it('is over at once if the call has ended', async () => {
		const { id } = emulator.store.addCall();
		const call = expect.objectContaining({ id }) as unknown;
		const explanation = 'The call ended: Completed.';
		expect((await waitFor(id)).json).toEqual([{ result: 'ended', explanation, call }]);
		expect(sent()).toEqual([`GET /call-history/${id}`]);
	});

	it('ends for each of several calls, also if those under way are hidden', async () => {
		await restart({ readings: { underWay: 'hidden' } });
		const { id: agent_id } = emulator.store.addAgent('outbound');
		const ids = [30, 70, 130].map((seconds, at) => {
			emulator.store.testCallCourse = { endsAfter: seconds * SECOND };
			const phone_number = `+39333123450${at}`;
			emulator.store.placeTestCall({ task_id: `task-${at}`, agent_id, phone_number });
			return emulator.store.calls.all().at(-1)!.id;
		});
		const began = clock.server;
		const { json } = await waitFor(...ids);
		expect(json).toMatchObject(ids.map((id) => ({ result: 'ended', call: { id } })));
		expect(clock.server - began).toBeLessThan(3 * MINUTE);
	});

	it('ends in an error if there is no such call', async () => {
		const { error } = await waitFor('3f2b8c1e-5d7a-4e90-9b1c-2a6d4f8e0b37');
		expect(error?.httpCode).toBe('404');
		expect(error?.message).toContain('shows it only after its end');
	});
});
