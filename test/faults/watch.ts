import { subscribe } from 'node:diagnostics_channel';
import { createRequire } from 'node:module';

import { workflow as n8n } from '../support/n8n.ts';

/** One request as it left this process. */
export interface Sent {
	host: string;
	method: string;
	/** As it was sent, with its query. */
	path: string;
	/** By `performance.now`. */
	at: number;
}

/** All requests that this process sent, to any server, and everything that was logged. */
export const sent: Sent[] = [];
export const logged: unknown[][] = [];

interface ClientRequest {
	method: string;
	path: string;
	getHeader(name: string): unknown;
}

subscribe('http.client.request.start', (message) => {
	const { request } = message as { request: ClientRequest };
	const { method, path } = request;
	sent.push({ host: String(request.getHeader('host')), method, path, at: performance.now() });
});
const LEVELS = ['error', 'warn', 'info', 'debug', 'verbose'] as const;
const note = (...said: unknown[]) => void logged.push(said);
const recorder = Object.fromEntries(LEVELS.map((level) => [level, note]));

// n8n logs in two ways: the engine by LoggerProxy, a node's context by the Logger service.
n8n.LoggerProxy.init(recorder as never);
const fromCore = createRequire(createRequire(import.meta.url).resolve('n8n-core'));
const { Container } = fromCore('@n8n/di') as { Container: { get(type: unknown): object } };
const { Logger } = fromCore('@n8n/backend-common') as { Logger: unknown };
Object.assign(Container.get(Logger), recorder);

for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const) {
	const print = console[level].bind(console);
	console[level] = (...said: unknown[]) => {
		note(...said);
		print(...said);
	};
}

/**
 * Where one of these texts is inside a value, or undefined. It also looks where JSON does not: into
 * causes, properties that are not enumerable, symbols, maps, sets and buffers.
 */
export function whereIs(texts: readonly string[], value: unknown): string | undefined {
	const seen = new Set<unknown>();
	const holds = (part: string) => texts.some((text) => part.includes(text));
	const search = (part: unknown, at: string): string | undefined => {
		if (typeof part === 'string') return holds(part) ? at : undefined;
		if ((typeof part !== 'object' && typeof part !== 'function') || part === null) return undefined;
		if (seen.has(part)) return undefined;
		seen.add(part);
		if (Buffer.isBuffer(part)) return holds(part.toString('latin1')) ? at : undefined;
		if (ArrayBuffer.isView(part)) return undefined;
		if (part instanceof Map || part instanceof Set) {
			const found = search([...part], `${at}.entries`);
			if (found !== undefined) return found;
		}
		for (const key of Reflect.ownKeys(part)) {
			const name = `${at}.${String(key)}`;
			if (holds(String(key))) return name;
			const held = Object.getOwnPropertyDescriptor(part, key)?.value as unknown;
			const found = search(held, name);
			if (found !== undefined) return found;
		}
		return undefined;
	};
	return search(value, '');
}
