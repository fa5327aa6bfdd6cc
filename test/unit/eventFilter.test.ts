import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';

import { periodOf, type NamedPeriod } from '../../nodes/filters/period.ts';
import type { JsonObject } from '../../nodes/json.ts';
import { filterEvents, groupByDay } from '../../nodes/resources/event/eventFilter.ts';

/** The day before the clocks go forward in Rome. */
const ROME = DateTime.fromISO('2026-03-28T15:00', { zone: 'Europe/Rome' });
const NEW_YORK = DateTime.fromISO('2026-11-24T10:00', { zone: 'America/New_York' });

/** The IDs of the events that are found, and what the user is told. */
function find(
	events: JsonObject[],
	period: NamedPeriod | undefined,
	{ now = ROME, statuses = [] as string[] } = {},
) {
	const told: string[] = [];
	const filter = { period: period ? periodOf(period, now) : {}, statuses };
	const found = filterEvents(events, filter, now.zone, (message) => told.push(message));
	return { ids: found.map(({ id }) => id), told };
}

describe('calendar events of a period', () => {
	it.each<[how: string, shown: JsonObject]>([
		['day, written as midnight in UTC', { date: '2026-03-29T00:00:00Z' }],
		['moment', { starts_at: '2026-03-28T23:00:00Z' }],
		['day and time in two fields', { date: '2026-03-29', start_time: '9:30' }],
		['moment inside an object', { start: { dateTime: '2026-03-29T23:59:59+02:00' } }],
	])('are found by their %s', (_how, shown) => {
		const isIn = (period: NamedPeriod) => find([{ id: 1, ...shown }], period).ids.length === 1;
		const periods = ['tomorrow', 'next7Days', 'today', 'last7Days'] as const;
		expect(periods.map(isIn)).toEqual([true, true, false, false]);
	});

	const zone = 'America/New_York';
	const late = '2026-11-25T03:00:00.0000000';
	it.each<[what: string, shown: JsonObject, period: NamedPeriod]>([
		['a moment at midnight in UTC', { start_at: '2026-11-25T00:00:00Z' }, 'today'],
		['a zone beside the moment', { start: { dateTime: late, timeZone: zone } }, 'tomorrow'],
		['a zone of the time', { date: '2026-11-25', start_time: '20:00', timezone: zone }, 'tomorrow'],
	])('have the zone that they name, or that of the workflow: %s', (_what, shown, period) => {
		const isIn = (name: NamedPeriod) => find([{ id: 1, ...shown }], name, { now: NEW_YORK }).ids;
		expect(isIn(period)).toEqual([1]);
		expect(isIn(period === 'today' ? 'tomorrow' : 'today')).toEqual([]);
	});

	it('are left out without a date, and the user is told', () => {
		const undated = { id: 2, date: 'soon', start_time: '10:00' };
		expect(find([{ id: 1, date: '2026-03-29' }, undated], 'tomorrow')).toEqual({
			ids: [1],
			told: ['Calendar events without a date are left out: 1.'],
		});
	});

	it('are refused if none has a date', () => {
		const event = { id: 3, when: '2026-03-29' };
		expect(() => find([event], 'tomorrow')).toThrow(/show no date in "date".*Remove the filter/);
	});
});

it('calendar events with a status that none has: the user is told which there are', () => {
	const events = [{ id: 1, status: 'PENDING' }, { id: 2, state: 'no show' }, { id: 3 }];
	const statuses = ['open'];
	expect(find(events, undefined, { statuses })).toEqual({
		ids: [],
		told: ['No calendar event has the status open. The statuses found: "PENDING", "no show".'],
	});
	expect(() => find([{ id: 4 }], undefined, { statuses })).toThrow(
		/has a status in "status", "state".*Remove the filter/,
	);
});

it.each<[day: string, event: JsonObject]>([
	['2026-03-29', { date: '2026-03-29', start_at: '2026-03-30T10:00:00Z' }],
	['2026-03-28', { date: null, start_at: '2026-03-29T06:59:59Z' }],
])('a calendar event belongs to the day of the zone: %s for %j', (day, event) => {
	const { zone } = DateTime.fromISO('2026-03-29', { zone: 'America/Los_Angeles' });
	const groups = groupByDay([event], zone);
	expect(groups).toEqual([{ date: day, events: [event] }]);
});
