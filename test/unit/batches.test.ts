import fc from 'fast-check';
import type { INode } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { ApiError } from '../../nodes/api/apiError.ts';
import { BatchLimit, sendInParts } from '../../nodes/api/batches.ts';

interface Server {
	/** How many entries it takes in one request. */
	most?: number;
	/** How it refuses more. */
	status?: number;
	/** Entries that it refuses, by a message of its own. */
	refuses?: (part: string[]) => string | undefined;
}

const NODE = { name: 'YK Voice', parameters: {} } as INode;

const refusal = (status: number, message: string) =>
	new ApiError(
		NODE,
		{ kind: 'answer', status, message },
		{
			about: { operation: 'Contact List: Add Contacts', permission: 'READ_WRITE' },
			isOAuth: false,
		},
	);

const entriesOf = (count: number) => Array.from({ length: count }, (_, at) => `entry-${at}-end`);

async function sending(
	entries: string[],
	{ most = Infinity, status = 400, refuses = () => undefined }: Server,
	{ size = 500, limit = new BatchLimit() } = {},
) {
	const taken: string[][] = [];
	const told: string[] = [];
	let requests = 0;
	const sent = sendInParts({
		entries,
		what: 'contacts',
		size,
		option: 'Contacts per Request',
		limit,
		nameOf: String,
		async send(part) {
			requests += 1;
			if (part.length > most) throw refusal(status, 'invalid data');
			const message = refuses(part);
			if (message !== undefined) throw refusal(400, message);
			taken.push(part);
			return await Promise.resolve(part.length);
		},
		tell: (message) => told.push(message),
	});
	const error = await sent.then(
		() => undefined,
		(thrown: Error) => thrown.message,
	);
	return { taken, told, error, requests };
}

describe('a list sent in parts', () => {
	it('arrives once and in its order, however many entries the server takes', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 0, max: 1500 }),
				fc.integer({ min: 10, max: 700 }),
				fc.constantFrom(400, 413, 422),
				async (count, most, status) => {
					const entries = entriesOf(count);
					const { taken, error, requests } = await sending(entries, { most, status });
					expect(error).toBeUndefined();
					expect(taken.flat()).toEqual(entries);
					expect(requests - taken.length).toBeLessThanOrEqual(Math.log2(500 / 10) + 1);
				},
			),
		);
	});

	it('tells the user which number to set, and sends no more than that from then on', async () => {
		const limit = new BatchLimit();
		const { told } = await sending(entriesOf(900), { most: 100 }, { limit });
		expect(told).toEqual([
			expect.stringMatching(/more than 63 .*set 'Contacts per Request' to 63/),
		]);
		const again = await sending(entriesOf(900), { most: 100 }, { limit });
		expect(again.requests).toBe(again.taken.length);
		expect(again.told).toEqual([]);
	});

	it.each<[string, number, Server]>([
		['names an entry', 400, { refuses: () => 'entry-7-end is unknown' }],
		['is about a few entries', 10, { refuses: () => 'invalid data' }],
		['has another status', 400, { most: 100, status: 409 }],
	])('is not sent in smaller parts if the refusal %s', async (_why, count, server) => {
		const { requests, error } = await sending(entriesOf(count), server);
		expect(requests).toBe(1);
		expect(error).toBeDefined();
	});

	it('stops at a refusal if as many were accepted before, and says what was done', async () => {
		const refuses = (part: string[]) =>
			part.includes('entry-70-end') ? 'invalid data' : undefined;
		const { error, taken } = await sending(entriesOf(120), { refuses }, { size: 30 });
		expect(taken.flat()).toEqual(entriesOf(60));
		expect(error).toMatch(/60 of 120 contacts were handled before, in 2 requests; the others were/);
	});
});
