import type { INodeProperties } from 'n8n-workflow';

import { type CallFields } from '../domain/call';
import { ASSUMED } from '../domain/assumed';
import { choices } from '../table/fields';
import { list, nonBlank, number, oneOf } from '../table/schema';
import { CALL_PARTS } from '../domain/callParts';
import type { CampaignEnd } from './campaigns';
import { MINUTE } from '../time';

const { detail: _detail, ...AWAITED } = CALL_PARTS;

/** How long is waited, in minutes. */
export const waitAtMost = (minutes: number): INodeProperties => ({
	displayName: 'Wait at Most (Minutes)',
	name: 'waitAtMost',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 1440 },
	default: minutes,
	description:
		'How long to wait. The item then says how far it had come, and the workflow goes on.',
});

export const alsoWaitFor: INodeProperties = {
	displayName: 'Also Wait For',
	name: 'waitFor',
	type: 'multiOptions',
	options: choices(AWAITED),
	default: [],
	description:
		'What must exist besides the end of the call, and is returned with it. Where nobody spoke, it is not waited for.',
};

export const campaignStateFields: INodeProperties = {
	displayName: 'State Fields',
	name: 'stateFields',
	type: 'string',
	default: ASSUMED.campaignState.join(', '),
	description:
		"The names under which a campaign shows its state, separated by commas; the API's reference does not show them",
};

export const finalStates: INodeProperties = {
	displayName: 'Final States',
	name: 'finalStates',
	type: 'string',
	default: ASSUMED.campaignEnds.join(', '),
	description:
		"The states that a campaign does not leave, separated by commas, in any spelling; the API's reference does not show them",
};

const UNCHANGED_FOR = 5;

export const unchangedFor: INodeProperties = {
	displayName: 'Unchanged For (Minutes)',
	name: 'unchangedFor',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 1440 },
	default: UNCHANGED_FOR,
	description:
		'How long neither its state nor a counter must move for the campaign to be taken for over. Defaults to 5.',
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
	description: `Where its end is waited for: the names under which a call shows ${shows}, separated by commas; the API's reference does not show them`,
});

export const agentFields = namesField(
	'Agent Fields',
	'agentFields',
	ASSUMED.callAgent,
	'its agent',
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
	'its status',
);
export const taskFields = namesField(
	'Task Fields',
	'taskFields',
	ASSUMED.callTask,
	'the task it came of',
);

const names = list(nonBlank()).refine((given) => given.length > 0, {
	message: 'must name at least one',
});

/** How long is waited: entered in minutes, used in ms. */
export const waitAtMostInput = (minutes: number) =>
	number(0, 1440)
		.default(minutes)
		.transform((entered) => entered * MINUTE);

export const alsoWaitForInput = list(oneOf(AWAITED)).default([]);

/** The settings of how calls are recognised, as members of a collection. */
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

/** The settings of when a campaign is over, as members of a collection. */
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
