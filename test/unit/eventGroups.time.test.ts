import { expect, it } from 'vitest';

import { groupByDate } from '../../nodes/domain/eventGroups.ts';

it('a day with many events is grouped in a time that grows with their number', () => {
	const spent = (count: number) => {
		const events = Array.from({ length: count }, (_, id) => ({ id }));
		const began = process.cpuUsage();
		expect(groupByDate(events, () => '2026-01-01')[0]?.events).toHaveLength(count);
		return process.cpuUsage(began).user / 1000;
	};
	spent(1000);
	expect(spent(40_000)).toBeLessThan(20 * spent(10_000) + 500);
});
