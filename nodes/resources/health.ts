import { pathText } from '../api/path';
import { ASSUMED } from '../domain/assumed';
import { optionsOf } from '../table/common';
import { form } from '../table/form';
import { text } from '../table/kinds';
import { DONE, operation, type Resource } from '../table/operation';

const { healthPath } = ASSUMED;

/** Reference: "health check", whose path is not shown. */
export const health: Resource = {
	name: 'Health',
	description: 'Whether the API is up',
	operations: {
		check: operation({
			name: 'Check',
			action: 'Check API health',
			description: 'Check whether the API is up',
			request: `GET ${healthPath}`,
			fields: () =>
				form({
					options: optionsOf({
						path: text(
							{
								displayName: 'Path',
								default: healthPath,
								description: 'Advanced: path of the health check, if your API has it elsewhere',
							},
							pathText,
						),
					}),
				}).check(({ options }) => options),
			run: async ({ path }, { api, request }) => {
				const assumed = request();
				const { data } = await api.send({
					...assumed,
					path: path ?? assumed.path,
					mayBeEmpty: true,
				});
				// The answer itself says that the API is up; what it holds is not shown.
				return data === null || typeof data === 'object' ? (data ?? DONE) : { value: data };
			},
			hints: () => ({
				404: "The API has its health check at another path. Set it under 'Options', 'Path'.",
			}),
		}),
	},
};
