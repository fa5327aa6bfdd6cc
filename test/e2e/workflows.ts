import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../support/root.ts';
import type { WorkflowJson, WorkflowNode } from './n8n.ts';

const EXAMPLES = join(ROOT, 'examples');

/** The example workflows by the names of their files. */
export const examples = (): Map<string, WorkflowJson> =>
	new Map(
		readdirSync(EXAMPLES)
			.filter((file) => file.endsWith('.json'))
			.sort()
			.map((file) => [
				file.replace(/\.json$/, ''),
				JSON.parse(readFileSync(join(EXAMPLES, file), 'utf8')) as WorkflowJson,
			]),
	);

/** How n8n calls the trigger of a workflow that a person starts. */
export const MANUAL = 'When clicking ‘Execute workflow’';

export const isTable = ({ type }: WorkflowNode) => type === 'n8n-nodes-base.dataTable';

export const isNote = ({ type }: WorkflowNode) => type === 'n8n-nodes-base.stickyNote';

const isOurs = ({ type }: WorkflowNode) => type.startsWith('n8n-nodes-yk-voice.');

/** Whether a workflow changes something in YK Voice, or places calls; otherwise it only reads. */
export const changesData = ({ nodes }: WorkflowJson) =>
	nodes.filter(isOurs).some(({ parameters: { resource, operation } }) => {
		// A report is made by the node: nothing is changed in the account.
		return operation && resource !== 'report' && !/^(get|count)/.test(String(operation));
	});

type Json = Record<string, unknown>;

/** A credential of n8n. Default type: the one for a single key. */
export type CredentialRef = { id: string; name: string; type?: string };

/** Chooses a credential, which chooses the authentication, as in n8n's panel. */
export function choose(node: WorkflowNode, credential: CredentialRef): WorkflowNode {
	const { id, name, type = 'ykVoiceApi' } = credential;
	const authentication = type === 'ykVoiceAccountsApi' ? 'accounts' : 'apiKey';
	return {
		...node,
		parameters: { ...node.parameters, authentication },
		credentials: { [type]: { id, name } },
	};
}

type Link = { node: string; type: 'main'; index: number };

export const manualTrigger = (): WorkflowNode => ({
	name: 'Start',
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
});

export const ykVoice = (
	parameters: Record<string, unknown>,
	credential: CredentialRef,
): WorkflowNode => {
	const node: WorkflowNode = {
		name: 'YK Voice',
		type: 'n8n-nodes-yk-voice.ykVoice',
		typeVersion: 1,
		position: [220, 0],
		parameters,
	};
	return credential.id ? choose(node, credential) : node;
};

/** Nodes one after another, each fed by the one before. */
export function chain(name: string, ...nodes: WorkflowNode[]): WorkflowJson {
	const connections: Record<string, { main: Link[][] }> = {};
	nodes.forEach((node, index) => {
		node.position = [index * 220, 0];
		const next = nodes[index + 1];
		if (next !== undefined) {
			connections[node.name] = { main: [[{ node: next.name, type: 'main', index: 0 }]] };
		}
	});
	return { name, nodes, connections };
}

/** The workflow with this credential in every node of this package. */
export function withCredential(workflow: WorkflowJson, credential: CredentialRef): WorkflowJson {
	const nodes = workflow.nodes.map((node) => (isOurs(node) ? choose(node, credential) : node));
	return { ...workflow, nodes };
}

type Links = Record<string, Record<string, Link[][]>>;

/** All connections of a workflow. */
export const linksOf = ({ connections }: WorkflowJson): Link[] =>
	Object.values(connections as Links).flatMap((outputs) => Object.values(outputs).flat(2));

/** A model, a memory or a tool, which serves another node. */
const isSubNode = ({ connections }: WorkflowJson, { name }: WorkflowNode) =>
	Object.keys((connections as Links)[name] ?? {}).some((type) => type.startsWith('ai_'));

/** The expressions of a node's parameters, each by the last part of its path. */
function expressionsIn(value: unknown, name = ''): Array<[string, string]> {
	if (typeof value === 'string') return value.startsWith('=') ? [[name, value]] : [];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, entry]) =>
		expressionsIn(entry, key === 'value' ? name || key : key),
	);
}

/** Shows as its fields what the expressions of another node say. */
const mappingOf = ({
	name,
	parameters,
	position: [x, y],
	executeOnce,
}: WorkflowNode): WorkflowNode => ({
	name: `${name}: mapped`,
	...(executeOnce === true && { executeOnce }),
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	// Above the other node, so that n8n runs this one first.
	position: [x, y - 100],
	parameters: {
		assignments: {
			assignments: expressionsIn(parameters).map(([field, value]) => {
				return { id: crypto.randomUUID(), name: field, value, type: 'string' };
			}),
		},
		includeOtherFields: JSON.stringify(parameters).includes('"autoMapInputData"'),
		options: { dotNotation: false },
	},
});

const withoutOnError = ({ onError: _, ...node }: WorkflowNode): WorkflowNode => node;

/** The workflow with, beside each node that is switched off, one that shows what it would send. */
export function withMappings(workflow: WorkflowJson): WorkflowJson {
	const off = workflow.nodes.filter((node) => node.disabled && !isSubNode(workflow, node));
	const names = new Set(off.map(({ name }) => name));
	const connections = structuredClone(workflow.connections) as Links;
	for (const { main = [] } of Object.values(connections)) {
		for (const links of main) {
			for (const link of links.filter(({ node }) => names.has(node))) {
				links.push({ ...link, node: `${link.node}: mapped` });
			}
		}
	}
	// Switched off, a node hands on what it gets, and an error would take its way to the error output.
	const nodes = workflow.nodes.map((node) => (node.disabled ? withoutOnError(node) : node));
	return { ...workflow, nodes: [...nodes, ...off.map(mappingOf)], connections };
}

/** A node that hands on this for each item. */
const constant = (node: WorkflowNode, json: Json): WorkflowNode => ({
	...node,
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	disabled: false,
	parameters: { mode: 'raw', jsonOutput: JSON.stringify(json), options: {} },
});

/** The workflow in which these nodes are switched on, and hand on these items; one object: this for each item. */
export function withAnswers(
	workflow: WorkflowJson,
	answers: Record<string, Json | Json[]>,
): WorkflowJson {
	const pinData: Record<string, unknown> = {};
	const nodes = workflow.nodes.map((node) => {
		const answer = answers[node.name];
		if (answer === undefined) return node;
		if (!Array.isArray(answer)) return constant(node, answer);
		pinData[node.name] = answer.map((json) => ({ json }));
		return { ...node, disabled: false };
	});
	return { ...workflow, nodes, pinData };
}

/** Poll times: n8n refuses one time that comes more than once a minute, but not many. */
export const every = (seconds: number) => ({
	item: Array.from({ length: 60 / seconds }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${index * seconds} * * * * *`,
	})),
});

export const trigger = (
	parameters: Record<string, unknown>,
	credential: CredentialRef,
): WorkflowNode =>
	choose(
		{
			name: 'YK Voice Trigger',
			type: 'n8n-nodes-yk-voice.ykVoiceTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: { pollTimes: every(5), ...parameters },
		},
		credential,
	);

/** A record named by its id, as the editor saves it. */
export const locator = (value: string, mode = 'id') => ({ __rl: true, mode, value });
