import type { INode } from 'n8n-workflow';

import { groupedBy, type JsonObject } from '../json';
import { ASSUMED } from '../domain/assumed';
import { checksField, partsToCheck } from '../checks/checkCall';
import { optionsOf } from '../table/common';
import { always, form, when, type Form } from '../table/form';
import { UUID_RULE } from '../domain/identifiers';
import { choice, notice, picker, text, toggle, wholeNumber } from '../table/kinds';
import { operation, type Resource } from '../table/operation';
import { jsonField, specify, withPhones } from '../table/record';
import { phone, uuid } from '../table/schema';
import { MINUTE } from '../time';
import { whoIsCalled } from '../waiting/callWatch';
import { alsoWaitFor, waitAtMost } from '../waiting/waitingFields';
import { makeTestCall, PLACE_CALLS, TestCalls, type Waiting } from '../waiting/makeTestCall';

type TestCallInput = {
	body: JsonObject;
	maxCalls: number;
	wait?: Waiting;
	/** All calls of this run. */
	calls?: TestCalls;
};

/** @throws Error that says why these calls may not be placed together */
function assertAllowed(inputs: TestCallInput[], refused: number, node: INode): void {
	const most = inputs.reduce((least, { maxCalls }) => Math.min(least, maxCalls), Infinity);
	if (inputs.length > most) {
		throw new Error(
			`${inputs.length} items would place as many calls, but 'Max Calls per Run' is ${most}. No call was placed. To place that many, raise it in 'Options'`,
		);
	}
	const atOnce = inputs.filter(({ wait }) => wait?.placeCalls === 'allAtOnce');
	const called = atOnce.map(({ body }) => whoIsCalled(body));
	for (const [twin, { length }] of groupedBy(called, (number) => number)) {
		if (twin === undefined || length < 2) continue;
		throw new Error(
			`${length} items call the same number (${twin}). The phone would be busy. No call was placed. Set 'Place Calls' to 'One After Another'`,
		);
	}
	const continues = node.continueOnFail === true || node.onError?.startsWith('continue') === true;
	if (node.retryOnFail === true && continues && inputs.length + refused > 1) {
		// An item that fails makes n8n run the whole node again.
		throw new Error(
			"'Retry On Fail' is on, so n8n could place a call twice. No call was placed. Turn it off in the settings of this node, or let the workflow stop when an item fails",
		);
	}
}

const bodyForm = () =>
	form({
		cost: notice('This places a real call: the phone rings, and the call costs money'),
		specifyFields: specify,
		...when(
			{ show: { specifyFields: ['fields'] } },
			{
				agent_id: picker(
					{
						displayName: 'Agent',
						search: 'searchOutboundAgents',
						description: 'Outbound agent that makes the call',
						rule: UUID_RULE,
					},
					uuid,
				),
				phone_number: text(
					{
						displayName: 'Phone Number',
						required: true,
						placeholder: 'e.g. +14155550123',
						description: 'Number to call, with its country code. It must be verified in YK Voice.',
					},
					phone,
				),
			},
		),
		...jsonField(),
	}).check(({ specifyFields, agent_id, phone_number, json = {} }, refuse) => {
		if (specifyFields === 'fields') {
			const { testCallAgent, testCallPhone } = ASSUMED;
			return { body: { [testCallAgent]: agent_id, [testCallPhone]: phone_number } };
		}
		if (Object.keys(json).length === 0) refuse('must have at least one field', 'json');
		return { body: withPhones(json, (name) => name === ASSUMED.testCallPhone, refuse) };
	});

const waitingForm = () =>
	form({
		waitForResult: toggle({
			displayName: 'Wait for the Result',
			description:
				'Whether to wait for the result of the call. The execution stays open meanwhile.',
		}),
		...when(
			{ show: { waitForResult: [true] } },
			{
				placeCalls: choice(PLACE_CALLS, {
					displayName: 'Place Calls',
					meanings: {
						allAtOnce: 'Every call is placed at once, without waiting for the others',
						oneAfterAnother:
							"Each call is placed when the one before has ended, or its 'Wait at Most' is over",
					},
					default: 'allAtOnce',
					description: 'When to place the calls of several items',
				}),
				waitAtMost: waitAtMost(10),
				waitFor: alsoWaitFor,
				checks: checksField,
			},
		),
		options: optionsOf({
			maxCalls: always(
				wholeNumber({
					displayName: 'Max Calls per Run',
					min: 1,
					default: 10,
					description:
						'How many calls one run may place. With more items, it places none. Defaults to 10.',
				}),
			),
		}),
	}).check(({ placeCalls, waitAtMost: minutes = 0, waitFor = [], checks, options }) => {
		const parts = [...new Set([...waitFor, ...(checks ? partsToCheck(checks) : [])])];
		const wait = placeCalls && { placeCalls, most: minutes * MINUTE, parts, checks };
		return { maxCalls: options.maxCalls, wait };
	});

/** Reference: POST /playground/test-call. */
export const playground: Resource = {
	name: 'Playground',
	description: 'Test calls',
	operations: {
		makeTestCall: operation({
			name: 'Make Test Call',
			// An AI model reads the action and nothing else.
			action: 'Make paid test call',
			description:
				'Have an outbound agent call a verified number, and wait for the result if you like. The call costs money. If its answer is lost, it is not placed again.',
			hint: 'Places a real call that costs money: only if the user asks, never in a loop. Set waitForResult for the outcome in result, and checks for passed and failed_checks; the execution stays open. For calls to one phone set placeCalls to one after another.',
			request: 'POST /playground/test-call',
			does: ({ wait }) => (wait?.placeCalls === 'oneAfterAnother' ? 'changeInTurn' : 'change'),
			fields: (): Form<TestCallInput> => bodyForm().and(waitingForm()),
			arrange(all, refused, context) {
				const inputs = all.map(({ input }) => input);
				assertAllowed(inputs, refused, context.getNode());
				const calls = new TestCalls(context, all.length);
				return all.map((task) => ({ ...task, input: { ...task.input, calls } }));
			},
			run: async ({ body, wait, calls }, api) =>
				await calls!.noted(async () => await makeTestCall(body, wait, calls!.placed, api)),
			hints: () => ({
				400: 'The API refused the call. The agent must be an outbound one, and the number must be verified in YK Voice.',
			}),
		}),
	},
};
