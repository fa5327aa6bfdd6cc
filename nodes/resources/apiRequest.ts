import { z } from 'zod';

import { pathText } from '../api/path';
import { readAll } from '../api/lists';
import { calendarEventsIn } from '../domain/eventGroups';
import { form, when } from '../table/form';
import { choice, json, text, toggle } from '../table/kinds';
import { operation, type Resource } from '../table/operation';
import { isPaging, objectOfPairs, pairs, refuseNames } from '../table/pairs';
import { jsonBody, optional, scalarText } from '../table/schema';

const METHODS = { DELETE: 'DELETE', GET: 'GET', PATCH: 'PATCH', POST: 'POST', PUT: 'PUT' } as const;

const allPages = toggle({
	displayName: 'All Pages',
	description: 'Whether to read all pages of a list',
});

const body = json(
	{
		displayName: 'Body',
		description: 'The body as a JSON object or list. If it is empty, none is sent.',
	},
	optional(jsonBody),
);

const includeMeta = toggle({
	displayName: 'Include Meta',
	description:
		"Whether to return the whole answer as one item: its 'data', and its 'meta' such as the total of a list",
});

const query = pairs(
	{ displayName: 'Query Parameters', placeholder: 'Add parameter' },
	{ name: 'parameter', displayName: 'Parameter' },
	scalarText,
);

const withoutQuery = z.string().refine((path) => !path.includes('?'), {
	message: "must not contain ?. Enter what follows it under 'Query Parameters'",
});

/**
 * The records of a page. Those of events may be in groups by date, and the offset of the next page counts
 * the events.
 * @throws Error if the answer is not a list
 */
function recordsIn(data: unknown, path: string): unknown[] {
	const records = /^\/?events\/?$/.test(path) ? calendarEventsIn(data) : data;
	if (Array.isArray(records)) return records;
	throw new Error(
		"The answer is not a list, so it has no pages. Turn off 'All Pages' to get it as it is.",
	);
}

/** Requests that have no operation of their own, such as reservations, documents and webhooks. */
export const apiRequest: Resource = {
	name: 'API Request',
	description: 'Any other request to the API',
	operations: {
		send: operation({
			name: 'Send',
			action: 'Send API request',
			description:
				'Send any request to the API, with the credential, retries and paging of this node',
			hint: 'Only for what has no operation of its own, such as reservations, documents and webhooks.',
			request: 'GET /{path}',
			isAny: true,
			fields: () =>
				form({
					method: choice(METHODS, {
						displayName: 'Method',
						default: 'GET',
						description: 'HTTP method of the request. GET reads, the others change data.',
					}),
					path: text(
						{
							displayName: 'Path',
							required: true,
							placeholder: 'e.g. /reservations',
							description: 'Path of the request below the base URL',
						},
						withoutQuery.pipe(pathText),
					),
					...when({ show: { method: ['GET'] } }, { allPages }),
					...when({ hide: { method: ['GET'] } }, { body }),
					...when({ show: { allPages: [false] } }, { includeMeta }),
					query,
				}).check(({ query: parameters, body: sent = {}, ...given }, refuse) => {
					const byNode = (name: string) =>
						given.allPages && isPaging(name)
							? "'All Pages' sets it. Remove it, or turn off 'All Pages'"
							: undefined;
					refuseNames(parameters, byNode, refuse, 'query');
					return { ...given, body: sent, query: objectOfPairs(parameters) };
				}),
			method: ({ method }) => method,
			hints: {
				404: "The API has nothing under this path, or no record with the ID in it. Check 'Path', and the 'Base URL' of the credential: it ends in /v1.",
			},
			run: async (input, { api }) => {
				const { method, path, query: parameters, body: sent } = input;
				if (input.allPages) {
					const records = (data: unknown) => recordsIn(data, path);
					return await readAll(api, { method: 'GET', path, query: parameters }, { records });
				}
				const hasBody = Object.keys(sent).length > 0;
				const { data, meta = null } = await api.send({
					method,
					path,
					query: parameters,
					...(hasBody && { body: sent }),
				});
				if (input.includeMeta) return { data, meta };
				return data === null && method === 'DELETE' ? { deleted: true } : data;
			},
		}),
	},
};
