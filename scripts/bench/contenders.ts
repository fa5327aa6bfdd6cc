import type { IDataObject, INode, IVersionedNodeType } from 'n8n-workflow';

import { loadPackage, runNode, type Credentials } from '../../test/support/harness.ts';
import { workflow as n8n } from '../../test/support/n8n.ts';
import { locator } from '../../test/support/samples.ts';
import type { FarEmulator } from './farEmulator.ts';
import { requireFromHost } from './hostN8n.ts';

/** A way to get records out of the API. */
export interface Contender {
	/** Every call there is; how many came. */
	exportCalls(): Promise<number>;
	/** One request for each contact; how many came. */
	getContacts(): Promise<number>;
}

const PAGE = 100;

/** Runs a node for an item with each of these IDs. */
async function runFor(
	credentials: Credentials,
	parameters: INode['parameters'],
	ids?: string[],
	node?: Partial<INode>,
): Promise<IDataObject[]> {
	const items = ids?.map((id) => ({ json: { id } }));
	const { error, json } = await runNode({ parameters, credentials, items, node });
	if (error !== undefined) throw error;
	return json;
}

export function ourNode({ url, keys, contacts }: FarEmulator): Contender {
	const credentials = { ykVoiceApi: { baseUrl: url, apiKey: keys.all } };
	const allCalls = { resource: 'call', operation: 'getAll', returnAll: true, simplify: false };
	const contact = locator('={{ $json.id }}');
	const eachContact = { resource: 'contact', operation: 'get', simplify: false, contact };
	return {
		exportCalls: async () => (await runFor(credentials, allCalls)).length,
		getContacts: async () => (await runFor(credentials, eachContact, contacts)).length,
	};
}

const HTTP_REQUEST = 'n8n-nodes-base.httpRequest';

/** Adds n8n's HTTP Request node, and its credential, to what the engine finds. */
async function addHttpRequest(): Promise<Partial<INode>> {
	const path = 'n8n-nodes-base/dist/nodes/HttpRequest/HttpRequest.node.js';
	const { HttpRequest } = requireFromHost(path) as { HttpRequest: new () => IVersionedNodeType };
	const httpRequest = new HttpRequest();
	const { nodeTypes, credentialTypes } = await loadPackage();
	const find = nodeTypes.getByNameAndVersion.bind(nodeTypes);
	nodeTypes.getByNameAndVersion = (type, version) =>
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
	return { type: HTTP_REQUEST, typeVersion: httpRequest.description.defaultVersion };
}

/** n8n's HTTP Request node, set up as a user would: a header credential, and paging by offset. */
export async function httpRequestNode({ url, keys, contacts }: FarEmulator): Promise<Contender> {
	const node = await addHttpRequest();
	const credentials = {
		httpHeaderAuth: { name: 'Authorization', value: `Bearer ${keys.all}` },
	};
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
	const allCalls = {
		...usual,
		url: `${url}/call-history`,
		sendQuery: true,
		queryParameters: { parameters: [{ name: 'limit', value: String(PAGE) }] },
		options: { pagination: { pagination } },
	};
	const eachContact = { ...usual, url: `=${url}/contacts/{{ $json.id }}`, options: {} };
	return {
		exportCalls: async () => {
			const pages = await runFor(credentials, allCalls, undefined, node);
			return pages.reduce((count, { data }) => count + (data as unknown[]).length, 0);
		},
		getContacts: async () => (await runFor(credentials, eachContact, contacts, node)).length,
	};
}
