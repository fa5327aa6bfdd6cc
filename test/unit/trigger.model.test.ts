import fc from 'fast-check';
import { expect, test } from 'vitest';

import { poll } from '../../nodes/trigger/poll.ts';
import { BOUNDS } from '../../nodes/trigger/kinds/memory.ts';
import { LIMITS } from '../../nodes/trigger/kinds/progress.ts';
import { historyOf, MODELLED } from './trigger-histories.ts';
import { play } from './trigger-host.ts';

/** `HISTORIES=10000 npx vitest run test/unit/trigger.model.test.ts` is the long run. */
const HISTORIES = Number(process.env.HISTORIES ?? 30);

test.each(MODELLED)(
	`%s, ${HISTORIES} random lives of a trigger: docs/trigger.md's promises hold`,
	{ timeout: 60_000 + HISTORIES * 2000 },
	async (event) => {
		const total = { polls: 0, requests: 0, emitted: 0, largest: 0 };
		const began = performance.now();
		const property = fc.asyncProperty(historyOf(event), async (history) => {
			const { polls, requests, emitted, largest } = await play(history, { poll, LIMITS, BOUNDS });
			total.polls += polls;
			total.requests += requests;
			total.emitted += emitted;
			total.largest = Math.max(total.largest, largest);
		});
		await fc.assert(property, { numRuns: HISTORIES });
		const seconds = Math.round((performance.now() - began) / 1000);
		process.stdout.write(`${event}: ${JSON.stringify({ ...total, seconds })}\n`);
		expect(total.emitted).toBeGreaterThan(HISTORIES / 5);
	},
);
