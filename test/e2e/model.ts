import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A tool as a model is offered it. */
export interface OfferedTool {
	name: string;
	description: string;
	parameters: {
		properties: Record<string, { type: string; description?: string }>;
		required?: string[];
	};
}

interface ChatRequest {
	messages: Array<{ role: string; content: unknown }>;
	tools?: Array<{ function: OfferedTool }>;
	stream?: boolean;
}

/** What stands in place of a language model: it calls its tool with what a test says, and records. */
export interface Model {
	/** The base URL of its API, which speaks as OpenAI's does. */
	url: string;
	/** With what the tool that takes it is called, one after another; then the model ends the talk. */
	says: Array<Record<string, unknown>>;
	/** What it says when it calls no tool. */
	closing: string;
	/** The tools of the last request. */
	offered(): OfferedTool[];
	/** What the tools answered, as the model read it. */
	read(): string[];
	reset(): void;
	close(): Promise<void>;
}

const DONE = 'Done.';

export async function startModel(): Promise<Model> {
	let last: ChatRequest | undefined;
	const says: Model['says'] = [];

	const answer = ({ tools = [] }: ChatRequest) => {
		const said = tools.length > 0 ? says.shift() : undefined;
		if (said === undefined) {
			return { message: { role: 'assistant', content: model.closing }, finish_reason: 'stop' };
		}
		const takesAll = ({ function: { parameters } }: (typeof tools)[0]) =>
			Object.keys(said).every((name) => name in parameters.properties);
		const tool = tools.find(takesAll) ?? tools[0]!;
		return { message: calling(tool.function, said), finish_reason: 'tool_calls' };
	};

	const server = createServer((request, response) => {
		void bodyOf(request).then((body) => {
			last = body;
			const choice = { index: 0, ...answer(body) };
			const whole = {
				id: 'chatcmpl-1',
				created: 0,
				model: 'recording',
				usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
			};
			if (!body.stream) {
				response.writeHead(200, { 'content-type': 'application/json' });
				response.end(JSON.stringify({ ...whole, object: 'chat.completion', choices: [choice] }));
				return;
			}
			const { message, ...rest } = choice;
			const chunk = { ...whole, object: 'chat.completion.chunk' };
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			response.write(
				`data: ${JSON.stringify({ ...chunk, choices: [{ ...rest, delta: message }] })}\n\n`,
			);
			response.end('data: [DONE]\n\n');
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;

	const model: Model = {
		url: `http://127.0.0.1:${port}/v1`,
		says,
		closing: DONE,
		offered: () => (last?.tools ?? []).map((tool) => tool.function),
		read: () =>
			(last?.messages ?? [])
				.filter(({ role }) => role === 'tool')
				.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content))),
		reset() {
			last = undefined;
			says.length = 0;
			model.closing = DONE;
		},
		close: async () => {
			server.closeAllConnections();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
	return model;
}

let calls = 0;

const calling = ({ name }: OfferedTool, said: Record<string, unknown>) => ({
	role: 'assistant',
	content: null,
	tool_calls: [
		{
			index: 0,
			id: `call_${++calls}`,
			type: 'function',
			function: { name, arguments: JSON.stringify(said) },
		},
	],
});

async function bodyOf(request: IncomingMessage): Promise<ChatRequest> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return JSON.parse(Buffer.concat(chunks).toString() || '{"messages":[]}') as ChatRequest;
}
