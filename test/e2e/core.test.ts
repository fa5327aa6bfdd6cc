import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { operationsOf } from '../support/description.ts';
import { startEmulator, type Emulator, type Fault } from '../emulator/index.ts';
import { loadPackage } from '../support/harness.ts';
import { samplesFor } from '../support/samples.ts';
import { hostsToTest, installHost, isBefore } from './host.ts';
import { freePort, N8n, outputOf } from './n8n.ts';
import { chain, manualTrigger, ykVoice } from './workflows.ts';

const { nodeTypes } = await loadPackage();
const operations = operationsOf(nodeTypes.getByNameAndVersion('ykVoice', 1).description);

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
	});

	afterAll(async () => {
		await n8n?.dispose(`core-${hostName}`);
		await emulator?.close();
	});

	describe('the test of the credential', () => {
		const test = async (data: { apiKey?: string; baseUrl?: string }) =>
			await n8n.testCredential({ apiKey: emulator.keys.all, baseUrl: emulator.url, ...data });

		it.each(['all', 'read', 'readWrite'] as const)('accepts the key %s', async (key) => {
			expect(await test({ apiKey: emulator.keys[key] })).toMatchObject({ status: 'OK' });
		});

		it('accepts a base URL that ends in a slash', async () => {
			expect(await test({ baseUrl: `${emulator.url}/` })).toMatchObject({ status: 'OK' });
		});

		/** Expects the test to fail with this; older versions of n8n put some errors into their own words. */
		const expectRefusal = async (
			data: { apiKey?: string; baseUrl?: string },
			message: RegExp,
			olderMessage = message,
		) => {
			const result = await test(data);
			expect.soft(result).toMatchObject({ status: 'Error' });
			expect.soft(result.message).toMatch(isBefore(host.version, '2.41') ? olderMessage : message);
		};

		it('says what is wrong with a key', async () => {
			const { writeCalls } = emulator.keys;
			await expectRefusal({ apiKey: 'sk_live_1' }, /begin with yk_/);
			await expectRefusal(
				{ apiKey: 'yk_wrong' },
				/did not accept this key \(401\)/,
				/Authorization failed/,
			);
			await expectRefusal({ apiKey: writeCalls }, /may not read data \(403\)/, /Forbidden/);
		});

		it.each<[string, string | undefined, RegExp, RegExp?]>([
			['without /v1', undefined, /Base URL/],
			['that is none', 'api.example.com', /Base URL/],
			['without an address', 'https://no.invalid/v1', /ENOTFOUND|EAI_AGAIN/, /incorrect host/],
			['of a closed port', 'http://127.0.0.1:9/v1', /ECONNREFUSED/, /refused the connection/],
		])('says what is wrong with a base URL %s', async (_what, baseUrl, message, older) => {
			await expectRefusal({ baseUrl: baseUrl ?? emulator.origin }, message, older);
		});

		const NOT_THE_API = /not the YK Voice API/;

		const answer = (status: number, body: unknown): Fault => ({ kind: 'status', status, body });

		it.each<[string, Fault, RegExp, RegExp?]>([
			['an HTML page', { kind: 'html' }, NOT_THE_API],
			['another JSON API', answer(200, { hello: 1 }), NOT_THE_API],
			['a list', answer(200, [{ hello: 1 }]), NOT_THE_API],
			['an empty answer', answer(200, ''), NOT_THE_API],
			['nothing', answer(404, 'No'), /nothing at this address \(404\)/, /could not be found/],
			[
				'an error',
				answer(500, 'Oops'),
				/Internal Server Error/,
				/not able to process your request/,
			],
		])('says that it found %s', async (_what, fault, message, older) => {
			emulator.faults.add({ ...fault, times: Infinity });
			await expectRefusal({}, message, older);
			emulator.faults.clear();
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
			sample.check(outputOf(execution, 'YK Voice') as never, emulator);
			expect(emulator.unknown).toEqual([]);
		});
	});
});
