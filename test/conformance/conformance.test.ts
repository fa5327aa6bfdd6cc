import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { DIALECTS } from '../emulator/dialects.ts';
import { startEmulator, type Emulator, type Readings } from '../emulator/index.ts';
import { Table } from '../emulator/table.ts';
import { NOT_SHOWN } from '../../scripts/docs/notShown.ts';
import { PROBES } from './probes.ts';
import { examine, written, type Report } from './report.ts';

type Expected = (readings: Readings) => string | undefined;

/** What conformance must find on a server with these readings, if that is not the reading itself. */
const FINDS: Record<string, Expected> = {
	providers: ({ callDetail }) => (/providers/.test(callDetail) ? 'detail' : 'list'),
	callNumber: ({ names }) => (names === 'others' ? 'another name' : 'list'),
	betaBackend: ({ betaBackend }) => (betaBackend === 'own' ? 'another name' : 'beta_backend'),
	eventState: () => 'status or state',
	eventPath: ({ eventPaths }) => (eventPaths === 'nested' ? 'elsewhere' : '/events/{event_id}'),
	transactionDate: ({ names }) => (names === 'others' ? 'another name' : 'created_at'),
	amount: ({ names }) => (names === 'others' ? 'another name' : 'amount'),
	health: ({ health }) => (health === '/health' ? '/health' : 'elsewhere'),
	portalPaths: ({ portalPaths }) => (portalPaths === 'lower case' ? 'lower case' : 'otherwise'),
	filterValues: () => 'bare',
};

/** All texts in a record, but for very short ones. */
function valuesOf(value: unknown): string[] {
	if (Array.isArray(value)) return value.flatMap(valuesOf);
	if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(valuesOf);
	return typeof value === 'string' && value.length > 3 ? [value] : [];
}

/** Words of the server and not of a customer: states, types and names of lists. */
const ITS_OWN =
	/^(pending|confirmed|completed|cancelled|refused|rejected|approved|running|paused|stopped|draft|scheduled|inbound|outbound|meta|delivery|pickup|positive|neutral|negative|agent|caller|CONSUME|beta|backend_primary)$/i;

it('looks for every assumption, and for nothing else', () => {
	const subjects = NOT_SHOWN.flatMap((row) => row.subjects ?? []);
	expect([...subjects].sort()).toEqual(Object.keys(PROBES).sort());
});

const SERVERS: Record<string, Partial<Readings>> = {
	usual: {},
	...Object.fromEntries(Object.entries(DIALECTS).map(([name, { readings }]) => [name, readings])),
};

describe.each(Object.entries(SERVERS))('%s', (_name, readings) => {
	let emulator: Emulator;
	let report: Report;

	beforeAll(async () => {
		emulator = await startEmulator({ data: 'small', readings });
		const { store } = emulator;
		store.addCall({ call_status: 'In Progress' });
		report = await examine({ baseUrl: emulator.url, apiKey: emulator.keys.read });
	});

	afterAll(async () => await emulator.close());

	it.each(Object.keys(PROBES))('finds out: %s', (subject) => {
		const row = report.rows.find((one) => one.subject === subject)!;
		const { readings: all } = emulator;
		const wanted = FINDS[subject] ? FINDS[subject](all) : all[subject as keyof Readings];
		expect(row.found, row.evidence).toBe(wanted);
		if (row.verdict === 'refuted') expect(row.change).not.toBe('–');
	});

	it('sends nothing but GET, and lists each request [P160]', () => {
		expect(new Set(emulator.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
		expect(report.requests).toHaveLength(emulator.requests.length);
		expect(report.requests.every(({ request }) => request.startsWith('GET /'))).toBe(true);
	});

	it('shows no value of a record [P161]', () => {
		const { store } = emulator;
		const tables = Object.values(store).filter((one) => one instanceof Table);
		const values = tables.flatMap((table) => valuesOf(table.all()));
		const said = `${written(report)}${JSON.stringify(report)}`;
		const shown = [...new Set(values)].filter(
			(value) => !ITS_OWN.test(value) && said.includes(value),
		);
		expect(shown).toEqual([]);
	});
});

it.each([
	['no key', 'yk_unknown', 401],
	['a key that may not read', 'yk_emulator_none', 403],
])('with %s it says what to check, and nothing else', async (_what, apiKey, status) => {
	const emulator = await startEmulator({ data: 'small' });
	const examined = examine({ baseUrl: emulator.url, apiKey });
	await expect(examined).rejects.toThrow(`GET /contacts answered ${status}`);
	expect(emulator.requests).toHaveLength(1);
	await emulator.close();
});

it('waits where the server is busy', async () => {
	const emulator = await startEmulator({ data: 'small' });
	emulator.faults.add({ kind: 'limited', seconds: 0 });
	const { rows } = await examine({ baseUrl: emulator.url, apiKey: emulator.keys.read });
	expect(rows.find(({ subject }) => subject === 'callStatus')?.found).toBe('call_status');
	await emulator.close();
});
