import { z } from 'zod';

import { operation, type Resource } from '../table/operation';
import { pathText } from '../api/path';
import { listGroups } from '../domain/eventGroups';
import {
	flag,
	jsonBody,
	nonBlank,
	objectOfPairs,
	oneOf,
	optional,
	scalarText,
	trimmed,
} from '../table/schema';

const METHODS = { DELETE: 'DELETE', GET: 'GET', PATCH: 'PATCH', POST: 'POST', PUT: 'PUT' } as const;

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
			permission: 'READ or READ_WRITE to read, and READ_WRITE to change',
			fields: [
				{
					displayName: 'Method',
					name: 'method',
					type: 'options',
					options: Object.keys(METHODS).map((value) => ({ name: value, value })),
					default: 'GET',
					description: 'HTTP method of the request. GET reads, the others change data.',
				},
				{
					displayName: 'Path',
					name: 'path',
					type: 'string',
					required: true,
					default: '',
					placeholder: 'e.g. /reservations',
					description: 'Path of the request below the base URL',
				},
				{
					displayName: 'All Pages',
					name: 'allPages',
					type: 'boolean',
					displayOptions: { show: { method: ['GET'] } },
					default: false,
					description: 'Whether to read all pages of a list',
				},
				{
					displayName: 'Body',
					name: 'body',
					type: 'json',
					displayOptions: { hide: { method: ['GET'] } },
					default: '{}',
					description: 'The body as a JSON object or list. If it is empty, none is sent.',
				},
				{
					displayName: 'Include Meta',
					name: 'includeMeta',
					type: 'boolean',
					displayOptions: { show: { allPages: [false] } },
					default: false,
					description:
						"Whether to return the whole answer as one item: its 'data', and its 'meta' such as the total of a list",
				},
				{
					displayName: 'Query Parameters',
					name: 'query',
					type: 'fixedCollection',
					typeOptions: { multipleValues: true },
					placeholder: 'Add parameter',
					default: {},
					options: [
						{
							displayName: 'Parameter',
							name: 'parameter',
							values: [
								{
									displayName: 'Name',
									name: 'name',
									type: 'string',
									default: '',
									description: 'The name of the query parameter',
								},
								{
									displayName: 'Value',
									name: 'value',
									type: 'string',
									default: '',
									description: 'The value of the query parameter',
								},
							],
						},
					],
				},
			],
			input: () =>
				z
					.object({
						method: oneOf(METHODS).default('GET'),
						path: pathText,
						allPages: flag.default(false),
						body: optional(jsonBody),
						includeMeta: flag.default(false),
						query: z
							.object({
								parameter: z
									.array(z.object({ name: trimmed(nonBlank()), value: scalarText }))
									.default([]),
							})
							.default({}),
					})
					.transform(({ query, body = {}, ...given }) => ({
						...given,
						body,
						query: objectOfPairs(query.parameter),
					})),
			method: ({ method }) => method,
			run: async ({ method, path, allPages, body, query, includeMeta }, { api }) => {
				if (allPages && method === 'GET') return await listGroups(api, { method, path, query });
				const hasBody = Object.keys(body).length > 0;
				const { data, meta = null } = await api.send({
					method,
					path,
					query,
					...(hasBody && { body }),
				});
				if (includeMeta) return { data, meta };
				return data === null && method === 'DELETE' ? { deleted: true } : data;
			},
		}),
	},
};
