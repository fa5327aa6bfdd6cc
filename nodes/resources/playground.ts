import { z } from 'zod';

import type { JsonObject } from '../json';
import { ASSUMED } from '../table/assumed';
import { picker } from '../table/fields';
import type { Resource } from '../table/operation';
import { jsonObject, oneOf, phone, uuid } from '../table/schema';

/** Reference: POST /playground/test-call. */
export const playground: Resource = {
	name: 'Playground',
	description: 'Test calls',
	operations: {
		makeTestCall: {
			name: 'Make Test Call',
			action: 'Make a test call, which costs money',
			description:
				'Have an outbound agent call a verified number. The call costs money, and it is never placed twice.',
			hint: 'This places a real phone call that costs money: only where the user asks for one, never in a loop or as a test of the workflow.',
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
					placeholder: '+14155550123',
					description: 'The number to call, in E.164 form; it must be verified in YK Voice',
				},
				{
					displayName: 'JSON',
					name: 'json',
					type: 'json',
					displayOptions: { show: { specifyFields: ['json'] } },
					default: '{}',
					description: 'The fields of the call as a JSON object, by their names in the API',
				},
			],
			input: () =>
				z
					.object({ specifyFields: oneOf({ fields: '', json: '' }).default('fields') })
					.passthrough()
					.transform(({ specifyFields, ...given }, ctx): JsonObject => {
						const schema =
							specifyFields === 'json'
								? z.object({ json: jsonObject })
								: z.object({ agent_id: uuid, phone_number: phone });
						const parsed = schema.safeParse(given);
						if (!parsed.success) {
							parsed.error.issues.forEach((issue) => ctx.addIssue(issue));
							return z.NEVER;
						}
						const fields = parsed.data;
						return 'json' in fields
							? fields.json
							: {
									[ASSUMED.testCallAgent]: fields.agent_id,
									[ASSUMED.testCallPhone]: fields.phone_number,
								};
					}),
			hints: {
				400: 'The API refused the call. The agent must be an outbound one, and the number must be verified in YK Voice.',
			},
		},
	},
};
