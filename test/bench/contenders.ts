import type { IDataObject, INode, INodeType, IVersionedNodeType } from 'n8n-workflow';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { loadPackage, runNode, type Credentials } from '../support/harness.ts';
import { workflow as n8n } from '../support/n8n.ts';
import { locator } from '../support/samples.ts';
import type { FarEmulator } from './farEmulator.ts';

/** A way to get records out of the API. */
export interface Contender {
	name: string;
	/** Every call there is; how many came. */
	exportCalls(): Promise<number>;
	/** One request for each of these contacts; how many came. */
	getContacts(ids: string[]): Promise<number>;
}

const PAGE = 100;

const itemsOf = (ids: string[]) => ids.map((id) => ({ id }));

export function ourNode({ url, keys }: FarEmulator): Contender {
	const credentials = { ykVoiceApi: { baseUrl: url, apiKey: keys.all } };
	const run = async (parameters: INode['parameters'], items?: IDataObject[]) => {
		const { error, json } = await runNode({
			parameters,
			credentials,
			items: items?.map((item) => ({ json: item })),
		});
		if (error !== undefined) throw error;
		return json.length;
	};
	const allCalls = { resource: 'call', operation: 'getAll', returnAll: true, simplify: false };
	const contact = { resource: 'contact', operation: 'get', simplify: false };
	return {
		name: 'YK Voice',
		exportCalls: async () => await run(allCalls),
		getContacts: async (ids) => await run({ ...contact, contact: fromItem('id') }, itemsOf(ids)),
	};
}

/** A record whose id stands in a field of the item. */
const fromItem = (field: string) => locator(`={{ $json.${field} }}`);

const HTTP_REQUEST = 'n8n-nodes-base.httpRequest';

/** n8n's HTTP Request node, set up as a user would: a header credential, and paging by offset. */
export async function httpRequestNode(
	{ url, keys }: FarEmulator,
	hostDir: string,
): Promise<Contender> {
	const path = 'n8n-nodes-base/dist/nodes/HttpRequest/HttpRequest.node.js';
	const { HttpRequest } = createRequire(join(hostDir, 'index.js'))(path) as {
		HttpRequest: new () => IVersionedNodeType;
	};
	const httpRequest = new HttpRequest();
	const { nodeTypes, credentialTypes } = await loadPackage();
	const find = nodeTypes.getByNameAndVersion.bind(nodeTypes);
	nodeTypes.getByNameAndVersion = (type, version): INodeType =>
		type === HTTP_REQUEST
			? n8n.NodeHelpers.getVersionedNodeType(httpRequest, version)
			: find(type, version);

	// n8n's own type says the same in expressions, whose evaluation costs the node more.
	credentialTypes.httpHeaderAuth = {
		name: 'httpHeaderAuth',
		displayName: 'Header Auth',
		properties: ['name', 'value'].map((name) => ({
			displayName: name,
			name,
			type: 'string',
			default: '',
		})),
		authenticate: async ({ name, value }, request) => ({
			...request,
			headers: { ...request.headers, [String(name)]: value },
		}),
	};
	const credentials: Credentials = {
		httpHeaderAuth: { name: 'Authorization', value: `Bearer ${keys.all}` },
	};
	const run = async (parameters: INode['parameters'], ids?: string[]) => {
		const { error, json } = await runNode({
			parameters: {
				method: 'GET',
				authentication: 'genericCredentialType',
				genericAuthType: 'httpHeaderAuth',
				...parameters,
			},
			credentials,
			items: ids && itemsOf(ids).map((json) => ({ json })),
			node: { type: HTTP_REQUEST, typeVersion: httpRequest.description.defaultVersion },
		});
		if (error !== undefined) throw error;
		return json;
	};
	return {
		name: 'HTTP Request',
		exportCalls: async () => {
			const pages = await run({
				url: `${url}/call-history`,
				sendQuery: true,
				queryParameters: { parameters: [{ name: 'limit', value: String(PAGE) }] },
				options: {
					pagination: {
						pagination: {
							paginationMode: 'updateAParameterInEachRequest',
							parameters: {
								parameters: [{ type: 'qs', name: 'offset', value: `={{ $pageCount * ${PAGE} }}` }],
							},
							paginationCompleteWhen: 'other',
							completeExpression: `={{ $response.body.data.length < ${PAGE} }}`,
						},
					},
				},
			});
			return pages.reduce((count, { data }) => count + (data as unknown[]).length, 0);
		},
		getContacts: async (ids) =>
			(await run({ url: `=${url}/contacts/{{ $json.id }}`, options: {} }, ids)).length,
	};
}
