import { DateTime, IANAZone } from 'luxon';
import { describe, expect, it } from 'vitest';

import { USUAL_NAMES } from '../../nodes/api/names.ts';
import type { JsonObject } from '../../nodes/json.ts';
import { filterEvents, groupByDay } from '../../nodes/resources/event/eventFilter.ts';
import { periodOf, type NamedPeriod } from '../../nodes/filters/period.ts';

/** The names of an account that shows the date of an event in this field. */
const dateIn = (field: string) => ({ ...USUAL_NAMES, eventDate: [field] });

/** The day before the clocks go forward in Rome. */
const NOW = DateTime.fromISO('2026-03-28T15:00', { zone: 'Europe/Rome' });

async function filtered(
	events: JsonObject[],
	{ period, ...given }: { period?: NamedPeriod; status?: string; dateField?: string } = {},
) {
	const told: string[] = [];
	const filter = {
		period: period ? periodOf(period, NOW) : {},
		statuses: given.status ? [given.status] : [],
	};
	const names = given.dateField === undefined ? USUAL_NAMES : dateIn(given.dateField);
	const found = filterEvents(events, filter, names, NOW.zone, (message) => told.push(message));
	return { ids: found.map(({ id }) => id), told };
}

describe('calendar events of a period', () => {
	it.each([
		['day', { date: '2026-03-29' }],
		['day under another name', { day: '2026-03-29', start_time: '10:00' }],
		['day, written as midnight in UTC', { date: '2026-03-29T00:00:00Z' }],
		['day, written as midnight', { date: '2026-03-29T00:00:00' }],
		['moment', { starts_at: '2026-03-28T23:00:00Z' }],
		['day and time in two fields', { date: '2026-03-29', start_time: '9:30' }],
		['moment inside an object', { start: { dateTime: '2026-03-29T23:59:59+02:00' } }],
	])('are found by their %s', async (_how, shown) => {
		const events = [{ id: 1, ...shown }];
		expect((await filtered(events, { period: 'tomorrow' })).ids).toEqual([1]);
		expect((await filtered(events, { period: 'next7Days' })).ids).toEqual([1]);
		expect((await filtered(events, { period: 'today' })).ids).toEqual([]);
		expect((await filtered(events, { period: 'last7Days' })).ids).toEqual([]);
	});

	it.each(['Z', ''])(
		'that begin at midnight in UTC are moments, unless the field is that of the day (%s)',
		async (utc) => {
			const zone = 'America/New_York';
			const now = DateTime.fromISO('2026-11-24T10:00', { zone });
			const events = ['2026-11-25', '2026-11-26'].map((day) => ({
				id: day,
				start_at: `${day}T00:00:00${utc}`,
			}));
			const idsIn = async (period: NamedPeriod) =>
				filterEvents(
					events,
					{ period: periodOf(period, now), statuses: [] },
					USUAL_NAMES,
					now.zone,
					() => {},
				);
			expect(await idsIn('today')).toMatchObject([{ id: '2026-11-25' }]);
			expect(await idsIn('tomorrow')).toMatchObject([{ id: '2026-11-26' }]);
		},
	);

	it.each([
		(dateTime: string) => ({ start: { dateTime, timeZone: 'America/New_York' } }),
		(dateTime: string) => ({ start_time: dateTime, timezone: 'America/New_York' }),
		() => ({ date: '2026-11-25', start_time: '20:00', timezone: 'America/New_York' }),
	])('have the time zone that they name', async (shape) => {
		const zone = 'America/New_York';
		const now = DateTime.fromISO('2026-11-24T10:00', { zone });
		const events = [{ id: 1, ...shape('2026-11-25T03:00:00.0000000') }];
		const filter = { period: periodOf('tomorrow', now), statuses: [] };
		expect(filterEvents(events, filter, USUAL_NAMES, now.zone, () => {})).toEqual(events);
		const today = { period: periodOf('today', now), statuses: [] };
		expect(filterEvents(events, today, USUAL_NAMES, now.zone, () => {})).toEqual([]);
	});

	it('without a date are left out, and the user is told; if none has one, the error names the setting', async () => {
		const dated = { id: 1, date: '2026-03-29' };
		const undated = { id: 2, date: 'soon', start_time: '10:00' };
		const { ids, told } = await filtered([dated, undated], { period: 'tomorrow' });
		expect(ids).toEqual([1]);
		expect(told).toEqual(['Calendar events without a date are left out: 1.']);
		const own = { id: 3, when: '2026-03-29' };
		await expect(filtered([own], { period: 'tomorrow' })).rejects.toThrow("'Calendar Event: Date'");
		expect((await filtered([own], { period: 'tomorrow', dateField: 'when' })).ids).toEqual([3]);
		expect((await filtered([], { period: 'tomorrow' })).ids).toEqual([]);
	});
});

describe('calendar events with a status', () => {
	const events = [
		{ id: 1, status: 'PENDING' },
		{ id: 2, state: 'no show' },
		{ id: 3, status: null },
	];

	it('that no event has are told, with the ones that there are', async () => {
		expect(await filtered(events, { status: 'open' })).toEqual({
			ids: [],
			told: ['No calendar event has the status open. The statuses found: "PENDING", "no show".'],
		});
		await expect(filtered([{ id: 4 }], { status: 'open' })).rejects.toThrow(
			"'Calendar Event: Status'",
		);
	});
});

it.each<[string, JsonObject, string?]>([
	['2026-03-29', { date: '2026-03-29', start_at: '2026-03-30T10:00:00Z' }],
	['2026-03-29', { day: '2026-03-29' }],
	['2026-03-29', { when: '2026-03-29T10:00:00Z' }, 'when'],
	['2026-03-28', { date: '2026-03-29T03:00:00Z' }],
	['2026-03-29', { date: '2026-03-29T00:00:00Z' }],
	['2026-03-28', { start_at: '2026-03-29T06:59:59Z' }],
	['2026-03-28', { date: null, start_at: '2026-03-29T06:59:59Z' }],
	['2026-03-29', { start_at: '2026-03-29T07:00:00Z' }],
])('a calendar event belongs to the day of the time zone: %s for %j', async (day, event, field) => {
	const zone = IANAZone.create('America/Los_Angeles');
	expect(groupByDay([event], field === undefined ? USUAL_NAMES : dateIn(field), zone)).toEqual([
		{ date: day, events: [event] },
	]);
});

it('a field that holds the date of no calendar event is refused', async () => {
	const events = [{ date: '2026-03-29' }, { date: '2026-03-30', whenn: null }];
	const filter = { period: { start: NOW }, statuses: [] };
	const find = () => filterEvents(events, filter, dateIn('whenn'), NOW.zone, () => {});
	expect(find).toThrow('show no date in "whenn". If they have it in another field');
	expect(find).toThrow("'Calendar Event: Date'");
});
