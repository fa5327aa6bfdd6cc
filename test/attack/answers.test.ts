import { expect, it } from 'vitest';

import { ENVELOPES, RECORDS } from './answers.ts';
import { attack, isFull, some, tryEach } from './attack.ts';
import { serverForTests } from './server.ts';
import { TARGETS, USUAL } from './targets.ts';

const api = serverForTests();

/**
 * The most requests that an answer may cause. A list that brings nothing new is given up after 25, and the
 * items of a sample read up to five.
 */
const REQUESTS = 150;

const cases = (isFull ? TARGETS : USUAL).map((target, at) => ({ ...target, at }));

it.each(cases)(
	'$operation ends in a result or one clear error, whatever the API answers',
	async (target) => {
		const { at, ...given } = target;
		const answers = [...some(ENVELOPES, at, 5), ...some(RECORDS, at, 5)];
		await tryEach(
			answers,
			({ name }) => name,
			async ({ answer }) => {
				api.answer = answer;
				const parameters = { ...target.parameters, waitAtMost: 0 };
				const { asked } = await attack(api, { ...given, parameters });
				expect(asked.length, 'requests').toBeLessThanOrEqual(REQUESTS);
			},
		);
	},
);
