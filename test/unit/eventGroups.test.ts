import { describe, expect, test } from 'vitest';

import { pageIn } from '../../nodes/api/lists.ts';
import { calendarEventsIn } from '../../nodes/domain/eventGroups.ts';
import { PagedList } from '../support/pagedList.ts';

const [first, second, third] = ['2026-11-01', '2026-11-02', '2026-11-03'] as const;

const one = { id: '1', title: 'Dinner', status: 'pending' };
const two = { id: '2', title: 'Lunch', status: 'confirmed' };
const three = { id: '3', title: 'Tasting', status: 'pending' };

/** The items that the node makes of them. */
const all = [
	{ date: first, ...one },
	{ date: first, ...two },
	{ date: second, ...three },
];

describe('events by date', () => {
	test.each<[form: string, data: unknown]>([
		[
			'groups',
			[
				{ date: first, events: [one, two] },
				{ date: second, events: [three] },
			],
		],
		[
			'groups with more fields and another name for the list',
			[
				{ day: first, weekday: 'Sunday', count: 2, items: [one, two] },
				{ day: second, weekday: 'Monday', count: 1, items: [three] },
			],
		],
		['an object by date', { [first]: [one, two], [second]: [three], [third]: null }],
		[
			'an object by date, with each list under a name',
			{
				[first]: { count: 2, events: [one, two] },
				[second]: { count: 1, events: [three] },
				[third]: { count: 0, events: null },
			},
		],
		['a flat list', all],
	])('are found in %s', (_form, data) => {
		expect(calendarEventsIn(data)).toEqual(all);
	});

	test.each<[what: string, event: object]>([
		['with another name for the id', { event_id: 1, date: first, status: 'new' }],
		['with an id, without a status', { id: 1, date: first }],
		['without an id, with a status', { date: first, title: 'Dinner', status: 'new' }],
		['without an id, with a state', { date: first, title: 'Dinner', state: 'new' }],
	])('are found in a flat list of events %s, though they hold lists', (_what, event) => {
		const flat = [
			{ ...event, extras: [{ name: 'table', value: 4 }], guests: [] },
			{ ...event, extras: [], guests: [{ id: 9, name: 'Ada', status: 'accepted' }] },
			{ ...event, extras: null, guests: null },
		];
		expect(calendarEventsIn(flat)).toEqual(flat);
	});

	test('are found in a flat list without ids, though they hold lists of names and values', () => {
		const flat = [{ date: first, title: 'Dinner', extras: [{ name: 'table', value: 4 }] }];
		expect(calendarEventsIn(flat)).toEqual(flat);
	});

	test.each<[what: string, data: unknown, said: string]>([
		[
			'an object by date that holds no list',
			{ [first]: { count: 5, slots: { '09:00': one } }, [second]: { count: 0 } },
			`an object with "${first}", "${second}"`,
		],
		['a list under a name', { items: all, page: 1 }, 'an object with "items", "page"'],
		['lists of ids', { [first]: ['1', '2'] }, `an object with "${first}"`],
		['a text', 'none', 'string'],
	])('are not found in %s, and the error shows what came', (_what, data, said) => {
		const { api } = new PagedList([]);
		expect(() => pageIn({ data, meta: { total_items: 5 } }, api, calendarEventsIn)).toThrow(
			`its data is not a list of records but ${said}`,
		);
	});
});
