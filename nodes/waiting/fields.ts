import type { INodeProperties } from 'n8n-workflow';

import { type CallFields } from '../domain/call';
import { ASSUMED } from '../domain/assumed';
import { choices } from '../table/fields';
import { list, nonBlank, number, oneOf } from '../table/schema';
import { CALL_PARTS } from '../domain/callParts';
import type { CampaignEnd } from './campaigns';
import { MINUTE } from '../time';

const { detail: _detail, ...AWAITED } = CALL_PARTS;

/** How long to wait. @param minutes the default */
export const waitAtMost = (minutes: number): INodeProperties => ({
	displayName: 'Wait at Most (Minutes)',
	name: 'waitAtMost',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 1440 },
	default: minutes,
	description:
		'How long to wait; the execution stays open meanwhile. After that the item says how far it got, and the workflow goes on.',
});

export const alsoWaitFor: INodeProperties = {
	displayName: 'Also Wait For',
	name: 'waitFor',
	type: 'multiOptions',
	options: choices(AWAITED),
	default: [],
	description: 'Also wait until these exist (skipped if nobody spoke)',
};

export const campaignStateFields: INodeProperties = {
	displayName: 'State Fields',
	name: 'stateFields',
	type: 'string',
	default: ASSUMED.campaignState.join(', '),
	description:
		'Advanced: names of the fields that may hold the state of a campaign, separated by commas',
};

export const finalStates: INodeProperties = {
	displayName: 'Final States',
	name: 'finalStates',
	type: 'string',
	default: ASSUMED.campaignEnds.join(', '),
	description: 'Advanced: states in which a campaign is over, separated by commas, in any spelling',
};

const UNCHANGED_FOR = 5;

export const unchangedFor: INodeProperties = {
	displayName: 'Unchanged For (Minutes)',
	name: 'unchangedFor',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 1440 },
	default: UNCHANGED_FOR,
	description:
		'The campaign counts as over if neither its state nor a counter has changed for so long. Defaults to 5.',
};

const namesField = (
	displayName: string,
	name: string,
	names: readonly string[],
	shows: string,
): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	default: names.join(', '),
	description: `Advanced: names of the fields that may hold ${shows}, separated by commas. Used to find the call in the call history.`,
});

export const agentFields = namesField(
	'Agent Fields',
	'agentFields',
	ASSUMED.callAgent,
	'the agent of a call',
);
export const numberFields = namesField(
	'Number Fields',
	'numberFields',
	ASSUMED.callNumber,
	'the number that was called',
);
export const statusFields = namesField(
	'Status Fields',
	'statusFields',
	ASSUMED.callStatus,
	'the status of a call',
);
export const taskFields = namesField(
	'Task Fields',
	'taskFields',
	ASSUMED.callTask,
	'the task that a call belongs to',
);

const names = list(nonBlank()).refine((given) => given.length > 0, {
	message: 'must name at least one',
});

/** The schema of `waitAtMost`: minutes become ms. */
export const waitAtMostInput = (minutes: number) =>
	number(0, 1440)
		.default(minutes)
		.transform((entered) => entered * MINUTE);

export const alsoWaitForInput = list(oneOf(AWAITED)).default([]);

/** The schemas of the fields that show a call's agent, number, status and task, for a collection. */
export const callFieldsInput = {
	agentFields: names,
	numberFields: names,
	statusFields: names,
	taskFields: names,
};

export const callFieldsOf = (given: {
	agentFields?: string[];
	numberFields?: string[];
	statusFields?: string[];
	taskFields?: string[];
}): CallFields => ({
	agent: given.agentFields ?? ASSUMED.callAgent,
	number: given.numberFields ?? ASSUMED.callNumber,
	status: given.statusFields ?? ASSUMED.callStatus,
	task: given.taskFields ?? ASSUMED.callTask,
});

/** The schemas of the settings that say when a campaign is over, for a collection. */
export const campaignEndInput = {
	stateFields: names,
	finalStates: names,
	unchangedFor: number(1, 1440),
};

export const campaignEndOf = (given: {
	stateFields?: string[];
	finalStates?: string[];
	unchangedFor?: number;
}): CampaignEnd => ({
	stateFields: given.stateFields ?? ASSUMED.campaignState,
	states: given.finalStates ?? ASSUMED.campaignEnds,
	quiet: (given.unchangedFor ?? UNCHANGED_FOR) * MINUTE,
});
