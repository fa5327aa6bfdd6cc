import fc from 'fast-check';
import { expect, test } from 'vitest';

import { poll } from '../../nodes/trigger/poll.ts';
import { LIMITS } from '../../nodes/trigger/reading/window.ts';
import { history, MODELLED, play } from './trigger-model.ts';

/** `HISTORIES=10000 npx vitest run test/unit/trigger.model.test.ts` is the long run. */
const HISTORIES = Number(process.env.HISTORIES ?? 60);

test.each(MODELLED)(
	`%s, ${HISTORIES} histories: none lost, none doubled, none early, nothing in silence`,
	{ timeout: HISTORIES > 60 ? 6_000_000 : 300_000 },
	async (event) => {
		const total = { polls: 0, requests: 0, emitted: 0, largest: 0 };
		const property = fc.asyncProperty(history, async ({ setup, steps }) => {
			const stats = await play({ setup: { ...setup, event }, steps }, { poll, LIMITS });
			total.polls += stats.polls;
			total.requests += stats.requests;
			total.emitted += stats.emitted;
			total.largest = Math.max(total.largest, stats.largest);
		});
		await fc.assert(property, { numRuns: HISTORIES });
		process.stdout.write(`${event}: ${JSON.stringify(total)}\n`);
		expect(total.emitted).toBeGreaterThan(HISTORIES);
	},
);
