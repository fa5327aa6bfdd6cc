import type { INode, INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import type { JsonObject } from '../json';
import { ASSUMED } from '../domain/assumed';
import { whoIsCalled } from '../domain/testCall';
import { choices, optionalFields, picker } from '../table/fields';
import { UUID_RULE } from '../table/identifier';
import { operation, type Resource } from '../table/operation';
import { collection, flag, integer, jsonObject, oneOf, phone, uuid } from '../table/schema';
import {
	agentFields,
	alsoWaitFor,
	alsoWaitForInput,
	callFieldsInput,
	callFieldsOf,
	numberFields,
	statusFields,
	taskFields,
	waitAtMost,
	waitAtMostInput,
} from '../waiting/fields';
import { noticeOf } from '../waiting/outcome';
import { PLACE_CALLS, placeAndWait, textsIn, type Waiting } from '../waiting/testCalls';

/** How many test calls one run may place, unless the user says otherwise. */
const MAX_CALLS = 10;

const whenWaiting = (field: INodeProperties): INodeProperties => ({
	...field,
	displayOptions: { show: { waitForResult: [true] } },
});

/** The input of one item. */
interface TestCallInput {
	body: JsonObject;
	maxCalls: number;
	wait?: Waiting;
}

/** Why these calls may not be placed together. */
function refusalOf(inputs: TestCallInput[], refused: number, node: INode): string | undefined {
	const most = Math.min(...inputs.map(({ maxCalls }) => maxCalls));
	if (inputs.length > most) {
		return `${inputs.length} items would place as many calls, but 'Max Calls per Run' is ${most}. No call was placed. To place that many, raise it in 'Options'`;
	}
	const [first, ...others] = inputs.filter((input) => isAtOnce(input) && hasTwin(input, inputs));
	if (first !== undefined) {
		return `${others.length + 1} items call the same number with the same agent (${textsIn(first.body).join(', ')}). Placed at once, the calls could not be told apart. No call was placed. Set 'Place Calls' to 'One After Another'`;
	}
	if (!node.retryOnFail) return undefined;
	if (inputs.some(({ wait }) => wait === undefined)) {
		return `${RETRIES} in the settings of this node, or turn on 'Wait for the Result'`;
	}
	const continues = node.continueOnFail || node.onError?.startsWith('continue');
	return continues && inputs.length + refused > 1
		? `${RETRIES} in the settings of this node, or let the workflow stop when an item fails`
		: undefined;
}

/** With Retry On Fail, an item that fails makes n8n run the whole node again. */
const RETRIES =
	"'Retry On Fail' is on, so n8n could place a call twice. No call was placed. Turn it off";

const isAtOnce = ({ wait }: TestCallInput) => wait?.placeCalls === 'allAtOnce';

const hasTwin = (one: TestCallInput, inputs: TestCallInput[]) =>
	inputs.some((other) => other !== one && callKey(other) === callKey(one));

/** Equal for calls of the same agent to the same number. If these are unclear, all texts of the body count. */
const callKey = ({ body }: TestCallInput): string => {
	const texts = textsIn(body);
	const called = whoIsCalled(texts);
	return JSON.stringify(called.length > 1 ? called.sort() : texts.sort());
};

const bodyOfFields = () =>
	z.object({ agent_id: uuid, phone_number: phone }).transform(({ agent_id, phone_number }) => ({
		body: { [ASSUMED.testCallAgent]: agent_id, [ASSUMED.testCallPhone]: phone_number },
	}));

const bodyOfJson = () =>
	z
		.object({
			json: jsonObject.refine((fields) => Object.keys(fields).length > 0, {
				message: 'must have at least one field',
			}),
		})
		.transform(({ json: body }) => ({ body }));

/** The schema of the body, as `{ body }`. It is separate, so that its mistakes do not hide others. */
const bodyInput = () =>
	z
		.object({ specifyFields: oneOf({ fields: '', json: '' }).default('fields') })
		.passthrough()
		.transform(({ specifyFields, ...given }, ctx): { body: JsonObject } => {
			const schema = specifyFields === 'json' ? bodyOfJson() : bodyOfFields();
			const parsed = schema.safeParse(given);
			if (parsed.success) return parsed.data;
			parsed.error.issues.forEach((issue) => ctx.addIssue(issue));
			return z.NEVER;
		});

/** Reference: POST /playground/test-call. */
export const playground: Resource = {
	name: 'Playground',
	description: 'Test calls',
	operations: {
		makeTestCall: operation({
			name: 'Make Test Call',
			action: 'Make test call which costs money',
			description:
				'Have an outbound agent call a verified number, and wait for the result if you like. The call costs money, and it is never placed twice.',
			hint: 'Places a real call that costs money: only if the user asks for one, never in a loop or as a test. Set waitForResult for the outcome in result; the execution stays open. For several calls to one phone set placeCalls to one after another.',
			request: 'POST /playground/test-call',
			permission: 'WRITE together with MAKE_OUTBOUND_CALLS',
			fields: [
				{
					displayName: 'Specify Fields',
					name: 'specifyFields',
					type: 'options',
					options: [
						{ name: 'Using Fields Below', value: 'fields' },
						{ name: 'Using JSON', value: 'json' },
					],
					default: 'fields',
					description: 'How to enter the fields of the call',
				},
				{
					...picker({
						displayName: 'Agent',
						name: 'agent_id',
						search: 'searchOutboundAgents',
						description: 'Outbound agent that makes the call',
						rule: UUID_RULE,
					}),
					displayOptions: { show: { specifyFields: ['fields'] } },
				},
				{
					displayName: 'Phone Number',
					name: 'phone_number',
					type: 'string',
					required: true,
					displayOptions: { show: { specifyFields: ['fields'] } },
					default: '',
					placeholder: 'e.g. +14155550123',
					description: 'Number to call, with its country code. It must be verified in YK Voice.',
					hint: 'This phone rings, and the call costs money',
				},
				{
					displayName: 'JSON',
					name: 'json',
					type: 'json',
					displayOptions: { show: { specifyFields: ['json'] } },
					default: '{}',
					description: 'Fields of the call as a JSON object, with their names in the API',
				},
				{
					displayName: 'Wait for the Result',
					name: 'waitForResult',
					type: 'boolean',
					default: false,
					description:
						'Whether to wait until the call has ended, and return it with its result. The execution stays open meanwhile. The API key then needs READ or READ_WRITE too.',
				},
				whenWaiting({
					displayName: 'Place Calls',
					name: 'placeCalls',
					type: 'options',
					options: choices(PLACE_CALLS, {
						allAtOnce: 'Every call is placed at once, without waiting for the others',
						oneAfterAnother:
							"Each call is placed when the one before has ended, or its 'Wait at Most' is over",
					}),
					default: 'allAtOnce',
					description: 'When to place the calls of several items',
				}),
				whenWaiting(waitAtMost(10)),
				whenWaiting(alsoWaitFor),
				optionalFields('Options', 'options', 'Add option', [
					agentFields,
					{
						displayName: 'Max Calls per Run',
						name: 'maxCalls',
						type: 'number',
						typeOptions: { minValue: 1 },
						default: MAX_CALLS,
						description:
							'How many calls one run of this node may place. With more items, it places none. Defaults to 10.',
					},
					numberFields,
					statusFields,
					taskFields,
				]),
			],
			input: () =>
				bodyInput().and(
					z
						.object({
							waitForResult: flag.default(false),
							placeCalls: oneOf(PLACE_CALLS).default('allAtOnce'),
							waitAtMost: waitAtMostInput(10),
							waitFor: alsoWaitForInput,
							options: collection({ ...callFieldsInput, maxCalls: integer(1) }),
						})
						.transform(({ waitForResult, placeCalls, waitAtMost, waitFor, options }) => {
							const fields = callFieldsOf(options);
							const wait: Waiting = { placeCalls, most: waitAtMost, parts: waitFor, fields };
							const { maxCalls = MAX_CALLS } = options;
							return { maxCalls, ...(waitForResult && { wait }) };
						}),
				),
			payload: ({ body }) => body,
			refuse: refusalOf,
			run: async ({ body, wait }, context) =>
				wait === undefined
					? (await context.api.send(context.request())).data
					: await placeAndWait(body, wait, context),
			notice: (_input, records) => records.map(noticeOf).find(Boolean),
			hints: {
				400: 'The API refused the call. The agent must be an outbound one, and the number must be verified in YK Voice.',
			},
		}),
	},
};
