import type { IDataObject, IHttpRequestOptions, INodeParameters } from 'n8n-workflow';

import {
	additionalData,
	loadOptions,
	loadPackage,
	type Credentials,
	type LoadedPackage,
} from '../support/harness.ts';
import { core } from '../support/n8n.ts';
import { Poller, type PollerOptions } from '../support/poller.ts';
import { locator } from '../support/samples.ts';
import type { Emulator } from '../emulator/index.ts';
import { attack, authentication, KEY } from './attack.ts';
import { ID, type Server } from './server.ts';
import { TRIGGERS, USUAL } from './targets.ts';

/**
 * What n8n's button Test does with a credential (see credentials-tester.service in n8n).
 * @throws what n8n shows
 */
export async function testCredential(credentials: Credentials): Promise<void> {
	const pack = await loadPackage();
	const [[type, data]] = Object.entries(credentials) as [[string, IDataObject]];
	const { description, methods } = pack.nodeTypes.getByNameAndVersion('ykVoice');
	const { testedBy } = description.credentials!.find(({ name }) => name === type)!;
	const test = methods?.credentialTest?.[String(testedBy)];
	if (test === undefined) throw new Error(`n8n does not test ${type}`);
	const context = new core.CredentialTestContext(additionalData(pack, credentials, 'internal'));
	const { status, message } = await test.call(context, {
		id: '1',
		name: type,
		type,
		data,
	} as never);
	if (status !== 'OK') throw new Error(message);
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
