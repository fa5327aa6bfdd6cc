import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../nodes/json.ts';
import { readPages, streamPages } from '../../nodes/api/pages/index.ts';

const list = (size: number) => Array.from({ length: size }, (_, n) => ({ n }));

/** A server that puts up to `cap` records on a page. */
const serve =
	(records: JsonObject[], total?: number, cap = 100) =>
	async (offset: number, limit: number) => ({
		records: records.slice(offset, offset + Math.min(cap, limit)),
		total,
	});

describe('records without an id', () => {
	test.each<[size: number, cap: number, total: number | undefined]>([
		[0, 100, undefined],
		[100, 100, undefined],
		[250, 100, undefined],
		[250, 100, 250],
		[300, 100, 300],
		// A total that is wrong, and the same on every page, cuts nothing.
		[250, 100, 5],
		[80, 25, 80],
		[80, 25, undefined],
		[75, 25, 75],
		[3, 1, undefined],
	])('%i of them, up to %i on a page, with the total %s', async (size, cap, total) => {
		const fetch = serve(list(size), total, cap);
		expect(await readPages(fetch)).toEqual(list(size));
		expect(await readPages(fetch, 60)).toEqual(list(size).slice(0, 60));
		expect(await readPages(fetch, 120)).toEqual(list(size).slice(0, 120));
	});

	test.each([
		[20, 100],
		[60, 50],
		[60, 20],
		[64, 16],
	])('%i of them, up to %i on a page, if the total counts the page', async (size, cap) => {
		const fetch = async (offset: number, limit: number) => {
			const { records } = await serve(list(size), size, cap)(offset, limit);
			return { records, total: records.length };
		};
		expect(await readPages(fetch)).toEqual(list(size));
	});

	test('are read again if the total changes while they are read', async () => {
		const records: JsonObject[] = list(250);
		let requests = 0;
		const fetch = async (offset: number, limit: number) => {
			if (requests++ === 1) records.unshift({ n: -1 });
			return await serve(records, records.length)(offset, limit);
		};
		expect(await readPages(fetch)).toEqual(records);
	});

	test('are an error if the total changes each time', async () => {
		let requests = 0;
		const fetch = async () => ({ records: list(100), total: 500 + requests++ });
		await expect(readPages(fetch)).rejects.toThrow(/changed while it was read.*quieter time/);
		expect(requests).toBeLessThan(20);
	});
});

test('records with an empty id are not the same record', async () => {
	const records = Array.from({ length: 5 }, () => ({ id: '' }));
	expect(await readPages(serve(records, records.length))).toEqual(records);
});

test.each([0, 1, 2])('different records with the same id all come: page %d', async (page) => {
	const records = Array.from({ length: 250 }, (_, at) => ({
		id: Math.floor(at / 100) === page ? at % 7 : 1000 + at,
		at,
	}));
	expect(await readPages(serve(records, records.length))).toEqual(records);
});

test('taking begins again if later records have no id', async () => {
	const records = Array.from({ length: 250 }, (_, n) => (n < 200 ? { id: n } : { n }));
	const taken: JsonObject[][] = [];
	const startTaking = () => {
		const own: JsonObject[] = [];
		taken.push(own);
		return (fresh: JsonObject[]) => own.push(...fresh) > 1000;
	};
	await streamPages(serve(records, records.length), startTaking);
	expect(taken).toHaveLength(2);
	expect(taken[1]).toEqual(records);
});
