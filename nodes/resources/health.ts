import { enterAs, USUAL_NAMES } from '../api/names';
import { DONE, operation, type Resource } from '../table/operation';

/** Reference: "health check", whose path is not shown. */
export const health: Resource = {
	name: 'Health',
	description: 'Whether the API is up',
	operations: {
		check: operation({
			name: 'Check',
			action: 'Check API health',
			description: 'Check whether the API is up',
			request: `GET ${USUAL_NAMES.healthPath}` as `GET /${string}`,
			run: async (_input, api) => {
				const path = api.names.healthPath;
				const { data } = await api.send({ method: 'GET', path, mayBeEmpty: true });
				// The answer itself says that the API is up; what it holds is not shown.
				return data === null || typeof data === 'object' ? (data ?? DONE) : { value: data };
			},
			hints: () => ({
				404: `The API has its health check at another path: ${enterAs('healthPath')}.`,
			}),
		}),
	},
};
