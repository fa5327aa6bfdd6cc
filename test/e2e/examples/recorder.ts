import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { WorkflowJson, WorkflowNode } from '../n8n.ts';
import { expressionsIn, isSubNode, type Links } from '../workflows.ts';

type Json = Record<string, unknown>;

/** What one node of another service sent for one item. */
export interface Sent {
	node: string;
	fields: Json;
}

/** What a node of another service hands on, from what it sent. */
export type Answers = Record<string, (fields: Json) => Json | Json[]>;

/** A server in place of all other services, which notes what they would get. */
export const recorder = {
	url: '',
	sent: [] as Sent[],
	/** What the nodes hand on; without an answer, what they sent. */
	answers: {} as Answers,
};

const server = createServer((request, response) => {
	const chunks: Buffer[] = [];
	request.on('data', (chunk: Buffer) => chunks.push(chunk));
	request.on('end', () => {
		const node = decodeURIComponent(request.url!.slice(1));
		const fields = JSON.parse(Buffer.concat(chunks).toString() || '{}') as Json;
		recorder.sent.push({ node, fields });
		const answer = recorder.answers[node]?.(fields) ?? fields;
		response.writeHead(200, { 'content-type': 'application/json' });
		response.end(JSON.stringify(answer));
	});
});

export async function openRecorder(): Promise<void> {
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	recorder.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export async function closeRecorder(): Promise<void> {
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
}

/** A node of another service, or of n8n's tables, which the recorder stands for. */
export const isReplaced = ({ disabled, type }: WorkflowNode) =>
	disabled === true || type === 'n8n-nodes-base.dataTable';

/** The same node with the recorder as its service: what happens at an error stays as it is. */
function recorded(node: WorkflowNode, url: string): WorkflowNode {
	const { dataTableId: _, ...fields } = node.parameters;
	const { columns } = fields as { columns?: { mappingMode: string } };
	const parameters = expressionsIn(fields).map(([name, value]) => ({ name, value }));
	const body =
		columns?.mappingMode === 'autoMapInputData'
			? { specifyBody: 'json', jsonBody: '={{ JSON.stringify($json) }}' }
			: { bodyParameters: { parameters } };
	const isFile = node.parameters.operation === 'download';
	return {
		...node,
		disabled: false,
		retryOnFail: false,
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			method: 'POST',
			url: `${url}/${encodeURIComponent(node.name)}`,
			sendBody: true,
			...body,
			options: isFile ? { response: { response: { responseFormat: 'file' } } } : {},
		},
	};
}

/** The workflow with the recorder in place of other services, of n8n's tables and of language models. */
export function withRecorder(workflow: WorkflowJson, url: string): WorkflowJson {
	const gone = new Set(
		workflow.nodes.filter((node) => isSubNode(workflow, node)).map(({ name }) => name),
	);
	const connections = Object.fromEntries(
		Object.entries(workflow.connections as Links).filter(([name]) => !gone.has(name)),
	);
	const nodes = workflow.nodes
		.filter(({ name }) => !gone.has(name))
		.map((node) => (isReplaced(node) ? recorded(node, url) : node));
	return { ...workflow, nodes, connections };
}
