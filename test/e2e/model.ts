import { fastify } from 'fastify';

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

	const server = fastify({ forceCloseConnections: true });
	server.post<{ Body: ChatRequest }>('/v1/chat/completions', async ({ body }, reply) => {
		last = body;
		const { message, finish_reason } = answer(body);
		const whole = {
			id: 'chatcmpl-1',
			created: 0,
			model: 'recording',
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
		if (!body.stream) {
			const choices = [{ index: 0, message, finish_reason }];
			return { ...whole, object: 'chat.completion', choices };
		}
		const choices = [{ index: 0, delta: message, finish_reason }];
		const chunk = JSON.stringify({ ...whole, object: 'chat.completion.chunk', choices });
		return await reply.type('text/event-stream').send(`data: ${chunk}\n\ndata: [DONE]\n\n`);
	});

	const model: Model = {
		url: `${await server.listen({ port: 0, host: '127.0.0.1' })}/v1`,
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
		close: async () => await server.close(),
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
