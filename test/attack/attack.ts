import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { expect } from 'vitest';

import { logged, sent, whereIs } from '../faults/watch.ts';
import { Clock } from '../support/clock.ts';
import { sleepOn } from '../support/sleep.ts';
import { runNode, type Credentials, type NodeResult, type NodeRun } from '../support/harness.ts';
import type { Asked, Server } from './server.ts';

/** The key of all attacks. It stands in a credential, and may stand nowhere else but in one header. */
export const KEY = 'yk_live_7Hq2vZp9Lm4Xc8Nb1Sd6Fg3Jk5Rt0Wy2Ua8Ei4Oo6';

/** Parts of the key. Whoever sees 15 characters of it in a row sees one of them. */
const PARTS = [8, 16, 24, 32, 40].map((at) => KEY.slice(at, at + 8));

/** Finds the key, and larger parts of it, also in files. */
export function whereIsKey(held: unknown, parts = PARTS): string | undefined {
	const encoded = parts.flatMap((part) => [encodeURIComponent(part)]);
	return whereIs([...new Set([...parts, ...encoded])], held) ?? whereIs(parts, filesIn(held));
}

/** The content of the files that are in items as base64. */
function filesIn(held: unknown): string[] {
	const items = (held as { result?: NodeResult }).result?.outputs.flat() ?? [];
	const files = items.flatMap(({ binary }) => Object.values(binary ?? {}));
	return files.map(({ data }) => Buffer.from(data, 'base64').toString('latin1'));
}

/** How long the system slept, in ms. No time passes for that: the clock is set forward. */
export const clock = new Clock(Date.now());
let slept = 0;
sleepOn({
	advance(ms) {
		slept += ms;
		clock.advance(ms);
	},
});

export const credentialsFor = (baseUrl: unknown, apiKey: unknown = KEY): Credentials => ({
	ykVoiceApi: { apiKey: apiKey as string, baseUrl: baseUrl as string },
});

export const tokensFor = (baseUrl: string): Credentials => ({
	ykVoiceOAuth2Api: {
		...{ baseUrl, grantType: 'clientCredentials', clientId: 'client', clientSecret: KEY },
		oauthTokenData: { access_token: KEY, token_type: 'Bearer' },
	},
});

/** The parameter that says which credential a node uses. */
export const authentication = (credentials: Credentials = {}): INodeParameters => ({
	authentication: 'ykVoiceOAuth2Api' in credentials ? 'oAuth2' : 'apiKey',
});

export interface Attack extends Partial<Omit<NodeRun, 'items'>> {
	operation: string;
	parameters?: INodeParameters;
	items?: IDataObject[];
	onError?: 'stopWorkflow' | 'continueErrorOutput';
}

/** Quick failures: no waiting for a rate limit, and little for an answer. */
const HASTY: INodeParameters = { maxWait: 0, timeout: 5 };

export interface Outcome extends NodeResult {
	/** The requests that the servers got, in their order. */
	asked: Asked[];
	/** What the user reads: the messages of the run and of the items. */
	messages: string[];
	/** The most CPU time between two turns of n8n's event loop, in ms. */
	turn: number;
	/** How long it slept, in ms. */
	slept: number;
}

/** Runs an operation against a server. Whatever happens, it must leave no key behind, and be clear. */
export async function attack(api: Server, given: Attack): Promise<Outcome> {
	const { operation: name, parameters, items = [{}], onError = 'stopWorkflow', ...rest } = given;
	const [resource, operation] = name.split('.') as [string, string];
	const before = { asked: api.asked.length, logged: logged.length, sent: sent.length, slept };
	let result!: NodeResult;
	const turn = await longestTurn(async () => {
		result = await runNode({
			parameters: {
				...{ resource, operation, requestOptions: HASTY },
				...authentication(rest.credentials),
				...parameters,
			},
			credentials: credentialsFor(api.url),
			items: items.map((json) => ({ json })),
			node: { onError },
			...rest,
		});
	});
	const asked = api.asked.slice(before.asked);
	const lines = logged.slice(before.logged);
	const messages = messagesOf(result);
	const requests = asked.map(({ headers: { authorization: _, ...others }, ...request }) => [
		others,
		String(request.query),
		request,
	]);
	const elsewhere = sent.slice(before.sent).map(({ path }) => path);
	expect(whereIsKey({ result, lines, requests, elsewhere }), 'the key is here').toBeUndefined();
	expectClear(messages);
	expectAwake(turn);
	expectSane();
	return { ...result, asked, messages, turn, slept: slept - before.slept };
}

export function messagesOf({ error, outputs, hints }: NodeResult): string[] {
	const failed = outputs.flat().filter((item) => item.json.error ?? item.error);
	const texts = failed.flatMap(({ json, error: thrown }) => [
		...Object.values(json).map((held) => (typeof held === 'string' ? held : JSON.stringify(held))),
		...[thrown?.message, thrown?.description],
	]);
	const hinted = hints.map(({ message }) => message);
	const all = [error?.message, error?.description, error?.stack, ...texts, ...hinted];
	return all.filter((text) => typeof text === 'string');
}

/** Words of a programming error: the system did not expect what came. */
const UNEXPECTED =
	/Cannot (read|set|convert|destructure|mix)|is not (a function|iterable|defined|a constructor)|Maximum call stack|Invalid (array|string) length|circular structure|\[object Object\]|Reduce of empty|out of memory|Invalid time value|BigInt/;

/** Characters of the longest message, and of the longest field of an item that failed. */
const MESSAGE = 6000;

export function expectClear(messages: string[]): void {
	for (const message of messages) {
		expect(message).not.toMatch(UNEXPECTED);
		expect(message.length, 'characters of a message').toBeLessThan(MESSAGE);
	}
}

/** No answer and no item changes what all objects of n8n share. */
function expectSane(): void {
	const shared = [Object.prototype, Array.prototype, Function.prototype] as object[];
	expect(shared.map((one) => Object.keys(one))).toEqual([[], [], []]);
}

/**
 * Does work, and watches the event loop.
 * @returns the most CPU time between two of its turns, in ms. Other processes do not count.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
	const cpu = () => {
		const { user, system } = process.threadCpuUsage();
		return (user + system) / 1000;
	};
	let last = cpu();
	let most = 0;
	const look = () => {
		const now = cpu();
		most = Math.max(most, now - last);
		last = now;
	};
	const timer = setInterval(look, 2);
	try {
		await work();
	} finally {
		clearInterval(timer);
		look();
	}
	return most;
}

/** The most CPU time between two turns, of three tries, in ms. The least says most about the work. */
export async function leastTurn(work: () => Promise<unknown>): Promise<number> {
	const turns: number[] = [];
	for (let at = 0; at < 3; at++) turns.push(await longestTurn(work));
	return Math.min(...turns);
}

/**
 * The longest turn as a share of all CPU time of the work: small if it leaves n8n its turns. Other processes
 * do not count. n8n's own engine has a turn at both ends.
 */
export async function shareOfLongestTurn(work: () => Promise<unknown>): Promise<number> {
	const before = process.cpuUsage();
	const turn = await longestTurn(work);
	const { user, system } = process.cpuUsage(before);
	return turn / ((user + system) / 1000);
}

/** CPU time that says nothing yet, in ms: a collection of garbage takes as much. */
export const NOISE = 120;

/**
 * Does work with an input that doubles. Twice the input may take about twice the time, so a busy or
 * slow machine does not decide. It stops at the first size that takes far more.
 */
export async function expectLinear(
	sizes: number[],
	work: (size: number) => Promise<unknown>,
): Promise<void> {
	const least = async (size: number, tries: number) => {
		let found = Infinity;
		for (let at = 0; at < tries && found > NOISE; at++) {
			found = Math.min(found, await longestTurn(async () => await work(size)));
		}
		return found;
	};
	for (const [at, size] of sizes.entries()) {
		// The smallest size is only there to compare with.
		if (at === 0) continue;
		const turn = await least(size, 3);
		if (turn < NOISE) continue;
		const smaller = sizes[at - 1]!;
		const before = await least(smaller, 3);
		const growth = turn / Math.max(before, NOISE / 4) / (size / smaller);
		expect(growth, `${size}: ${turn} ms, after ${smaller}: ${before} ms`).toBeLessThan(2);
	}
}

/** Whether each target meets each hostile value, and not only some of them. */
export const isFull = process.env.ATTACK === 'full';

/** Some of all, others for each target, so that all targets together meet all of them. */
export const some = <T>(all: readonly T[], target: number, count: number): T[] =>
	isFull
		? [...all]
		: Array.from({ length: count }, (_, at) => all[(target * count + at) % all.length]!);

/** Tries each case, and tells which ones failed, and how. */
export async function tryEach<T>(
	cases: readonly T[],
	nameOf: (one: T) => unknown,
	work: (one: T) => Promise<unknown>,
): Promise<void> {
	const failed: string[] = [];
	for (const one of cases) {
		const note = ({ message }: Error) => void failed.push(`${String(nameOf(one))}: ${message}`);
		await work(one).catch(note);
	}
	expect(failed).toEqual([]);
}

/** A turn of the event loop that stops n8n, in ms of CPU time: a generous backstop. */
const STOPPED = 2000;

export const expectAwake = (turn: number): void =>
	expect(turn, 'ms of one turn').toBeLessThan(STOPPED);
