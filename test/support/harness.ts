import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IDataObject,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeProperties,
	INodeType,
	INodeTypes,
	IRun,
	IVersionedNodeType,
	IWorkflowExecuteAdditionalData,
	NodeExecutionHint,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

import { core, workflow as n8n } from './n8n.ts';
import { ROOT } from './root.ts';

export const PACKAGE = 'n8n-nodes-yk-voice';

/** What a user fills in: the data of one credential, by its type. */
export type Credentials = Record<string, ICredentialDataDecryptedObject>;

/** What n8n's editor puts into Authentication when the user chooses a credential. */
export function authenticationOf(credentials: Credentials = {}): string {
	if ('ykVoiceOAuth2Api' in credentials) return 'oAuth2';
	return 'ykVoiceAccountsApi' in credentials ? 'accounts' : 'apiKey';
}

export interface LoadedPackage {
	nodeTypes: INodeTypes;
	credentialTypes: Record<string, ICredentialType>;
}

/** What nodes noted in n8n's database, by their names. */
const noted = new Map<string, string[]>();

/** Time that another execution has to come in between. */
const between = async () => await setImmediate();

/** n8n's own database of what was processed, for entries: it reads a row, and then overwrites it, without a lock. */
const deduplicator = {
	async checkProcessedAndRecord(items: string[], ...[, { node }]: [unknown, any]) {
		const key = node.name as string;
		const row = noted.get(key);
		await between();
		if (row === undefined && noted.has(key)) throw new Error('UNIQUE constraint failed');
		const isNew = (item: string) => row?.includes(item) !== true;
		noted.set(key, [...(row ?? []), ...items.filter(isNew)]);
		return { new: items.filter(isNew), processed: items.filter((item) => !isNew(item)) };
	},
	async removeProcessed(items: string[], ...[, { node }]: [unknown, any]) {
		const row = noted.get(node.name) ?? [];
		await between();
		noted.set(
			node.name,
			row.filter((item) => !items.includes(item)),
		);
	},
};

/** What n8n makes of a node that is usable as a tool: a copy with another name and output. */
function asTool(type: INodeType): INodeType {
	const { usableAsTool: _usable, ...rest } = type.description;
	const described = { ...rest, name: `${rest.name}Tool`, inputs: [], outputs: ['ai_tool'] };
	return Object.create(type, { description: { value: described } }) as INodeType;
}

let loaded: Promise<LoadedPackage> | undefined;

/** The built package as n8n's own loader reads it: from package.json and dist. */
export async function loadPackage(): Promise<LoadedPackage> {
	loaded ??= (async () => {
		// Files of one process share n8n, which takes this only once.
		await core.DataDeduplicationService.init(deduplicator as never).catch(() => {});
		const loader = new core.PackageDirectoryLoader(ROOT);
		await loader.loadAll();
		const find = (type: string): INodeType | IVersionedNodeType => {
			const name = type.replace(`${PACKAGE}.`, '');
			const found = loader.nodeTypes[name.replace(/Tool$/, '')];
			if (found === undefined) throw new Error(`The package has no node ${type}`);
			return name.endsWith('Tool') ? asTool(found.type as INodeType) : found.type;
		};
		return {
			nodeTypes: {
				getByName: find,
				getByNameAndVersion: (type, version) =>
					n8n.NodeHelpers.getVersionedNodeType(find(type), version),
				getKnownTypes: () => ({}),
			},
			credentialTypes: Object.fromEntries(
				Object.entries(loader.credentialTypes).map(([name, { type }]) => [name, type]),
			),
		};
	})();
	return await loaded;
}

/** What n8n 1.123 and 2.20 add to a credential (load-nodes-and-credentials). */
const DOMAIN_FIELDS = [
	{ name: 'allowedHttpRequestDomains', displayName: '', type: 'options', default: 'all' },
	{ name: 'allowedDomains', displayName: '', type: 'string', default: '' },
] satisfies INodeProperties[];

type GetDecrypted = InstanceType<typeof n8n.ICredentialsHelper>['getDecrypted'];

/** A node to resolve the expressions of credentials with, if there is no item. */
const NOWHERE: INode = {
	id: '',
	name: '',
	typeVersion: 1,
	type: 'nowhere',
	position: [0, 0],
	parameters: {},
};

function emptyWorkflow() {
	const type = { description: { properties: [] } } as unknown as INodeType;
	const find = () => type;
	const nodeTypes = { getByName: find, getByNameAndVersion: find, getKnownTypes: () => ({}) };
	return new n8n.Workflow({ nodes: [NOWHERE], connections: {}, active: false, nodeTypes });
}

/**
 * n8n's credentials service without a database, without overwrites and without dynamic credentials.
 * Expressions are resolved as the CredentialsHelper of n8n 2.41 does, which is no part of n8n-core.
 */
class HeldCredentials extends n8n.ICredentialsHelper {
	private readonly types: Record<string, ICredentialType>;

	private readonly held: Credentials;

	constructor(types: Record<string, ICredentialType>, held: Credentials) {
		super();
		this.types = types;
		this.held = held;
	}

	getParentTypes(name: string) {
		return this.types[name]?.extends ?? [];
	}

	isCredentialUsableByNode() {
		return true;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		name: string,
		request: IHttpRequestOptions,
	) {
		const authenticate = this.types[name]?.authenticate;
		if (typeof authenticate !== 'function') throw new Error(`${name} cannot authenticate`);
		return await authenticate(credentials, request);
	}

	async preAuthentication() {
		return undefined;
	}

	async runPreAuthentication() {
		return undefined;
	}

	async getCredentials(): Promise<never> {
		throw new Error('There is no database of credentials here');
	}

	async getDecrypted(...given: Parameters<GetDecrypted>) {
		const [data, , type, mode, executeData, isRaw, item] = given;
		const held = { ...this.held[type] };
		if (isRaw) return held;
		const fields = this.withDefaults(type, held);
		const keys = core.getAdditionalKeys(data, mode, null, { isCredential: true });
		const workflow = item?.workflow ?? emptyWorkflow();
		if (item === undefined) await workflow.expression.acquireIsolate();
		try {
			return workflow.expression.getParameterValue(
				fields as never,
				item?.runExecutionData ?? null,
				item?.runIndex ?? 0,
				item?.itemIndex ?? 0,
				item?.node.name ?? NOWHERE.name,
				item?.connectionInputData ?? [],
				mode,
				keys,
				executeData,
				false,
				fields as never,
			) as unknown as ICredentialDataDecryptedObject;
		} catch (error) {
			if (item) (error as Error).message += ' [Error resolving credentials]';
			throw error;
		} finally {
			if (item === undefined) await workflow.expression.releaseIsolate();
		}
	}

	private withDefaults(type: string, held: ICredentialDataDecryptedObject) {
		const properties = this.getCredentialsProperties(type);
		const known = n8n.NodeHelpers.getNodeParameters(
			properties,
			held as never,
			true,
			false,
			null,
			null,
		);
		// The fields of oAuth2Api come with n8n's own nodes, which are not here.
		return { ...(this.getParentTypes(type).length > 0 && held), ...known };
	}

	async updateCredentials() {}

	async updateCredentialsOauthTokenData(
		_details: unknown,
		name: string,
		data: ICredentialDataDecryptedObject,
	) {
		Object.assign(this.held[name] ?? {}, data);
	}

	getCredentialsProperties(name: string) {
		const type = this.types[name];
		if (type === undefined) return [];
		// As n8n does when it loads a package. In older versions this is no part of n8n-workflow.
		const { injectDomainRestrictionFields: inject } = n8n as Partial<typeof n8n>;
		const isNew = (field: INodeProperties) =>
			!type.properties.some(({ name }) => name === field.name);
		return inject?.(type) ?? [...type.properties, ...DOMAIN_FIELDS.filter(isNew)];
	}
}

export function additionalData(
	{ credentialTypes }: LoadedPackage,
	credentials: Credentials,
	mode: WorkflowExecuteMode,
	executionId = `execution-${randomUUID()}`,
): IWorkflowExecuteAdditionalData {
	const workflowData = { id: 'workflow', name: 'Test', nodes: [], connections: {}, active: false };
	return {
		credentialsHelper: new HeldCredentials(credentialTypes, credentials),
		hooks: new core.ExecutionLifecycleHooks(mode, 'execution', workflowData as never),
		executionId,
		currentNodeExecutionIndex: 0,
		variables: {},
		webhookWaitingBaseUrl: 'http://localhost/webhook-waiting',
		formWaitingBaseUrl: 'http://localhost/form-waiting',
		logAiEvent: () => {},
	} as unknown as IWorkflowExecuteAdditionalData;
}

export interface NodeRun {
	parameters: INodeParameters;
	credentials: Credentials;
	/** Default: one empty item. */
	items?: INodeExecutionData[];
	node?: Partial<INode>;
	/** Stops the run when it resolves, as the Stop button does. */
	cancelAfter?: Promise<unknown>;
	timezone?: string;
	/** The execution, if it is one that n8n runs again. Default: a new one. */
	executionId?: string;
}

export interface NodeResult {
	/** The main output. */
	items: INodeExecutionData[];
	json: IDataObject[];
	/** All outputs. The second is the error output. */
	outputs: INodeExecutionData[][];
	error?: Error & { description?: string | null; httpCode?: string | null; context?: IDataObject };
	hints: NodeExecutionHint[];
	/** What the user reads of a failure: the error of the run, and the items that failed. */
	messages: string[];
	/** n8n's data of the workflow afterwards, as n8n saves it. */
	staticData: IDataObject;
	run: IRun;
}

const node = (type: string, parameters: INodeParameters, credentials: Credentials): INode => ({
	id: 'a1b2c3d4-0000-4000-8000-000000000000',
	name: 'YK Voice',
	type: `${PACKAGE}.${type}`,
	typeVersion: 1,
	position: [0, 0],
	parameters,
	credentials: Object.fromEntries(
		Object.keys(credentials).map((name) => [name, { id: '1', name }]),
	),
});

/** Runs the action node in n8n's own execution engine, over the items that come in. */
export async function runNode(options: NodeRun): Promise<NodeResult> {
	const pack = await loadPackage();
	const { parameters, credentials, items = [{ json: {} }] } = options;
	const ykVoice = { ...node('ykVoice', parameters, credentials), ...options.node };
	const workflow = new n8n.Workflow({
		id: 'workflow',
		nodes: [ykVoice],
		connections: {},
		active: false,
		nodeTypes: pack.nodeTypes,
		settings: { executionOrder: 'v1', timezone: options.timezone ?? 'UTC' },
	});
	// The node that gave the items: at the error output, n8n adds their fields from there.
	const source = { main: [{ previousNode: 'Before' }] };
	const before = { data: { main: [items] }, source: [], startTime: 0, executionTime: 0 };
	const data = n8n.createRunExecutionData({
		resultData: { runData: { Before: [{ ...before, executionIndex: 0 }] } },
		executionData: {
			nodeExecutionStack: [
				{ node: workflow.getNode(ykVoice.name)!, data: { main: [items] }, source },
			],
		},
	});
	const engine = new core.WorkflowExecute(
		additionalData(pack, credentials, 'manual', options.executionId),
		'manual',
		data,
	);
	const running = engine.processRunExecutionData(workflow);
	void options.cancelAfter?.then(() => running.cancel());
	const run = await running;
	const [task] = run.data.resultData.runData[ykVoice.name] ?? [];
	const outputs = (task?.data?.main ?? []).map((output) => output ?? []);
	const error = (task?.error ?? run.data.resultData.error) as NodeResult['error'];
	const failed = outputs.flat().filter(({ json }) => json.error !== undefined);
	const said = [
		error?.message,
		error?.description,
		...failed.map(({ json }) => JSON.stringify(json)),
	];
	return {
		outputs,
		messages: said.filter((text) => typeof text === 'string'),
		items: outputs[0] ?? [],
		json: (outputs[0] ?? []).map(({ json }) => json),
		error,
		hints: (task?.hints ?? []) as NodeExecutionHint[],
		staticData: JSON.parse(JSON.stringify(workflow.staticData)) as IDataObject,
		run,
	};
}

export interface OptionsLoad {
	timezone?: string;
	/** The parameters that are filled in so far. Expressions are not evaluated. */
	parameters?: INodeParameters;
	credentials: Credentials;
	/** What the user typed into the list. */
	filter?: string;
	/** The pagination token of the last answer. */
	token?: string;
	/** Default: the action node. */
	type?: string;
}

/** Calls a method of a node, as n8n does for an open dropdown, list or mapper. */
export async function loadOptions<Result = unknown>(
	kind: 'listSearch' | 'loadOptions' | 'resourceMapping',
	name: string,
	{ parameters = {}, credentials, filter, token, timezone = 'UTC', type = 'ykVoice' }: OptionsLoad,
): Promise<Result> {
	const pack = await loadPackage();
	const method = pack.nodeTypes.getByNameAndVersion(type, 1).methods?.[kind]?.[name];
	if (method === undefined) throw new Error(`${type} has no method ${name} of ${kind}`);
	const authentication = authenticationOf(credentials);
	const open = node(type, { authentication, ...parameters }, credentials);
	const workflow = new n8n.Workflow({
		nodes: [open],
		connections: {},
		active: false,
		nodeTypes: pack.nodeTypes,
		settings: { timezone },
	});
	const asked = workflow.getNode(open.name)!;
	const context = new core.LoadOptionsContext(
		workflow,
		asked,
		// The editor sends the parameters with their defaults, as the workflow has filled them in.
		{ ...additionalData(pack, credentials, 'internal'), currentNodeParameters: asked.parameters },
		'',
	);
	const call = method as (...given: unknown[]) => Promise<unknown>;
	return (await call.call(context, filter, token)) as Result;
}

/** What n8n's button Test says of a credential (see credentials-tester.service in n8n). */
export async function testCredential(credentials: Credentials) {
	const pack = await loadPackage();
	const [[type, data]] = Object.entries(credentials) as [[string, IDataObject]];
	const { description, methods } = pack.nodeTypes.getByNameAndVersion('ykVoice') as INodeType;
	const { testedBy } = description.credentials!.find(({ name }) => name === type)!;
	const test = methods!.credentialTest![String(testedBy)]!;
	const context = new core.CredentialTestContext(additionalData(pack, credentials, 'internal'));
	return await test.call(context, { id: '1', name: type, type, data } as never);
}
