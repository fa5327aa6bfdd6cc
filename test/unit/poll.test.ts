import fc from 'fast-check';
import { expect, test } from 'vitest';

import { EVENTS, historyOf, historyOfAccounts, SHARED_EVENTS } from '../model/history.ts';
import { play } from '../model/play.ts';
import { SAVED } from '../model/saved.ts';

// Histories of a trigger, saved and random ones, with the real code of the trigger: support/polling polls as n8n does,
// and the emulator answers. In test/model, history.ts says what can happen, play.ts and accounts.ts make it happen, and
// expectations.ts checks what docs/limits.md promises, by what happened in the accounts and by the items that came.

/** `HISTORIES=2500 npx vitest run test/unit/poll.test.ts` is the long run. */
const HISTORIES = Number(process.env.HISTORIES ?? 4);

test.each(Object.entries(SAVED))('does not happen again: %s', async (_mistake, history) => {
	await play(history);
});

/** Expects that random histories hold, and that they have items. */
async function expectToHold(histories: fc.Arbitrary<Parameters<typeof play>[0]>): Promise<void> {
	let emitted = 0;
	const property = fc.asyncProperty(histories, async (history) => {
		emitted += await play(history);
	});
	await fc.assert(property, { numRuns: HISTORIES });
	expect(emitted).toBeGreaterThan(HISTORIES / 5);
}

test.each(EVENTS)(
	`%s, ${HISTORIES} random histories: nothing is lost and nothing comes twice`,
	{ timeout: 300_000 + HISTORIES * 2000 },
	async (event) => await expectToHold(historyOf(event)),
);

test.each(SHARED_EVENTS)(
	`%s of several accounts, ${HISTORIES} random histories: nothing is lost, mixed, or comes twice`,
	{ timeout: 300_000 + HISTORIES * 10_000 },
	async (event) => await expectToHold(historyOfAccounts(event)),
);
