import type { IDataObject, INode, INodeType, IVersionedNodeType } from 'n8n-workflow';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { loadPackage, runNode, type Credentials } from '../../test/support/harness.ts';
import { workflow as n8n } from '../../test/support/n8n.ts';
import { locator } from '../../test/support/samples.ts';
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

type Run = (parameters: INode['parameters'], ids?: string[]) => Promise<IDataObject[]>;

/** Runs a node for an item with each of these IDs. */
const runnerOf =
	(credentials: Credentials, node?: Partial<INode>): Run =>
	async (parameters, ids) => {
		const items = ids?.map((id) => ({ json: { id } }));
		const { error, json } = await runNode({ parameters, credentials, items, node });
		if (error !== undefined) throw error;
		return json;
	};

export function ourNode({ url, keys }: FarEmulator): Contender {
	const run = runnerOf({ ykVoiceApi: { baseUrl: url, apiKey: keys.all } });
	const allCalls = { resource: 'call', operation: 'getAll', returnAll: true, simplify: false };
	const contact = locator('={{ $json.id }}');
	const eachContact = { resource: 'contact', operation: 'get', simplify: false, contact };
	return {
		name: 'YK Voice',
		exportCalls: async () => (await run(allCalls)).length,
		getContacts: async (ids) => (await run(eachContact, ids)).length,
	};
}

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
	const run = runnerOf(
		{ httpHeaderAuth: { name: 'Authorization', value: `Bearer ${keys.all}` } },
		{ type: HTTP_REQUEST, typeVersion: httpRequest.description.defaultVersion },
	);
	const usual = {
		method: 'GET',
		authentication: 'genericCredentialType',
		genericAuthType: 'httpHeaderAuth',
	};
	const offset = { type: 'qs', name: 'offset', value: `={{ $pageCount * ${PAGE} }}` };
	const pagination = {
		paginationMode: 'updateAParameterInEachRequest',
		parameters: { parameters: [offset] },
		paginationCompleteWhen: 'other',
		completeExpression: `={{ $response.body.data.length < ${PAGE} }}`,
	};
	return {
		name: 'HTTP Request',
		exportCalls: async () => {
			const pages = await run({
				...usual,
				url: `${url}/call-history`,
				sendQuery: true,
				queryParameters: { parameters: [{ name: 'limit', value: String(PAGE) }] },
				options: { pagination: { pagination } },
			});
			return pages.reduce((count, { data }) => count + (data as unknown[]).length, 0);
		},
		getContacts: async (ids) => {
			const each = { ...usual, url: `=${url}/contacts/{{ $json.id }}`, options: {} };
			return (await run(each, ids)).length;
		},
	};
}
