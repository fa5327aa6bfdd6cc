import type { INodeParameters } from 'n8n-workflow';
import { createServer, type RequestListener } from 'node:http';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { accountForEachTest, emulator, fail, run, succeed } from '../support/account.ts';
import { locator } from '../support/samples.ts';

accountForEachTest({ data: 'small' });

const contentOf = ({ data }: { data: string }) => Buffer.from(data, 'base64').toString();

describe('the preview of a voice', () => {
	let voice: (typeof emulator.store.voices)[number];

	beforeEach(() => {
		voice = emulator.store.voices[0]!;
	});

	const ofVoice = (parameters: INodeParameters = {}) =>
		['agent.getVoicePreview', { voice_id: locator(voice.id), ...parameters }] as const;

	/** A store of files that answers as the test wants. */
	async function stored(answer: RequestListener): Promise<void> {
		const server = createServer(answer);
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		onTestFinished(() => void server.close());
		const { port } = server.address() as { port: number };
		voice.file.url = `http://127.0.0.1:${port}/preview.mp3?signature=secret`;
	}

	it('is a file beside the fields of the voice, read without the key', async () => {
		const { items } = await succeed(...ofVoice());
		expect(items[0]!.json).toMatchObject({ id: voice.id, custom_name: voice.custom_name });
		expect(items[0]!.pairedItem).toEqual({ item: 0 });
		const { data } = items[0]!.binary!;
		expect(data).toMatchObject({ fileName: voice.file.file_name, mimeType: 'audio/mpeg' });
		// The emulator's store of files refuses a request with a key.
		expect(contentOf(data!)).toBe(`ID3 ${voice.file.file_name}`);
	});

	it('goes into the field that the user names', async () => {
		const { items } = await run(...ofVoice({ binaryPropertyName: ' sound ' }));
		expect(Object.keys(items[0]!.binary!)).toEqual(['sound']);
	});

	it.each([
		[null, 'has no preview'],
		['file:///etc/passwd', 'there was no answer from its server'],
		['http://127.0.0.1:1/preview.mp3', 'there was no answer from its server'],
	])('is an error if its address is %s', async (url, message) => {
		voice.file.url = url;
		const error = await fail(...ofVoice());
		expect(error.message).toContain(message);
	});

	it('ends when the execution is stopped, however slowly it comes', async () => {
		const seen = { isStopped: false };
		let isAsked: (() => void) | undefined;
		const asked = new Promise<void>((resolve) => (isAsked = resolve));
		await stored((_request, response) => {
			response.on('close', () => (seen.isStopped = true));
			response.write('ID3', () => isAsked?.());
		});
		await run(...ofVoice(), [{}], { cancelAfter: asked });
		await vi.waitUntil(() => seen.isStopped);
	});

	it.each([
		['../../etc/passwd', '_.._etc_passwd'],
		['a/b\\c.mp3', 'a_b_c.mp3'],
		['..', 'file'],
		['', 'file'],
		[`${'a'.repeat(300)}.mp3`, `${'a'.repeat(196)}.mp3`],
		['evil\u202e3pm.exe', 'evil3pm.exe'],
	])('called %j is a file called %j', async (name, plain) => {
		await stored((_request, response) => response.end('ID3'));
		voice.file.file_name = name;
		const { items } = await succeed(...ofVoice());
		expect(items[0]!.binary!.data).toMatchObject({ fileName: plain });
		expect(items[0]!.binary!.data).not.toHaveProperty('directory');
	});

	it('is no page, whatever the API says', async () => {
		voice.file.content_type = 'text/html';
		const { items } = await succeed(...ofVoice());
		expect(items[0]!.binary!.data!.mimeType).toBe('audio/mpeg');
	});

	it('is an error if its address has expired, which does not show the signature', async () => {
		await stored((_request, response) => response.writeHead(403).end('<Error>expired</Error>'));
		const error = await fail(...ofVoice());
		expect(error.message).toContain('answered with status 403');
		expect(JSON.stringify(error)).not.toContain('secret');
	});

	it('is not read to its end if it is too large', async () => {
		let sent = 0;
		let isClosed: (() => void) | undefined;
		const closed = new Promise<void>((resolve) => (isClosed = resolve));
		const megabyte = Buffer.alloc(2 ** 20);
		await stored((_request, response) => {
			response.on('close', () => isClosed?.());
			const more = () => {
				while (!response.destroyed && ++sent < 10_000) if (!response.write(megabyte)) return;
			};
			response.on('drain', more);
			more();
		});
		const error = await fail(...ofVoice());
		expect(error.message).toContain('more than 16 MB');
		await closed;
		expect(sent).toBeLessThan(10_000);
	});

	it('is an error if it breaks off', async () => {
		await stored((_request, response) => {
			response.writeHead(200, { 'content-length': '100' });
			response.write('ID3', () => response.destroy());
		});
		const error = await fail(...ofVoice());
		expect(error.message).toContain('broke off');
	});

	it('is an error if there is no such voice', async () => {
		const voice_id = locator('00000000-0000-4000-8000-000000000000');
		const error = await fail(...ofVoice({ voice_id }));
		expect(error.message).toContain('there is no voice with the ID');
	});
});

describe('a transcript', () => {
	const call = () =>
		emulator.store.calls.find(({ call_status: status }) => status === 'Completed')!;
	const turns = () => emulator.store.turnsOf(call())!;
	const get = async (parameters: INodeParameters = {}) =>
		await succeed('call.getTranscript', { call_id: locator(call().id), ...parameters });

	it('is what the API answers, unless another format is chosen', async () => {
		const { json } = await get();
		expect(json).toEqual([{ call_id: call().id, turns: turns() }]);
	});

	it('is a text', async () => {
		const { json } = await get({ format: 'text' });
		expect(json).toHaveLength(1);
		const lines = String(json[0]!.transcript).split('\n');
		expect(lines).toHaveLength(turns().length);
		expect(lines[0]).toBe(`[0:00] Agent: ${turns()[0]!.text}`);
	});

	it.each([
		['textFile', 'txt', 'text/plain', '[0:00] Agent: '],
		['markdown', 'md', 'text/markdown', '**Agent** (0:00): '],
	])('is a file: %s', async (format, ending, mimeType, start) => {
		const { items } = await get({ format, binaryPropertyName: 'file' });
		const fileName = `transcript-${call().id}.${ending}`;
		expect(items.map(({ json }) => json)).toEqual([{ call_id: call().id, file_name: fileName }]);
		const { file } = items[0]!.binary!;
		expect(file).toMatchObject({ fileName, mimeType });
		expect(contentOf(file!)).toContain(start);
	});

	it.each(['a/b', 'd:e', 'f\\g'])('of a call with the ID %j is one file', async (call_id) => {
		const body = { ok: true, data: { call_id, turns: [] } };
		emulator.faults.add({ kind: 'status', status: 200, body });
		const { items } = await get({ call_id: locator(call_id), format: 'textFile' });
		const { data } = items[0]!.binary!;
		expect(data!.fileName).toBe(`transcript-${call_id.replace(/[/:\\]/, '_')}.txt`);
		expect(data).not.toHaveProperty('directory');
		expect(items[0]!.json.file_name).toBe(data!.fileName);
	});

	it('in which nothing was said is no error', async () => {
		emulator.store.callTimings.set(call().id, { turns: [] });
		for (const format of ['data', 'text', 'textFile', 'markdown']) {
			expect((await get({ format })).json[0]).toMatchObject({ call_id: call().id });
		}
	});
});
