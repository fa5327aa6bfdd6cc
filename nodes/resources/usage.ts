import { USAGE_HINTS } from '../domain/usage';
import { sends, type Resource } from '../table/operation';

/** Reference: GET /usage. */
export const usage: Resource = {
	name: 'Usage',
	description: 'Minutes of the current billing period',
	operations: {
		get: {
			name: 'Get',
			action: 'Get usage',
			description: 'Retrieve the minutes included, used and remaining in the billing period',
			hint: 'An organization without an active plan answers 404: let the workflow continue if that may happen.',
			...sends('GET /usage'),
			hints: () => USAGE_HINTS,
		},
	},
};
