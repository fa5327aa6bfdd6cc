import { describe, expect, onTestFinished, test } from 'vitest';
import { clientOf } from '../emulator/client.ts';
import type { Client } from '../emulator/client.ts';
import { DIALECTS } from '../emulator/dialects/index.ts';
import { startEmulator } from '../emulator/index.ts';
import type { Emulator, Readings } from '../emulator/index.ts';
import { TRAIT_NAMES, TRAITS } from '../emulator/readings.ts';
import { shown, understood } from '../emulator/wire.ts';
import type { Kind } from '../emulator/wire.ts';

async function speaking(
	readings: Partial<Readings>,
): Promise<{ emulator: Emulator; send: Client }> {
	const emulator = await startEmulator({ data: 'small', readings });
	onTestFinished(() => emulator.close());
	return { emulator, send: clientOf(emulator) };
}

const NAMED = TRAIT_NAMES.flatMap((trait) => TRAITS[trait].map((value) => [trait, value] as const));

test('every file is a dialect', () => {
	expect(Object.keys(DIALECTS).length).toBeGreaterThan(9);
	for (const { about, readings } of Object.values(DIALECTS)) {
		expect(about).toMatch(/\.$/);
		for (const [trait, value] of Object.entries(readings))
			expect(TRAITS[trait as keyof Readings]).toContain(value);
	}
});

test.each(NAMED)('%s, %s: some dialect reads it so', (trait, value) => {
	const isUsual = TRAITS[trait][0] === value;
	const speak = Object.values(DIALECTS).some(({ readings }) => readings[trait] === value);
	expect(isUsual || speak).toBe(true);
});

describe.each(Object.entries(DIALECTS))('%s', (_name, { readings }) => {
	test('a record that is shown is understood again', async () => {
		const { emulator } = await speaking(readings);
		const { store, readings: all } = emulator;
		const records: Partial<Record<Kind, object[]>> = {
			campaign: store.campaigns.all(),
			catalogue: store.catalogues.all(),
			contact: store.contacts.all(),
			contactList: store.contactLists.all(),
			event: store.events.all(),
			item: store.items.all(),
			order: store.orders.all(),
			transaction: store.transactions.all(),
			usage: [store.usage!],
			wallet: [store.wallet],
		};
		for (const [kind, rows] of Object.entries(records) as Array<[Kind, object[]]>) {
			// The server's own field is no field of a body.
			const back = rows.map((row) => {
				const { revision: _, ...rest } = shown(kind, row, all) as Record<string, unknown>;
				return understood(kind, rest, all);
			});
			expect(back.map(undated), kind).toEqual(rows.map(undated));
		}
	});

	test('a record is found by its id, wherever its path is served', async () => {
		const { emulator, send } = await speaking(readings);
		const { store } = emulator;
		const { id } = store.orders.all()[0]!;
		const first = await send(`GET /orders/${encodeURIComponent(id)}`);
		const { location } = first.headers;
		const { pathname } = new URL(String(location ?? emulator.url), emulator.origin);
		const { body } = location ? await send(`GET ${pathname.slice('/v1'.length)}`) : first;
		expect(String(body.data.id)).toBe(id);
		expect(Boolean(location)).toBe(emulator.readings.slash.endsWith('adds'));
	});
});

/** Without its moments, which a server may write in less digits than the store keeps. */
function undated(record: unknown): object {
	const isMoment = (name: string) => /_at$|^transfer_time$|^period_/.test(name);
	return Object.fromEntries(Object.entries(record as object).filter(([name]) => !isMoment(name)));
}

test.each<[Partial<Readings>, number, string | undefined]>([
	[{ limited: '429 seconds' }, 429, '3'],
	[{ limited: '503 unsaid' }, 503, undefined],
])('a rate limit, %o', async (readings, status, wait) => {
	const { emulator, send } = await speaking(readings);
	emulator.faults.add({ kind: 'limited', seconds: 3 });
	const answer = await send('GET /orders');
	expect([answer.status, answer.headers['retry-after']]).toEqual([status, wait]);
});
