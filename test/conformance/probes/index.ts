import * as agents from './agents.ts';
import * as answers from './answers.ts';
import * as calls from './calls.ts';
import * as filters from './filters.ts';
import { untold, type Probe } from './finding.ts';
import * as lists from './lists.ts';
import * as moments from './moments.ts';
import * as paths from './paths.ts';
import * as records from './records.ts';

/** What only a change could show. */
const WRITTEN = {
	success: 'what a change answers',
	put: 'what a PUT leaves',
	patchObjects: 'what a PATCH leaves inside an object',
	eventStatus: 'an event’s status',
	membership: 'a membership',
	batch: 'a list of contacts or items',
	assignment: 'an assignment',
	testCall: 'a test call',
};

type Written = keyof typeof WRITTEN;

const written = Object.fromEntries(
	Object.entries(WRITTEN).map(([subject, what]): [string, Probe] => [
		subject,
		() => Promise.resolve(untold(`${what} is written, and only GET was sent`)),
	]),
) as Record<Written, Probe>;

/** How to find out each subject of `NOT_SHOWN`: everything that the files beside this one export. */
export const PROBES = {
	...agents,
	...answers,
	...calls,
	...filters,
	...lists,
	...moments,
	...paths,
	...records,
	...written,
} satisfies Record<string, Probe>;

export type Subject = keyof typeof PROBES;
