import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startEmulator, type Emulator } from '../emulator/index.ts';
import { readingsOf, SERVERS } from '../emulator/readings.ts';
import { Table } from '../emulator/table.ts';
import { NAMES } from '../../nodes/api/names.ts';
import { namesFor } from './user.ts';
import { NOT_SHOWN, PROBES } from '../../scripts/conformance/probes.ts';
import { examine, written, type Report } from '../../scripts/conformance/report.ts';

/** All texts in a record, but for very short ones. */
function valuesOf(value: unknown): string[] {
	if (Array.isArray(value)) return value.flatMap(valuesOf);
	if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(valuesOf);
	return typeof value === 'string' && value.length > 3 ? [value] : [];
}

/** Words of the server and not of a customer: states, types and names of lists. */
const ITS_OWN =
	/^(pending|confirmed|completed|cancelled|refused|rejected|approved|running|paused|stopped|draft|scheduled|inbound|outbound|meta|delivery|pickup|positive|neutral|negative|agent|caller|CONSUME|beta|backend_primary)$/i;

it('knows of each name whether a request that only reads shows it', () => {
	expect(NOT_SHOWN).toEqual([
		'callUnit',
		'callTask',
		'eventApprove',
		'eventConfirm',
		'eventReject',
	]);
});

describe.each(Object.keys(SERVERS))('%s', (server) => {
	let emulator: Emulator;
	let report: Report;

	beforeAll(async () => {
		emulator = await startEmulator({ data: 'small', readings: readingsOf(server) });
		const { store } = emulator;
		store.addCall({ call_status: 'In Progress' });
		report = await examine({ baseUrl: emulator.url, apiKey: emulator.keys.read });
	});

	afterAll(async () => await emulator.close());

	it('finds out which names to enter, and shows them as the credential has them', () => {
		const differing = Object.entries(namesFor(emulator)).filter(([key]) => key in PROBES);
		const found = report.rows.filter(({ isUsual, name }) => isUsual === false && name);
		expect(Object.fromEntries(found.map(({ key, name }) => [key, name]))).toEqual(
			Object.fromEntries(differing),
		);
		for (const { key, name } of found)
			expect(written(report)).toMatch(new RegExp(`  ${NAMES[key].label} +${name}`));
		// Nobody can enter a name for what is not there.
		const lacking = emulator.readings.callAgent === 'absent' ? ['callAgent'] : [];
		const missing = report.rows.filter(({ isUsual, name }) => isUsual === false && !name);
		expect(missing.map(({ key }) => key)).toEqual(lacking);
	});

	it('sends nothing but GET, and lists each request', () => {
		expect(new Set(emulator.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
		expect(report.requests).toHaveLength(emulator.requests.length);
		expect(report.requests.every(({ request }) => request.startsWith('GET /'))).toBe(true);
	});

	it('shows no value of a record', () => {
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
