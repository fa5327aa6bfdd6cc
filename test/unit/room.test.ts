import { expect, test } from 'vitest';

import { enter, roomFor } from '../../nodes/trigger/room.ts';

const MB = 2 ** 20;

test('the polls of one account share 512 MB, all share 1 GB, and none reads more than 128 MB [P195]', () => {
	const polls = [120, 120, 120, 120].map((size) => ({ received: size * MB }));
	const leaving = polls.map((poll) => enter(poll, 'north'));
	const [last, elsewhere] = [{ received: 0 }, { received: 0 }];
	const leave = enter(last, 'north');
	const leaveOther = enter(elsewhere, 'south');
	expect([roomFor(last), roomFor(elsewhere)]).toEqual([32 * MB, 128 * MB]);
	polls[0]!.received = 200 * MB;
	expect(roomFor(last)).toBe(8 * MB);
	leaving[0]!();
	expect(roomFor(last)).toBe(128 * MB);
	const others = Array.from({ length: 8 }, (_, at) =>
		enter({ received: 100 * MB }, `client ${at}`),
	);
	expect(roomFor(elsewhere)).toBe(8 * MB);
	for (const end of [...leaving, ...others, leave, leaveOther]) end();
	expect(roomFor(elsewhere)).toBe(128 * MB);
});
