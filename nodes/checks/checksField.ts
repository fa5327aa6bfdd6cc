import { z } from 'zod';

import { CALL_STATUS } from '../domain/status';
import { isObject } from '../json';
import { settings, type InputOf, type Parameter } from '../table/form';
import { choice, collection, mayBeBlank, text, wholeNumber } from '../table/kinds';
import { isBlank, list, scalarText, trimmed } from '../table/schema';

/** An entry of a list, such as a cell of a table. */
const cell = z.preprocess((value) => value ?? '', trimmed(scalarText));

/** One text per line. A list from an expression does as well. Blank ones do not count. */
const texts = (displayName: string, description: string) =>
	mayBeBlank(
		text(
			{ displayName, typeOptions: { rows: 4 }, description: `${description}, one per line` },
			list(cell, undefined, /\n/).transform((all) => all.filter((text) => !isBlank(text))),
		),
	);

const seconds = (displayName: string, standard: number, description: string) =>
	mayBeBlank(
		wholeNumber({
			displayName,
			min: 0,
			default: standard,
			description: `${description}. Defaults to ${standard}.`,
		}),
	);

const form = settings({
	agentMustNotSay: texts('Agent Must Not Say', 'The agent must say none of these'),
	agentMustSay: texts('Agent Must Say', 'The agent must say each of these'),
	callerMustSay: texts('Caller Must Say', 'The person on the phone must say each of these'),
	expectedStatus: mayBeBlank(
		choice(CALL_STATUS, {
			displayName: 'Expected Status',
			default: 'Completed',
			description: 'How the call must end',
		}),
	),
	maxSeconds: seconds('Max Seconds', 120, 'The call must not take longer'),
	minSeconds: seconds('Min Seconds', 10, 'The call must last at least this long'),
	summaryMustContain: texts('Summary Must Contain', 'The summary must contain each of these'),
}).check((checks, refuse) => {
	const { minSeconds = 0, maxSeconds = Infinity, agentMustSay = [], agentMustNotSay = [] } = checks;
	if (agentMustSay.some((text) => agentMustNotSay.includes(text))) {
		refuse("has a text that is also in 'Agent Must Say'", 'agentMustNotSay');
	}
	if (minSeconds > maxSeconds) refuse("must not be less than 'Min Seconds'", 'maxSeconds');
	return checks;
});

/** What must be true of a call. A check that is blank, as an empty cell of a table, is none. */
export type Checks = InputOf<typeof form>;

const field = collection(
	{
		displayName: 'Checks',
		placeholder: 'Add check',
		description: 'Adds whether the call passed, and which checks failed',
	},
	form,
);

/** The checks of a call; undefined if the user added none. */
export const checksField: Parameter<Checks | undefined> = {
	...field,
	read: (value, place) =>
		isObject(value) && Object.keys(value).length > 0 ? field.read(value, place) : undefined,
};
