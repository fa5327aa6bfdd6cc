import type { CallFields } from '../domain/call';
import { ASSUMED } from '../domain/assumed';
import { CALL_PARTS } from '../domain/callParts';
import { optionsOf } from '../table/common';
import { always } from '../table/form';
import { number, several, text } from '../table/kinds';
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
const names = (displayName: string, assumed: readonly string[], description: string) =>
	always(
		text(
			{ displayName, default: assumed.join(', '), description: `Advanced: ${description}` },
			list(nonBlank(), 'must name at least one'),
		),
	);

const callNames = (displayName: string, assumed: readonly string[], shows: string) =>
	names(
		displayName,
		assumed,
		`names of the fields that may hold ${shows}, separated by commas. Used to find the call in the call history.`,
	);

export const statusFields = names(
	'Status Fields',
	ASSUMED.callStatus,
	'names of the fields that may hold the status of a call, separated by commas',
);

/** Where a call shows its agent, its number, its status and its task. */
export const callFields = {
	agentFields: callNames('Agent Fields', ASSUMED.callAgent, 'the agent of a call'),
	numberFields: callNames('Number Fields', ASSUMED.callNumber, 'the number that was called'),
	statusFields,
	taskFields: callNames('Task Fields', ASSUMED.callTask, 'the task that a call belongs to'),
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
	stateFields: names(
		'State Fields',
		ASSUMED.campaignState,
		'names of the fields that may hold the state of a campaign, separated by commas',
	),
	finalStates: names(
		'Final States',
		ASSUMED.campaignEnds,
		'states in which a campaign is over, separated by commas, in any spelling',
	),
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
