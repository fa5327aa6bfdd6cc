import { expect, it } from 'vitest';

import { ENVELOPES, RECORDS } from './answers.ts';
import { attack, isFull, some, tryEach } from './attack.ts';
import { serverForTests } from './server.ts';
import { TARGETS, USUAL } from './targets.ts';

const api = serverForTests();

/** The most requests that an answer may cause; waiting for calls and campaigns takes the most. */
const REQUESTS = 20;

/** A list that brings nothing new is given up after 25; a report reads three, and 100 calls have details. */
const WITHOUT_END = /^records with (one ID|dangerous IDs)$/;
const REQUESTS_WITHOUT_END = 130;

const cases = (isFull ? TARGETS : USUAL).map((target, at) => ({ ...target, at }));

it.each(cases)(
	'$operation ends in a result or one clear error, whatever the API answers',
	async (target) => {
		const { at, ...given } = target;
		const answers = [...some(ENVELOPES, at, 5), ...some(RECORDS, at, 5)];
		await tryEach(
			answers,
			({ name }) => name,
			async ({ name, answer }) => {
				api.answer = answer;
				const parameters = { ...target.parameters, waitAtMost: 0 };
				const { asked } = await attack(api, { ...given, parameters });
				const most = WITHOUT_END.test(name) ? REQUESTS_WITHOUT_END : REQUESTS;
				expect(asked.length, 'requests').toBeLessThanOrEqual(most);
			},
		);
	},
);
