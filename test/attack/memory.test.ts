import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, it } from 'vitest';

import { attack } from './attack.ts';
import { pollerFor } from './hosts.ts';
import { isList, record, send, serverForTests, tame, type Answer } from './server.ts';

const api = serverForTests();

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const MB = 2 ** 20;

/** On a busy machine, large answers take long. */
const PATIENT = { requestOptions: { maxWait: 0, timeout: 600 } };

/** The most memory that this process ever had, in MB. Each file of attacks has a process of its own. */
const peak = () => process.resourceUsage().maxRSS / 1024;

let before = 0;
beforeAll(async () => {
	for (const operation of ['usage.get', 'contact.getAll']) await attack(api, { operation });
	before = peak();
});

/** Zipped JSON whose data repeats a part. It is never whole in the memory of this process. */
function zipped(start: string, part: string, times: number, end: string): Answer {
	const parts = gzipSync(part.repeat(times / 100));
	const body = Buffer.concat([
		gzipSync(`{"ok":true,"data":${start}`),
		...Array.from({ length: 100 }, () => parts),
		gzipSync(`${end}}`),
	]);
	return (_asked, response) => send(response, body, 200, { 'content-encoding': 'gzip' });
}

/** Answers of less than half a megabyte, which hold far more. The first was once 909 MB of objects. */
const BOMBS: Readonly<Record<string, () => Answer>> = {
	'of objects': () => zipped('[', '{},', 30_000_000, '{}]'),
	'of a text': () => zipped('"', '0', 100 * MB, '"'),
	'of lists, one in the other': () =>
		zipped('[', '['.repeat(60) + ']'.repeat(60) + ',', 300_000, '1]'),
};

it.each(Object.entries(BOMBS))('zipped JSON %s takes little memory', async (_of, make) => {
	api.answer = make();
	for (const operation of ['usage.get', 'contact.count']) await attack(api, { operation });
	const poller = pollerFor(api, { parameters: { event: 'newContact' } });
	await poller.activate().catch(() => {});
	expect(peak() - before, 'MB at the peak').toBeLessThan(250);
});

it('a transcript of 7 MB as Markdown, with a mark in each place, takes little memory', async () => {
	const turns = [{ role: 'agent', text: '*'.repeat(7 * MB) }];
	api.answer = (_asked, response) => send(response, { ok: true, data: { turns } });
	const most = peak();
	const parameters = { call_id: { __rl: true, mode: 'id', value: '1' }, format: 'markdown' };
	const { items } = await attack(api, { operation: 'call.getTranscript', parameters });
	expect(items).toHaveLength(1);
	expect(peak() - most, 'MB at the peak').toBeLessThan(250);
});

it('a list of long records that does not end keeps no more than its bound', async () => {
	const notes = 'x'.repeat(2000);
	const read = async (pages: number) => {
		let left = pages;
		api.answer = (asked, response) => {
			if (!isList(asked)) return void tame(asked, response);
			const [limit, offset] = ['limit', 'offset'].map((name) => Number(asked.query.get(name)));
			const count = left-- > 0 ? limit! : 0;
			const named = (at: number) => record('', { id: `id-${offset! + at}`, notes });
			send(response, { ok: true, data: Array.from({ length: count }, (_, at) => named(at)) });
		};
		// A count keeps no records.
		await attack(api, { operation: 'contact.count', parameters: { returnAll: true } });
		collect();
		return process.memoryUsage().heapUsed / MB;
	};
	await read(20);
	const [few, many] = [await read(20), await read(200)];
	expect(many - few, 'MB that are left').toBeLessThan(10);
});

it('a list whose records are full of empty objects ends at its bound of memory [P218]', async () => {
	const full = `[${'{},'.repeat(95_000)}{}]`;
	let pages = 0;
	api.answer = (asked, response) => {
		if (!isList(asked)) return void tame(asked, response);
		pages++;
		const offset = Number(asked.query.get('offset'));
		send(response, `{"ok":true,"data":[{"id":"${offset}","at":${full}},{"id":"${offset + 1}"}]}`);
	};
	const { messages } = await attack(api, {
		operation: 'contact.getAll',
		parameters: { returnAll: true, ...PATIENT },
	});
	expect(messages.join()).toContain('more than 512 MB of memory');
	expect(pages).toBeLessThan(130);
});

it('the details of a list end at their bound of memory [P218]', async () => {
	const full = `[${'{},'.repeat(95_000)}{}]`;
	let details = 0;
	const calls = Array.from({ length: 200 }, (_, at) => record('', { id: `c${at}` }));
	api.answer = (asked, response) => {
		const offset = Number(asked.query.get('offset'));
		if (isList(asked)) return void send(response, { ok: true, data: calls.slice(offset) });
		details++;
		send(response, `{"ok":true,"data":{"turns":${full}}}`);
	};
	const { messages } = await attack(api, {
		operation: 'call.getAll',
		parameters: { returnAll: true, options: { include: ['transcript'] }, ...PATIENT },
	});
	expect(messages.join()).toContain('more than 512 MB of memory');
	expect(details).toBeLessThan(200);
});
