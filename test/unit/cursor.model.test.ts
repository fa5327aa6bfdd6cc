import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LIMITS, guard } from '../../nodes/trigger/reading/cursor.ts';
import { Memory } from '../../nodes/trigger/memory.ts';
import { activate, sweep } from '../../nodes/trigger/reading/sweep.ts';
import { Turns } from '../../nodes/trigger/overlap.ts';
import { history, play, type Subject } from './trigger-model.ts';

const HISTORIES = 10_000;

const SUBJECT: Subject = { LIMITS, guard, sweep, activate, Memory, Turns };

test(
	`${HISTORIES} histories: none lost, none doubled, none early`,
	{ timeout: 120_000 },
	async () => {
		const total = { histories: 0, polls: 0, emitted: 0, largest: 0 };
		await fc.assert(
			fc.asyncProperty(history, async (given) => {
				const { polls, emitted, largest } = await play(given, SUBJECT);
				total.histories += 1;
				total.polls += polls;
				total.emitted += emitted;
				total.largest = Math.max(total.largest, largest);
			}),
			{ numRuns: HISTORIES },
		);
		process.stdout.write(`${JSON.stringify(total)}\n`);
		expect(total.emitted).toBeGreaterThan(HISTORIES);
	},
);
