import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';

import { startEmulator, type Emulator, type EmulatorOptions } from '../emulator/index.ts';
import { Clock } from './clock.ts';
import { authenticationOf, runNode } from './harness.ts';
import type { Credentials, NodeResult, NodeRun } from './harness.ts';
import { sleepOn } from './sleep.ts';

export { asJson } from './samples.ts';

/** The emulator that the running test talks to. */
export let emulator: Emulator;

/** What operations run against: the emulator, or a server of the test's own. */
let api: { url: string; keys: { all: string; read: string } };

/** Lets the operations of the running test run against this. */
export const runAgainst = (given: typeof api) => void (api = given);

/** Gives the running test another account, such as one that reads the reference otherwise. */
export async function changeAccount(options: EmulatorOptions): Promise<void> {
	await emulator?.close();
	emulator = await startEmulator(options);
	runAgainst(emulator);
}

/** Each test of the file has an account of its own. */
export function accountForEachTest(options: EmulatorOptions = {}): void {
	beforeEach(async () => await changeAccount(options));
	afterEach(async () => await emulator.close());
}

/** The tests of the file share an account. Its requests and faults are forgotten before each test. */
export function accountForAllTests(options: EmulatorOptions = {}): void {
	beforeAll(async () => await changeAccount(options));
	beforeEach(() => emulator.reset());
	afterAll(async () => await emulator.close());
}

/** The clocks of the API and of n8n, in a file that has `accountInTime`. */
export let clock: Clock;

/**
 * Each test of the file has an account without records, and time stands still. Where the node sleeps, it
 * passes at once.
 */
export function accountInTime(now?: number): void {
	beforeEach(async () => {
		clock = new Clock(now);
		const giveBackSleep = sleepOn({ advance: (ms) => clock.advance(ms) });
		await changeAccount({ data: 'empty', now: () => clock.server });
		return async () => {
			giveBackSleep();
			clock.thaw();
			await emulator.close();
		};
	});
}

/** Another account of a file with `accountInTime`. */
export const restart = async (options: EmulatorOptions) =>
	await changeAccount({ data: 'empty', now: () => clock.server, ...options });

/** A credential; by default for the account of the running test, with a key that may do everything. */
export const credentials = (
	apiKey: string = api.keys.all,
	baseUrl = api.url,
	names: Record<string, string> = {},
): Credentials => ({ ykVoiceApi: { apiKey, baseUrl, names: asEntered(names) } });

/** A credential with the names that an account gives things. */
export const named = (names: Record<string, string>) => ({
	credentials: credentials(undefined, undefined, names),
});

/** What an account calls things, as its credential holds it. */
export const asEntered = (names: Record<string, string>) => ({
	name: Object.entries(names).map(([what, name]) => ({ what, name })),
});

/** A credential with several accounts: names and keys. */
export const severalAccounts = (accounts: object | string, baseUrl = api.url): Credentials => ({
	ykVoiceAccountsApi: {
		accounts: typeof accounts === 'string' ? accounts : JSON.stringify(accounts),
		baseUrl,
	},
});

/** A credential with an access token in place of a key. */
export const oAuth2 = (token: string = emulator.tokens.all, fields: object = {}): Credentials => ({
	ykVoiceOAuth2Api: {
		baseUrl: api.url,
		clientId: 'client',
		clientSecret: 'client-secret',
		oauthTokenData: { access_token: token, token_type: 'Bearer' },
		...fields,
	},
});

/**
 * Runs the operation `resource.operation` in n8n's engine, successfully or not.
 * @param items their JSON; files go with `rest.items`
 */
export async function run(
	name: string,
	parameters: INodeParameters = {},
	items: IDataObject[] = [{}],
	rest: Partial<NodeRun> = {},
): Promise<NodeResult> {
	const [resource, operation] = name.split('.') as [string, string];
	const given = rest.credentials ?? credentials();
	const authentication = authenticationOf(given);
	return await runNode({
		items: items.map((json) => ({ json })),
		...rest,
		credentials: given,
		parameters: { resource, operation, authentication, ...parameters, ...rest.parameters },
	});
}

/** On Error: Continue. */
export const CONTINUE = { node: { onError: 'continueRegularOutput' } } as const;

/** Runs an operation that must succeed. */
export async function succeed(...given: Parameters<typeof run>): Promise<NodeResult> {
	const result = await run(...given);
	expect(result.error?.message).toBeUndefined();
	return result;
}

/** Runs an operation that must fail, and gives its error. */
export async function fail(...given: Parameters<typeof run>) {
	const { error } = await run(...given);
	if (error === undefined) return expect.fail('it succeeded');
	return error;
}

/** The requests that came, such as `GET /contacts`. */
export const sent = () => emulator.requests.map(({ method, path }) => `${method} ${path}`);

/** The items that each output item comes from. */
export const pairsOf = ({ items }: NodeResult) =>
	items.map(({ pairedItem }) => [pairedItem].flat().map((pair) => (pair as { item: number }).item));

/** An agent of the account. */
export const agentOf = (type: 'inbound' | 'outbound') =>
	emulator.store.agents.find(({ agent_type }) => agent_type === type)!;

/**
 * Delays each answer by some ms. Gives how many requests were under way at most.
 * @param together no answer before so many requests are under way, however slow the machine is
 */
export function slowly(delayOf: (n: number) => number, together = 1) {
	const seen = { underWay: 0, most: 0 };
	let release = () => {};
	const all = new Promise<void>((resolve) => (release = resolve));
	emulator.before(async ({ n }) => {
		seen.most = Math.max(seen.most, ++seen.underWay);
		if (seen.most >= together) release();
		await all;
		await setTimeout(delayOf(n));
		seen.underWay -= 1;
	});
	return seen;
}
