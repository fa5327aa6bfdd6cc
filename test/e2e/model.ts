import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A tool as a model is offered it. */
interface OfferedTool {
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
}

export type Model = Awaited<ReturnType<typeof startModel>>;

/**
 * What stands in place of a language model: it calls its tool with what a test says, and records. Its API
 * speaks as OpenAI's does.
 */
export async function startModel() {
	let last: ChatRequest | undefined;
	let calls = 0;

	const answer = ({ tools = [] }: ChatRequest) => {
		const said = tools.length > 0 ? model.says.shift() : undefined;
		if (said === undefined) {
			return { message: { role: 'assistant', content: model.closing }, finish_reason: 'stop' };
		}
		const takesAll = ({ function: { parameters } }: (typeof tools)[0]) =>
			Object.keys(said).every((name) => name in parameters.properties);
		const { name } = (tools.find(takesAll) ?? tools[0]!).function;
		const called = { name, arguments: JSON.stringify(said) };
		const tool_calls = [{ id: `call_${++calls}`, type: 'function', function: called }];
		const message = { role: 'assistant', content: null, tool_calls };
		return { message, finish_reason: 'tool_calls' };
	};

	const server = createServer(async (request, response) => {
		last = (await json(request)) as ChatRequest;
		const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
		const choices = [{ index: 0, ...answer(last) }];
		const completion = { id: '1', object: 'chat.completion', model: 'recording', usage, choices };
		response.writeHead(200, { 'content-type': 'application/json' });
		response.end(JSON.stringify(completion));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

	const model = {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
		/** With what the tool that takes it is called, one after another; then the model ends the talk. */
		says: [] as Array<Record<string, unknown>>,
		/** What it says when it calls no tool. */
		closing: '',
		/** The tools of the last request. */
		offered: () => (last?.tools ?? []).map((tool) => tool.function),
		/** What the tools answered, as the model read it. */
		read: () =>
			(last?.messages ?? [])
				.filter(({ role }) => role === 'tool')
				.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content))),
		reset() {
			last = undefined;
			Object.assign(model, { says: [], closing: 'Done.' });
		},
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
	model.reset();
	return model;
}
