import type {
	IDataObject,
	IHttpRequestOptions,
	INodeParameters,
	INodeType,
	INodeTypes,
} from 'n8n-workflow';

import {
	additionalData,
	loadOptions,
	loadPackage,
	type Credentials,
	type LoadedPackage,
} from '../support/harness.ts';
import { core, workflow as n8n } from '../support/n8n.ts';
import { Poller, type PollerOptions } from '../support/poller.ts';
import { locator } from '../support/samples.ts';
import type { Emulator } from '../emulator/index.ts';
import { attack, authentication, KEY } from './attack.ts';
import { ID, type Server } from './server.ts';
import { TRIGGERS, USUAL } from './targets.ts';

/**
 * What n8n's button Test does with a credential (see credentials-tester.service in n8n).
 * @throws what n8n shows; it keeps the cause for itself
 */
export async function testCredential(credentials: Credentials): Promise<unknown> {
	const pack = await loadPackage();
	const [[name, data]] = Object.entries(credentials) as [[string, IDataObject]];
	const { request } = pack.credentialTypes[name]?.test ?? {};
	if (request === undefined) throw new Error(`n8n does not test ${name}`);
	const temp = { displayName: 'Temp', name: 'temp', type: 'string', default: '' };
	const type = {
		description: {
			...{ name: 'temp', version: 1, inputs: [], outputs: [] },
			credentials: [{ name, required: true }],
			properties: [{ ...temp, routing: { request } }],
		},
	} as unknown as INodeType;
	const nodeTypes = {
		getByName: () => type,
		getByNameAndVersion: () => type,
	} as unknown as INodeTypes;
	const node = {
		...{ id: 'temp', parameters: {}, name: 'Temp-Node', type: 'temp', typeVersion: 1 },
		position: [0, 0] as [number, number],
		credentials: { [name]: { id: '1', name } },
	};
	const workflow = new n8n.Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const context = new core.ExecuteContext(
		workflow,
		node,
		additionalData(pack, credentials, 'internal'),
		'internal',
		n8n.createEmptyRunExecutionData(),
		0,
		[],
		{ main: [[{ json: {} }]] },
		{ node, data: { main: [] }, source: null },
		[],
	);
	const decrypted = { id: '1', name, type: name, data } as never;
	await workflow.expression.acquireIsolate();
	try {
		return await new core.RoutingNode(context, type, decrypted).runNode();
	} catch (error) {
		throw new Error((error as Error).message);
	} finally {
		await workflow.expression.releaseIsolate();
	}
}

/** What n8n's HTTP Request node does with a credential of this package. */
export async function authenticate(
	{ credentialTypes }: LoadedPackage,
	name: string,
	data: IDataObject,
	request: Partial<IHttpRequestOptions>,
): Promise<IHttpRequestOptions> {
	const given = credentialTypes[name]!.authenticate as unknown as (
		...given: unknown[]
	) => Promise<IHttpRequestOptions>;
	return await given(data, request);
}

export interface Way {
	name: string;
	/** Sends what it sends, and passes its failure on. */
	go(api: Server, credentials: Credentials): Promise<unknown>;
}

const { nodeTypes } = await loadPackage();

const methodsOf = (type: string) =>
	Object.entries(nodeTypes.getByNameAndVersion(type, 1).methods ?? {}).flatMap(([kind, methods]) =>
		Object.keys(methods).map((name) => ({ type, kind, name })),
	);

/** Parameters that are filled in when the editor asks for its lists. */
const FILLED: INodeParameters = {
	...{ resource: 'agentTool', operation: 'update', tool: 'make-reservation', path: '/x' },
	...{ agent_id: locator(ID), contact: locator(ID), event_id: locator(ID), item_id: locator(ID) },
	...{ catalogue_id: locator(ID), contact_list_id: locator(ID), options: {} },
};

/** Every way in which the key leaves n8n: each operation, event and list, and the test of a credential. */
export const WAYS: Way[] = [
	{ name: 'the test of the credential', go: async (_api, given) => await testCredential(given) },
	...USUAL.map(({ operation, ...rest }) => ({
		name: operation,
		go: async (api: Server, credentials: Credentials) =>
			await attack(api, { operation, ...rest, credentials }),
	})),
	...[...methodsOf('ykVoice'), ...methodsOf('ykVoiceTrigger')].map(({ type, kind, name }) => ({
		name: `${type} ${name}`,
		go: async (_api: Server, credentials: Credentials) =>
			await loadOptions(kind as 'listSearch', name, {
				...{ type, credentials },
				parameters: { ...FILLED, ...authentication(credentials) },
			}),
	})),
	...TRIGGERS.map((parameters) => ({
		name: `the event ${parameters.event as string}`,
		go: async (api: Server, credentials: Credentials) =>
			await pollerFor(api, { parameters, credentials }).activate(),
	})),
];

/** A workflow with the trigger, as it was just made. */
export const pollerFor = (api: Server, rest: Partial<PollerOptions>): Poller =>
	new Poller({
		emulator: { keys: { read: KEY } as Emulator['keys'], url: api.url },
		budgetMs: 5000,
		...rest,
		parameters: { ...rest.parameters, ...authentication(rest.credentials) },
	});
