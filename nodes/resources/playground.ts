import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { isObject, type JsonObject } from '../json';
import { ASSUMED } from '../domain/assumed';
import { optionalFields, picker } from '../table/fields';
import { UUID_RULE } from '../table/identifier';
import { FollowUp, operation, type Resource } from '../table/operation';
import { collection, flag, integer, jsonObject, oneOf, phone, uuid } from '../table/schema';
import { CallWatch, type CallState } from '../waiting/calls';
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
import { noticeOf, outcomeOf } from '../waiting/outcome';

/** How many test calls one run may place, unless the user says otherwise. */
const MAX_CALLS = 10;

const whenWaiting = (field: INodeProperties): INodeProperties => ({
	...field,
	displayOptions: { show: { waitForResult: [true] } },
});

/** Every text and number of a body, however deep. */
const textsIn = (value: unknown): string[] => {
	if (isObject(value) || Array.isArray(value)) return Object.values(value).flatMap(textsIn);
	return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
};

/** Without the call history there is nothing to wait by, so that the call is not placed. */
async function unprepared(error: unknown): Promise<never> {
	const said = error as Error & { description?: string | null };
	said.description = `No call was placed: to wait for its result, the call history is read first. ${said.description ?? ''}`;
	throw said;
}

/** Once the call is placed nothing may end in an error: n8n's Retry On Fail would place it again. */
const refused =
	(begun: CallState) =>
	(error: Error): CallState => ({ ...begun, verdict: { is: 'refused', error } });

/** What the API gets, as `{ body }`: by itself, so that no mistake hides another. */
const bodyInput = () =>
	z
		.object({ specifyFields: oneOf({ fields: '', json: '' }).default('fields') })
		.passthrough()
		.transform(({ specifyFields, ...given }, ctx): { body: JsonObject } => {
			const schema =
				specifyFields === 'json'
					? z.object({
							json: jsonObject.refine((fields) => Object.keys(fields).length > 0, {
								message: 'must have at least one field',
							}),
						})
					: z.object({ agent_id: uuid, phone_number: phone });
			const parsed = schema.safeParse(given);
			if (!parsed.success) {
				parsed.error.issues.forEach((issue) => ctx.addIssue(issue));
				return z.NEVER;
			}
			const fields = parsed.data;
			if ('json' in fields) return { body: fields.json };
			return {
				body: {
					[ASSUMED.testCallAgent]: fields.agent_id,
					[ASSUMED.testCallPhone]: fields.phone_number,
				},
			};
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
				'Have an outbound agent call a verified number, and wait for what comes of it where that is wanted. The call costs money, and it is never placed twice.',
			hint: 'This places a real phone call that costs money: only where the user asks for one, never in a loop or as a test of the workflow. Set waitForResult for the outcome: result then says how it went.',
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
					description: 'How the fields of the call are entered',
				},
				{
					...picker({
						displayName: 'Agent',
						name: 'agent_id',
						search: 'searchOutboundAgents',
						description: 'The outbound agent that calls, chosen from the list or named by its ID',
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
					description: 'The number to call, in E.164 form; it must be verified in YK Voice',
					hint: 'Its phone rings, and the call costs money',
				},
				{
					displayName: 'JSON',
					name: 'json',
					type: 'json',
					displayOptions: { show: { specifyFields: ['json'] } },
					default: '{}',
					description: 'The fields of the call as a JSON object, by their names in the API',
				},
				{
					displayName: 'Wait for the Result',
					name: 'waitForResult',
					type: 'boolean',
					default: false,
					description:
						'Whether to wait until the call has ended, and return the task together with the call. The key then needs READ or READ_WRITE too.',
				},
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
							'How many calls one run of this node may place. Where more items come in, none is called. Defaults to 10.',
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
							waitAtMost: waitAtMostInput(10),
							waitFor: alsoWaitForInput,
							options: collection({ ...callFieldsInput, maxCalls: integer(1) }),
						})
						.transform(({ waitForResult, waitAtMost, waitFor, options }) => {
							const wait = { most: waitAtMost, parts: waitFor, fields: callFieldsOf(options) };
							const { maxCalls = MAX_CALLS } = options;
							return { maxCalls, wait: waitForResult ? wait : undefined };
						}),
				),
			payload: ({ body }) => body,
			refuse: (inputs) => {
				const most = Math.min(...inputs.map(({ maxCalls }) => maxCalls));
				return inputs.length > most
					? `${inputs.length} items would place as many calls, and 'Max Calls per Run' is ${most}. No call was placed. Where so many are meant, raise it in Options`
					: undefined;
			},
			run: async ({ body, wait }, { api, request, share }) => {
				if (wait === undefined) return (await api.send(request())).data;
				const watch = share((reader) => new CallWatch(reader));
				const testCall = await watch.prepare(textsIn(body), wait.fields).catch(unprepared);
				const { data } = await api.send(request());
				const begun = watch.begin(testCall, data, wait.parts);
				return new FollowUp(async () => {
					const state = await watch.wait(begun, wait.most).catch(refused(begun));
					return { task: data, ...outcomeOf(state) };
				});
			},
			notice: (_input, records) => records.map(noticeOf).find(Boolean),
			hints: {
				400: 'The API refused the call. The agent must be an outbound one, and the number must be verified in YK Voice.',
			},
		}),
	},
};
