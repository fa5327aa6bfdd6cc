import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import type { EmulatorOptions } from '../emulator/index.ts';
import {
	accountForEachTest,
	changeAccount,
	emulator,
	named,
	run as runOperation,
} from '../support/account.ts';
import { october } from '../support/samples.ts';

accountForEachTest({ data: 'empty' });

const account = async (readings: EmulatorOptions['readings']) => {
	await changeAccount({ data: 'empty', readings });
	return emulator.store;
};

/** The statistics of a resource in October, if no other period is given. */
const run = async (
	resource: string,
	parameters: INodeParameters = {},
	names: Record<string, string> = {},
) =>
	await runOperation(
		`${resource}.getStatistics`,
		{ ...october, ...parameters },
		[{}],
		named(names),
	);

const within = { created_at: '2026-10-05T10:00:00Z' };
const before = { created_at: '2026-09-05T10:00:00Z' };

describe('statistics of an account with other field names', () => {
	test('calls: a hint says where to enter another name of the length', async () => {
		const store = await account({ names: 'others' });
		for (const duration_seconds of [90, 45]) store.addCall({ ...within, duration_seconds });

		const { json, hints } = await run('call');
		expect(json).toEqual([
			expect.objectContaining({ calls: 2, completed: 2, minutes: null, without_duration: 2 }),
		]);
		expect(hints[0]?.message).toMatch(/2 of the 2 calls .*have no length.*'Call: Length'/);

		const named = await run('call', {}, { callLength: 'talk_time' });
		expect(named.json[0]).toMatchObject({ minutes: 2.25, completed_average_seconds: 67.5 });
		expect(named.hints).toEqual([]);

		const inMinutes = await run('call', {}, { callLength: 'talk_time', callUnit: 'minutes' });
		expect(inMinutes.json[0]).toMatchObject({ minutes: 135 });
	});

	test('orders: amounts as text, a currency and line items of other names', async () => {
		const store = await account({ names: 'others', money: 'text' });
		const line = { sku: 'A', name: 'Pizza', quantity: 3, unit_price: 0.1, total_price: 0.3 };
		for (const total_amount of [0.1, 0.2, 10])
			store.addOrder({ ...within, status: 'completed', total_amount, line_items: [line] });
		store.addOrder({ ...before, status: 'confirmed', total_amount: 20.05 });
		store.addOrder({ ...within, status: 'refused', status_reason: 'Too far', total_amount: 5 });

		const first = async (parameters: INodeParameters) => (await run('order', parameters)).json[0];
		expect(await first({ compare: true, options: { differences: true } })).toMatchObject({
			currency: 'EUR',
			orders: 4,
			average: 3.43,
			amount: 15.3,
			revenue: 10.3,
			revenue_before: 20.05,
			revenue_difference: -9.75,
		});
		expect(await first({ groupBy: 'item', compare: false })).toMatchObject({
			sku: 'A',
			name: 'Pizza',
			quantity: 9,
			amount: 0.9,
		});
		expect(await first({ groupBy: 'reason' })).toMatchObject({
			status_reason: 'Too far',
			refused: 1,
			amount: 5,
		});
	});
});

test('providers and fallbacks that only the detail shows are counted', async () => {
	const store = await account({ callDetail: 'transfer time, providers' });
	for (const [ai_provider, ai_provider_fallback_used] of [
		['alpha', false],
		['bravo', true],
		['alpha', false],
		['bravo', false],
		['bravo', false],
		[null, null],
	] as const) {
		store.addCall({ ...within, ai_provider, ai_provider_fallback_used });
	}
	const options = { transfers: true };
	const whole = await run('call', { options });
	expect(whole.json[0]).toMatchObject({ fallback_used: 1, fallback_rate: 20 });
	const { json } = await run('call', { groupBy: 'provider', options });
	expect(json).toMatchObject([
		{ ai_provider: 'bravo', calls: 3, fallback_rate: 33.33 },
		{ ai_provider: 'alpha', calls: 2, fallback_rate: 0 },
		{ ai_provider: null, calls: 1, fallback_rate: null },
	]);
});

describe('billing', () => {
	const billing = (values: INodeParameters) => ({
		compare: true,
		options: { billing: { values }, differences: true },
	});

	test('rounds each call up, and multiplies exactly', async () => {
		const { store } = emulator;
		for (const duration_seconds of [1, 60, 61, 599.5]) {
			store.addCall({ ...within, duration_seconds, call_status: 'Completed' });
		}
		store.addCall({ ...within, duration_seconds: 500, call_status: 'Voicemail' });
		store.addCall({ ...before, duration_seconds: 30, call_status: 'Completed' });
		const by = async (values: INodeParameters) => (await run('call', billing(values))).json[0];
		expect(await by({ pricePerMinute: 0.15 })).toMatchObject({
			billed_calls: 4,
			billed_minutes: 14,
			total_price: 2.1,
			total_price_before: 0.15,
			total_price_difference: 1.95,
			price_per_minute: 0.15,
			currency: null,
		});
		// 6 + 60 + 66 + 600 seconds of 0.215 each minute: 2.623.
		expect(await by({ pricePerMinute: 0.215, roundUpTo: 6 })).toMatchObject({
			billed_minutes: 12.2,
			total_price: 2.62,
		});
		expect(await by({ pricePerMinute: 20.5, currency: 'jpy' })).toMatchObject({
			total_price: 287,
			currency: 'JPY',
		});
		expect(await by({ pricePerMinute: 0.0155, currency: 'BHD' })).toMatchObject({
			total_price: 0.217,
		});
		expect(
			await by({ roundUpTo: 1, minimumSeconds: 120, statuses: ['Completed', 'Voicemail'] }),
		).toMatchObject({ billed_calls: 5, billed_minutes: 24.33, total_price: null });
		// A call of 1 second counts as 90, which are two whole minutes.
		expect(await by({ minimumSeconds: 90 })).toMatchObject({ billed_minutes: 16 });
	});

	test('is never 0 because a price is missing', async () => {
		const fail = async (pricePerMinute: string) =>
			(await runOperation('call.getStatistics', { ...october, ...billing({ pricePerMinute }) }))
				.error;
		for (const price of ['0', '0.', '={{ 0 }}'])
			expect((await fail(price))?.message).toContain('must be more than 0. Leave it empty');
		emulator.store.addCall({ ...within, duration_seconds: 60, call_status: 'Completed' });
		const { json } = await run('call', billing({ pricePerMinute: '' }));
		expect(json[0]).toMatchObject({ billed_minutes: 1, total_price: null, price_per_minute: null });
	});

	test('takes price and currency from a table, whose cell may be empty', async () => {
		emulator.store.addCall({ ...within, duration_seconds: 60, call_status: 'Completed' });
		const values = {
			pricePerMinute: '={{ $json.minute_price }}',
			currency: '={{ $json.currency }}',
		};
		const rows = [
			{ minute_price: 0.15, currency: 'EUR' },
			{ minute_price: 15, currency: null },
		];
		const { json } = await runOperation(
			'call.getStatistics',
			{ ...october, options: { billing: { values } } },
			rows,
		);
		expect(json).toMatchObject([
			{ total_price: 0.15, price_per_minute: 0.15, currency: 'EUR' },
			{ total_price: 15, price_per_minute: 15, currency: null },
		]);
	});

	test('of calls without a length nothing is billed, and nobody knows the price', async () => {
		const store = await account({ names: 'others' });
		store.addCall(within);
		const { json, hints } = await run('call', billing({ pricePerMinute: 0.15 }));
		expect(json[0]).toMatchObject({ billed_minutes: null, total_price: null, without_duration: 1 });
		expect(hints[0]?.message).toContain('have no length');
	});
});

test('shares are of the calls that show a status; differences come also without the figures before', async () => {
	const { store } = emulator;
	for (const call_status of ['Completed', 'Completed', 'Busy', null] as const)
		store.addCall({ ...within, call_status: call_status as 'Busy' });
	store.addCall(before);
	const { json } = await run('call', { options: { shares: true, differences: true } });
	expect(json[0]).toMatchObject({
		completed_share: 66.67,
		busy_share: 33.33,
		failed_share: 0,
		calls: 4,
		calls_difference: 3,
	});
	expect(json[0]).not.toHaveProperty('calls_before');
});

test.each(['ours', 'others'] as const)(
	'calls are counted and filtered by direction: names %s',
	async (names) => {
		const store = await account({ names });
		const [guests, campaign] = [store.addAgent('inbound'), store.addAgent('outbound')];
		for (const { id } of [guests, guests, campaign]) store.addCall({ ...within, agent_id: id });
		const { json } = await run('call', { groupBy: 'direction' });
		expect(json.map(({ direction, calls }) => [direction, calls])).toEqual([
			['inbound', 2],
			['outbound', 1],
		]);
		const lists = emulator.requests.filter(({ path }) => path === '/agents/');
		// The agents are read only if the calls do not show their direction, and once.
		expect(lists).toHaveLength(names === 'ours' ? 0 : 1);
		const filters = { direction: 'outbound' };
		expect((await run('call', { filters })).json[0]).toMatchObject({ calls: 1 });
		const many = await runOperation('call.getAll', { returnAll: true, filters });
		expect(many.json.map(({ agent_id: id }) => id)).toEqual([campaign.id]);
	},
);

test('a direction that no call and no agent shows is refused', async () => {
	const store = await account({ names: 'others', callAgent: 'absent' });
	store.addCall(within);
	for (const parameters of [{ groupBy: 'direction' }, { filters: { direction: 'inbound' } }])
		expect((await run('call', parameters)).error?.message).toContain('do not show their direction');
});

// Which days a week has: unit/period.
test('weeks begin on Sunday if the user says so: their names and the order of their days', async () => {
	const { store } = emulator;
	// A Saturday, and the Sunday after it.
	for (const day of ['03', '04']) store.addCall({ created_at: `2026-10-${day}T10:00:00Z` });
	const called = async (groupBy: string) => {
		const { json } = await run('call', { groupBy, options: { firstDay: 'sunday' } });
		return json.filter(({ calls }) => calls === 1).map(({ week, weekday }) => week ?? weekday);
	};
	expect(await called('week')).toEqual(['2026-09-27', '2026-10-04']);
	expect(await called('weekday')).toEqual(['Sunday', 'Saturday']);
});

test.each([
	['call', ['agent', 'provider', 'status']],
	['order', ['item', 'status']],
	['wallet', []],
])('a row about each %s has 20 columns at most', async (resource, groups) => {
	const { store } = emulator;
	store.addCall({ ...within, agent_id: store.addAgent('inbound').id });
	store.addOrder({ ...within, status: 'completed', total_amount: 2 });
	store.addTransaction({ ...within, transaction_type: 'ADD', amount: 5 });
	for (const groupBy of ['none', 'day', 'weekday', ...groups]) {
		const { json } = await run(resource, { groupBy });
		expect(Object.keys(json[0]!).length, groupBy).toBeLessThanOrEqual(20);
	}
});
