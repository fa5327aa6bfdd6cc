import type { WorkflowJson, WorkflowNode } from './n8n.ts';

export type CredentialRef = { id: string; name: string };

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
	name = 'YK Voice',
): WorkflowNode => ({
	name,
	type: 'n8n-nodes-yk-voice.ykVoice',
	typeVersion: 1,
	position: [220, 0],
	parameters,
	...(credential.id && { credentials: { ykVoiceApi: credential } }),
});

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
	const nodes = workflow.nodes.map((node) =>
		/^n8n-nodes-yk-voice\./.test(node.type)
			? { ...node, credentials: { ykVoiceApi: credential } }
			: node,
	);
	return { ...workflow, nodes };
}

/** Every five seconds: n8n refuses one time that comes more than once a minute, but not twelve. */
const OFTEN = Array.from({ length: 12 }, (_, index) => ({
	mode: 'custom',
	cronExpression: `${index * 5} * * * * *`,
}));

export const trigger = (
	parameters: Record<string, unknown>,
	credential: CredentialRef,
): WorkflowNode => ({
	name: 'YK Voice Trigger',
	type: 'n8n-nodes-yk-voice.ykVoiceTrigger',
	typeVersion: 1,
	position: [0, 0],
	parameters: {
		pollTimes: { item: OFTEN },
		...parameters,
	},
	credentials: { ykVoiceApi: credential },
});

/** A record named by its id, as the editor saves it. */
export const locator = (value: string, mode = 'id') => ({ __rl: true, mode, value });
