import { createServer, type Server } from 'node:http';
import {
	afterAll,
	beforeAll,
	beforeEach,
	describe,
	expect,
	inject,
	it,
	onTestFinished,
} from 'vitest';

import { operationsOf } from '../support/description.ts';
import { startEmulator, type AddedOrganization, type Emulator } from '../emulator/index.ts';
import { loadPackage } from '../support/harness.ts';
import { samplesFor } from '../support/samples.ts';
import {
	EVENT_NAMES,
	EVENTS,
	prepare,
	setMinutes,
	VALUE_NAMES,
	type Stage,
} from '../support/stage.ts';
import { hostsToTest, installHost, isBefore } from './host.ts';
import { freePort, N8n, outputOf, type SavedWorkflow } from './n8n.ts';
import { chain, locator, manualTrigger, trigger, ykVoice } from './workflows.ts';

const { nodeTypes } = await loadPackage();
const operations = operationsOf(nodeTypes.getByNameAndVersion('ykVoice', 1).description);

async function serve(
	status: number,
	type: string,
	body: string,
): Promise<Server & { url: string }> {
	const server = createServer((_request, response) => {
		response.writeHead(status, { 'content-type': type }).end(body);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as { port: number };
	return Object.assign(server, { url: `http://127.0.0.1:${port}/v1` });
}

describe.each(hostsToTest())('%s', (hostName) => {
	let n8n: N8n;
	let emulator: Emulator;
	let port: number;
	const host = installHost(hostName);

	const renewEmulator = async () => {
		await emulator?.close();
		emulator = await startEmulator({ data: 'small', port });
	};

	beforeAll(async () => {
		port = await freePort();
		await renewEmulator();
		n8n = await N8n.start({ host, pack: inject('pack') });
		await n8n.installPackage();
	});

	afterAll(async () => {
		await n8n?.dispose(`core-${hostName}`);
		await emulator?.close();
	});

	describe('the test of the credential', () => {
		const pages: Array<Server & { url: string }> = [];

		const page = async (status: number, type: string, body: string) => {
			const server = await serve(status, type, body);
			pages.push(server);
			return server.url;
		};

		afterAll(() => pages.forEach((server) => server.close()));

		const test = async (data: { apiKey?: string; baseUrl?: string }) =>
			await n8n.testCredential({ apiKey: emulator.keys.all, baseUrl: emulator.url, ...data });

		it.each(['all', 'read', 'readWrite'] as const)('accepts the key %s', async (key) => {
			expect(await test({ apiKey: emulator.keys[key] })).toMatchObject({ status: 'OK' });
		});

		// What is told apart, and how; older versions of n8n put errors into words of their own.
		const isOlder = isBefore(host.version, '2.41');

		it.each<[string, () => Promise<{ status: string; message: string }>, RegExp, RegExp?]>([
			[
				'a wrong key',
				() => test({ apiKey: 'yk_wrong' }),
				/did not accept this key \(401\)/,
				/Authorization failed/,
			],
			[
				'a key that may not read',
				() => test({ apiKey: emulator.keys.writeCalls }),
				/may not read data \(403\)/,
				/Forbidden/,
			],
			['a key of something else', () => test({ apiKey: 'sk_live_1' }), /begin with yk_/],
			[
				'a wrong path',
				async () => test({ baseUrl: await page(404, 'text/html', '<h1>Not found</h1>') }),
				/nothing at this address \(404\)/,
				/could not be found/,
			],
			[
				'an HTML page',
				async () =>
					test({ baseUrl: await page(200, 'text/html', '<!doctype html><title>Hello</title>') }),
				/not the YK Voice API/,
			],
			[
				'another JSON API',
				async () => test({ baseUrl: await page(200, 'application/json', '{"hello":1}') }),
				/not the YK Voice API/,
			],
			[
				'a list',
				async () => test({ baseUrl: await page(200, 'application/json', '[{"hello":1}]') }),
				/not the YK Voice API/,
			],
			[
				'an empty answer',
				async () => test({ baseUrl: await page(200, 'application/json', '') }),
				/not the YK Voice API/,
			],
			[
				'an error of the server',
				async () => test({ baseUrl: await page(500, 'text/plain', 'Oops') }),
				/Internal Server Error/,
				/not able to process your request/,
			],
			[
				'a host that is not there',
				async () => test({ baseUrl: `http://127.0.0.1:${await freePort()}/v1` }),
				/ECONNREFUSED/,
				/refused the connection/,
			],
			[
				'a host without an address',
				() => test({ baseUrl: 'https://nowhere.invalid/v1' }),
				/ENOTFOUND|EAI_AGAIN/,
				/incorrect host/,
			],
			['a base URL without /v1', () => test({ baseUrl: emulator.origin }), /Base URL/],
			['a base URL that is none', () => test({ baseUrl: 'api.example.com' }), /Base URL/],
		])('refuses %s and says why', async (_what, tested, message, olderMessage = message) => {
			const result = await tested();
			expect.soft(result).toMatchObject({ status: 'Error' });
			expect.soft(result.message).toMatch(isOlder ? olderMessage : message);
		});

		it('accepts a base URL that ends in a slash', async () => {
			expect(await test({ baseUrl: `${emulator.url}/` })).toMatchObject({ status: 'OK' });
		});
	});

	describe('every operation, in a saved workflow', () => {
		let credential: { id: string; name: string };

		beforeAll(async () => {
			credential = await n8n.createCredential({ apiKey: emulator.keys.all, baseUrl: emulator.url });
		});

		it.each(operations)('%s', async (name) => {
			await renewEmulator();
			const sample = samplesFor(emulator)[name]!;
			const [resource, operation] = name.split('.');
			const node = ykVoice({ resource, operation, ...sample.parameters }, credential);
			const items = (sample.items ?? [{}]).map((json) => ({ json }));
			const saved = await n8n.saveWorkflow({
				...chain(name, manualTrigger(), node),
				pinData: { Start: items },
			});

			const execution = await n8n.run(saved);

			expect(execution.data.resultData.error?.message).toBeUndefined();
			expect(execution.status).toBe('success');
			sample.check(outputOf(execution, 'YK Voice') as never, emulator);
			expect(emulator.unknown).toEqual([]);
		});
	});

	it('every event of the trigger starts its workflow, once', { timeout: 300_000 }, async () => {
		await renewEmulator();
		const { store, requests, keys, url } = emulator;
		prepare(store);
		store.setBalance(50);
		const credential = await n8n.createCredential({ apiKey: keys.all, baseUrl: url });
		const workflows = new Map<string, SavedWorkflow>();
		for (const event of EVENT_NAMES) {
			const node = trigger({ event, ...EVENTS[event]!.parameters }, credential);
			const saved = await n8n.saveWorkflow(chain(event, node));
			await n8n.activate(saved);
			workflows.set(event, saved);
		}
		onTestFinished(async () => {
			for (const saved of workflows.values()) await n8n.deactivate(saved);
		});
		const polls = () =>
			EVENT_NAMES.map((event) => {
				const isItsList = ({ path }: { path: string }) =>
					path.split('?')[0] === EVENTS[event]!.path;
				const watching = EVENT_NAMES.filter((one) => EVENTS[one]!.path === EVENTS[event]!.path);
				return requests.filter(isItsList).length / watching.length;
			});
		// n8n activates in its own time, and what there is by then is not new.
		await n8n.until(() => Math.min(...polls()) >= 3, 120_000);

		const expected = new Map<string, object>();
		for (const event of EVENT_NAMES.filter((name) => !VALUE_NAMES.includes(name)))
			expected.set(event, await EVENTS[event]!.happen({ store } as Stage));
		store.setBalance(5);
		setMinutes(store, 20, 0);
		expected.set('lowBalance', { balance: 5 });
		expected.set('lowMinutes', { minutes_remaining: 20 });
		const itemsOf = async (event: string) =>
			(await n8n.executions(workflows.get(event)!.id)).flatMap((execution) =>
				outputOf(execution, 'YK Voice Trigger'),
			);
		const found = async () =>
			new Map(
				await Promise.all(EVENT_NAMES.map(async (one) => [one, await itemsOf(one)] as const)),
			);
		await n8n.until(
			async () => [...(await found()).values()].every(({ length }) => length),
			60_000,
		);
		const before = Math.min(...polls());
		await n8n.until(() => Math.min(...polls()) >= before + 2);
		for (const [event, items] of await found()) {
			const matching = items.filter((item) =>
				Object.entries(expected.get(event)!).every(([name, value]) => item[name] === value),
			);
			expect(matching, event).toHaveLength(1);
		}
		expect(emulator.unknown).toEqual([]);
	});

	describe('three items of three clients, with one credential', () => {
		let clients: AddedOrganization[];

		/** What comes out for an item of each client, and whose key each request carried. */
		const run = async (name: string, onError: string, output?: number) => {
			const credential = await n8n.createCredential({
				apiKey: '={{ $json.api_key }}',
				baseUrl: emulator.url,
			});
			const contact = locator('={{ $json.contact }}');
			const node = ykVoice({ resource: 'contact', operation: 'get', contact }, credential);
			const saved = await n8n.saveWorkflow({
				...chain(name, manualTrigger(), { ...node, onError }),
				pinData: {
					Start: clients.map(({ apiKey, store }) => ({
						json: { api_key: apiKey, contact: store.contacts.all()[0]!.id },
					})),
				},
			});
			const execution = await n8n.run(saved);
			expect(execution.status).toBe('success');
			const keys = emulator.requests.map(({ headers }) =>
				String(headers.authorization).replace('Bearer ', ''),
			);
			return { json: outputOf(execution, 'YK Voice', output), keys: keys.sort() };
		};
		const keysOf = () => clients.map(({ apiKey }) => apiKey).sort();
		const idOf = (client: number) => clients[client]!.store.contacts.all()[0]!.id;

		beforeEach(async () => {
			await renewEmulator();
			clients = Array.from({ length: 3 }, () => emulator.addOrganization());
		});

		it('sends each with its own key', async () => {
			const { json, keys } = await run('Clients', 'stopWorkflow');
			expect(json.map(({ id }) => id)).toEqual([idOf(0), idOf(1), idOf(2)]);
			expect(keys).toEqual(keysOf());
		});

		it('lets a client whose key was revoked fail alone, and names its address', async () => {
			clients[1]!.revoke();
			const { json, keys } = await run('Revoked', 'continueRegularOutput');
			expect(json.map(({ id }) => id)).toEqual([idOf(0), undefined, idOf(2)]);
			expect(json[1]).toMatchObject({
				error: expect.stringMatching(/401/),
				status: 401,
				base_url: emulator.url,
			});
			expect(JSON.stringify(json)).not.toContain(clients[1]!.apiKey);
			expect(keys).toEqual(keysOf());
		});

		it('hands it to the error output, with its address and without its key', async () => {
			clients[1]!.revoke();
			const { json } = await run('Error output', 'continueErrorOutput', 1);
			expect(json).toEqual([
				expect.objectContaining({
					error: expect.stringContaining('401'),
					status: 401,
					base_url: emulator.url,
				}),
			]);
			expect(JSON.stringify(json)).not.toContain(clients[1]!.apiKey);
		});
	});
});
