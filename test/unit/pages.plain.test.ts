import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../nodes/json.ts';
import { readPages, streamPages } from '../../nodes/api/pages/index.ts';

describe('records without an id', () => {
	const list = (size: number) => Array.from({ length: size }, (_, n) => ({ n }));
	const serve = (
		records: JsonObject[],
		total?: number,
		before: (request: number) => void = () => {},
	) => {
		let requests = 0;
		return async (offset: number, limit: number) => {
			before(requests++);
			return { records: records.slice(offset, offset + limit), total };
		};
	};

	test.each([
		[0, undefined],
		[100, undefined],
		[250, undefined],
		[250, 250],
		[300, 300],
		// A total that is wrong, and the same on every page, cuts nothing.
		[250, 5],
	])('%i of them, with the total %s', async (size, total) => {
		expect(await readPages(serve(list(size), total))).toEqual(list(size));
	});

	test.each([
		[80, 25, 80],
		[80, 25, undefined],
		[75, 25, 75],
		[3, 1, undefined],
	])('%i of them, %i at a time, with the total %s', async (size, cap, total) => {
		const fetch = serve(list(size), total);
		const capped = async (offset: number, limit: number) =>
			await fetch(offset, Math.min(cap, limit));
		expect(await readPages(capped)).toEqual(list(size));
		expect(await readPages(capped, 60)).toEqual(list(size).slice(0, 60));
	});

	test.each([
		[20, 100],
		[60, 50],
		[60, 20],
		[64, 16],
	])('%i of them, %i at a time, where the total counts the page', async (size, cap) => {
		const fetch = async (offset: number, limit: number) => {
			const records = list(size).slice(offset, offset + Math.min(cap, limit));
			return { records, total: records.length };
		};
		expect(await readPages(fetch)).toEqual(list(size));
	});

	test('the first 120 of them', async () => {
		expect(await readPages(serve(list(500)), 120)).toEqual(list(120));
	});

	test('are read anew where the total changed meanwhile', async () => {
		const records: JsonObject[] = list(250);
		let requests = 0;
		const fetch = async (offset: number, limit: number) => {
			if (requests++ === 1) records.unshift({ n: -1 });
			return { records: records.slice(offset, offset + limit), total: records.length };
		};
		expect(await readPages(fetch)).toEqual(records);
	});

	test('are given up where it changes every time', async () => {
		let requests = 0;
		const fetch = async () => ({ records: list(100), total: 500 + requests++ });
		await expect(readPages(fetch)).rejects.toThrow(/changed while it was read.*quieter time/);
		expect(requests).toBeLessThan(20);
	});
});

test('records whose id is empty are not one', async () => {
	const records = Array.from({ length: 5 }, () => ({ id: '' }));
	expect(await readPages(async () => ({ records, total: 5 }))).toEqual(records);
});

test.each([0, 1, 2])('records that look alike all come, those of page %d too', async (page) => {
	const records = Array.from({ length: 250 }, (_, at) => ({
		id: Math.floor(at / 100) === page ? at % 7 : 1000 + at,
		at,
	}));
	const fetch = async (offset: number, limit: number) => ({
		records: records.slice(offset, offset + limit),
		total: records.length,
	});
	expect(await readPages(fetch)).toEqual(records);
});

test('what was taken does not count once records turn out to have no id', async () => {
	const records = Array.from({ length: 250 }, (_, n) => (n < 200 ? { id: n } : { n }));
	const taken: JsonObject[][] = [];
	const fetch = async (offset: number, limit: number) => ({
		records: records.slice(offset, offset + limit),
		total: records.length,
	});
	const startTaking = () => {
		const own: JsonObject[] = [];
		taken.push(own);
		return (fresh: JsonObject[]) => own.push(...fresh) > 1000;
	};
	await streamPages(fetch, startTaking);
	expect(taken).toHaveLength(2);
	expect(taken[1]).toEqual(records);
});
