import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startEmulator, type Emulator, type LoggedRequest } from '../emulator/index.ts';
import type { NodeResult } from '../support/harness.ts';
import { placesOf } from '../support/places.ts';
import { samplesFor, type Sample } from '../support/samples.ts';
import { letWaitsPass } from '../support/sleep.ts';
import { operations } from '../support/runSample.ts';
import { isFull, run, sampleRun } from './lab.ts';
import {
	expectAdvice,
	FAULTS,
	kindOf,
	REPRESENTATIVE,
	type FaultCase,
	type Outcome,
} from './table.ts';

let endWaits: () => void;
beforeAll(() => void (endWaits = letWaitsPass()));
afterAll(() => endWaits());

const tried = isFull ? operations : REPRESENTATIVE;
const faults = FAULTS.filter(({ isVariant }) => isFull || !isVariant);

/** The faults of an operation. Without Timeout, a server that hangs takes minutes: see promises/stopEndsAll. */
const faultsOf = (name: string) => {
	const places = placesOf(name).map((place) => place.name);
	const hasOption = (option: string) => places.includes(`options.${option}`);
	return faults.filter(({ options = {} }) => Object.keys(options).every(hasOption));
};

/** The requests of each operation without a fault, found out once. */
const plans = new Map<string, Promise<LoggedRequest[]>>();
const planOf = async (name: string) => {
	if (!plans.has(name)) plans.set(name, plan(name));
	return await plans.get(name)!;
};

async function plan(name: string): Promise<LoggedRequest[]> {
	const emulator = await startEmulator({ data: 'small' });
	const { error } = await run(emulator, sampleRun(emulator, name));
	assert.equal(error, undefined);
	await emulator.close();
	return emulator.requests;
}

/** The requests that meet the fault: the first, the first that writes, and the last. */
const strikes = (requests: LoggedRequest[]) => {
	const write = requests.findIndex(({ method }) => method !== 'GET');
	return [...new Set([0, write, requests.length - 1])].filter((at) => at >= 0);
};

const signature = ({ method, path, query, body }: LoggedRequest) =>
	JSON.stringify([method, path, query, body]);

/** No POST or PATCH was handled twice, or sent twice after its answer may have been lost. */
function assertNotRepeated(emulator: Emulator, planned: LoggedRequest[], isLoss: boolean): void {
	const count = (requests: LoggedRequest[], of: LoggedRequest) =>
		requests.filter((request) => signature(request) === signature(of)).length;
	for (const request of emulator.requests) {
		if (kindOf(request) !== 'never') continue;
		const once = Math.max(1, count(planned, request));
		const handled = emulator.requests.filter(({ handled }) => handled);
		expect(count(handled, request), 'handled').toBeLessThanOrEqual(once);
		if (isLoss) expect(count(emulator.requests, request), 'sent').toBeLessThanOrEqual(once);
	}
}

/** What must happen to a run whose request number `from` meets the fault once. */
function outcomeOf(
	{ fault, once, isContent }: FaultCase,
	planned: LoggedRequest[],
	from: number,
): Outcome {
	const struck = planned[from]!;
	// A refusal has no data.
	const isRefusal = struck.status >= 400;
	if (isRefusal && (fault.kind === 'no-data' || fault.kind === 'wrong-data')) return 'unharmed';
	// A call may have no summary and no transcript, and a health check may answer anything.
	if (isContent && /\/(summary|transcript|health)$/.test(struck.path)) return 'untold';
	return once[kindOf(struck)];
}

/** A run with a fault, and the account afterwards. */
interface Trial {
	result: NodeResult;
	emulator: Emulator;
	sample: Sample;
}

/** Runs an operation whose requests from number `from` on meet the fault, `times` of them. */
async function under(
	{ fault, options }: FaultCase,
	name: string,
	{ from, times }: { from: number; times: number },
	look: (trial: Trial) => void,
): Promise<void> {
	const emulator = await startEmulator({ data: 'small' });
	const sample = samplesFor(emulator)[name]!;
	emulator.faults.add({ ...fault, skip: from, times });
	try {
		const result = await run(emulator, sampleRun(emulator, name, options));
		look({ result, emulator, sample });
	} finally {
		await emulator.close();
	}
}

/** Operations that tell in their item what went wrong: nothing fails after a call, and a report goes on. */
const TELLING: readonly string[] = ['playground.makeTestCall', 'report.create'];

/** A report names its sections that could not be read. */
const isTold = (text: string, { message }: FaultCase) =>
	message.test(text) || /"failed_sections":"[^"]/.test(text);

const tells = (name: string, { error, json, hints }: Trial['result']) =>
	TELLING.includes(name) && error === undefined
		? JSON.stringify([json, hints]).replaceAll('\\"', '"').replaceAll('‹', '<')
		: undefined;

describe.concurrent.each(tried)('%s', (name) => {
	it.each(faultsOf(name).map((fault) => [fault.name, fault] as const))(
		'%s, once: mended, or an error that says so',
		async (_fault, fault) => {
			const planned = await planOf(name);
			for (const from of strikes(planned)) {
				const outcome = outcomeOf(fault, planned, from);
				await under(fault, name, { from, times: 1 }, ({ result, emulator, sample }) => {
					const { error, json } = result;
					assertNotRepeated(emulator, planned, fault.isLoss === true);
					const told = outcome === 'unharmed' ? undefined : tells(name, result);
					if (told !== undefined && isTold(told, fault)) return;
					if (outcome === 'failed' || (outcome === 'either' && error !== undefined)) {
						expect(error?.message).toMatch(fault.message);
						expectAdvice(error?.description, fault, kindOf(planned[from]!) === 'read');
						return;
					}
					expect(error?.message).toBeUndefined();
					if (outcome === 'untold') expect(json.length).toBeGreaterThan(0);
					else sample.check(json, emulator);
					expect(emulator.unknown).toEqual([]);
				});
			}
		},
	);

	it.each(
		faultsOf(name)
			.filter(({ once }) => once.read !== 'unharmed')
			.map((fault) => [fault.name, fault] as const),
	)('%s, for good: an error that names the code and the fix', async (_fault, fault) => {
		const planned = await planOf(name);
		for (const from of strikes(planned)) {
			if (['unharmed', 'untold'].includes(outcomeOf(fault, planned, from))) continue;
			const settings = { from, times: Infinity };
			await under(fault, name, settings, ({ result, emulator }) => {
				const { error, json, hints } = result;
				assertNotRepeated(emulator, planned, fault.isLoss === true);
				const told = tells(name, result);
				if (told !== undefined)
					return expect(isTold(told, fault), `${from} of ${planned.length}: ${told}`).toBe(true);
				expect(json).toEqual([]);
				expect(hints).toEqual([]);
				expect(error?.name).toBe('NodeApiError');
				expect(error?.message).toMatch(fault.message);
				expectAdvice(error?.description, fault, kindOf(planned[from]!) === 'read');
			});
		}
	});
});

describe.concurrent.each(tried)('%s, where data has another shape than is due', (name) => {
	it('is an error for what reads, and a change that was made is handed on', async () => {
		// Any request may have any answer; events come in more than one shape, as may a call's parts,
		// and a call whose detail is none is counted as one of which that is not known.
		const free = ['apiRequest.send', 'call.getAll', 'call.getStatistics', 'event.getAll'];
		if (free.includes(name)) return;
		const planned = await planOf(name);
		const last = planned.at(-1)!;
		if (/\/(summary|transcript)$/.test(last.path)) return;
		const fault: FaultCase = {
			name: 'data of another shape',
			fault: { kind: 'other-shape' },
			once: { read: 'failed', twice: 'either', never: 'either' },
			message: /it holds no record|its data is not a (list of records|record)/,
			fix: /is not the YK Voice API/,
		};
		if (last.status >= 400) return;
		const at = { from: planned.length - 1, times: 1 };
		await under(fault, name, at, ({ result, emulator }) => {
			const { error, json } = result;
			assertNotRepeated(emulator, planned, true);
			const told = tells(name, result);
			if (told !== undefined) return expect(told).toMatch(/./);
			if (kindOf(last) !== 'read') {
				expect(error?.message).toBeUndefined();
				expect(json.length).toBeGreaterThan(0);
				return;
			}
			expect(error?.message).toMatch(fault.message);
			expect(error?.description).toMatch(fault.fix);
		});
	});
});
