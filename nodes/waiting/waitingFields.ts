import type { CallFields } from '../domain/call';
import { ASSUMED } from '../domain/assumed';
import { CALL_PARTS } from '../domain/callParts';
import { optionsOf } from '../table/common';
import { always } from '../table/form';
import { number, several, text, type Said } from '../table/kinds';
import { list, nonBlank } from '../table/schema';
import { MINUTE } from '../time';
import type { CampaignEnd } from './waitForCampaign';
import { without } from '../json';

const AWAITED = without(CALL_PARTS, 'detail');

/** How long to wait, in minutes. @param minutes the default */
export const waitAtMost = (minutes: number) =>
	number({
		displayName: 'Wait at Most (Minutes)',
		min: 0,
		max: 1440,
		default: minutes,
		description:
			'How long to wait; the execution stays open meanwhile. After that the item says how far it got, and the workflow goes on.',
	});

export const alsoWaitFor = several(AWAITED, {
	displayName: 'Also Wait For',
	description: 'Also wait until these exist (skipped if nobody spoke)',
});

/** Names, separated by commas. @param assumed those that count if the user adds none */
const names = (assumed: readonly string[], said: Said) =>
	always(
		text({ ...said, default: assumed.join(', ') }, list(nonBlank(), 'must name at least one')),
	);

export const statusFields = names(ASSUMED.callStatus, {
	displayName: 'Status Fields',
	description:
		'Advanced: names of the fields that may hold the status of a call, separated by commas',
});

const toFindBy = (what: string) =>
	`Advanced: names of the fields that may hold ${what}, separated by commas. Used to find the call in the call history.`;

/** Where a call shows its agent, its number, its status and its task. */
export const callFields = {
	agentFields: names(ASSUMED.callAgent, {
		displayName: 'Agent Fields',
		description: toFindBy('the agent of a call'),
	}),
	numberFields: names(ASSUMED.callNumber, {
		displayName: 'Number Fields',
		description: toFindBy('the number that was called'),
	}),
	statusFields,
	taskFields: names(ASSUMED.callTask, {
		displayName: 'Task Fields',
		description: toFindBy('the task that a call belongs to'),
	}),
};

/** What these settings say. A row may leave out those that it does not need. */
export const callFieldsOf = ({
	agentFields: agent = ASSUMED.callAgent,
	numberFields: number = ASSUMED.callNumber,
	statusFields: status = ASSUMED.callStatus,
	taskFields: task = ASSUMED.callTask,
}: Partial<Record<keyof typeof callFields, readonly string[]>>): CallFields => ({
	agent,
	number,
	status,
	task,
});

/** The settings that say when a campaign is over. */
export const campaignEnd = optionsOf({
	stateFields: names(ASSUMED.campaignState, {
		displayName: 'State Fields',
		description:
			'Advanced: names of the fields that may hold the state of a campaign, separated by commas',
	}),
	finalStates: names(ASSUMED.campaignEnds, {
		displayName: 'Final States',
		description:
			'Advanced: states in which a campaign is over, separated by commas, in any spelling',
	}),
	unchangedFor: always(
		number({
			displayName: 'Unchanged For (Minutes)',
			min: 1,
			max: 1440,
			default: 5,
			description:
				'The campaign counts as over if neither its state nor a counter has changed for this long. Defaults to 5.',
		}),
	),
});

export const campaignEndOf = ({
	stateFields,
	finalStates: states,
	unchangedFor,
}: ReturnType<(typeof campaignEnd)['read']>): CampaignEnd => ({
	stateFields,
	states,
	quiet: unchangedFor * MINUTE,
});
