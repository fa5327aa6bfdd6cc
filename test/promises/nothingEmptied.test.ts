import { describe, expect, it } from 'vitest';

import { placesOf } from '../support/places.ts';
import { isChange, run, serverForTests, TARGETS, tryEach } from './lab.ts';

const api = serverForTests();

/** What a blank cell of a table, or a model that leaves something out, gives. */
const BLANK = ['', '   ', null, undefined];

/** The places in a body that hold nothing, such as `custom_fields.color`. */
function emptyIn(value: unknown, at = ''): string[] {
	if (value === null || value === '') return [at];
	if (typeof value === 'string') return value.trim() === '' ? [at] : [];
	if (typeof value !== 'object') return [];
	const entries = Object.entries(value);
	if (entries.length === 0) return [at];
	return entries.flatMap(([name, inner]) => emptyIn(inner, at ? `${at}.${name}` : name));
}

/** *API Request* sends what its user writes. */
const changing = TARGETS.filter(
	({ operation }) => !/get|count|wait|check|report|apiRequest/i.test(operation),
);

/** What the sample empties on purpose goes; the rest of a PUT is the record of the account, which is full. */
const withoutClearing = changing.map(({ parameters: { clearFields: _, ...kept }, ...target }) => ({
	...target,
	parameters: kept,
}));

const changes = () =>
	api.asked.filter(isChange).map(({ method, path, body }) => ({ method, path, body }));

describe('4. Nothing is emptied by a blank cell, nor by a model that leaves something out', () => {
	it.each(withoutClearing)('$operation', async (target) => {
		await run(api, target);
		const usual = changes();
		const isKnown = (path: string) => usual.some((change) => change.path === path);
		const emptied = new Set(usual.flatMap(({ body }) => (body ? emptyIn(JSON.parse(body)) : [])));
		await tryEach(
			placesOf(target.operation),
			({ name }) => name,
			async ({ property, put }) => {
				const blank = '={{ $json.blank }}';
				const isLocator = property.type === 'resourceLocator';
				api.asked = [];
				await run(
					api,
					{
						...target,
						parameters: put(
							target.parameters,
							isLocator ? { __rl: true, mode: 'id', value: blank } : blank,
						),
						items: BLANK.map((value) => ({ ...target.items?.[0], blank: value }) as never),
					},
					{ node: { onError: 'continueErrorOutput' } },
				);
				for (const { path, body } of changes()) {
					// An ID that is blank is never the path of all records.
					expect(isKnown(path), path).toBe(true);
					const empty = body ? emptyIn(JSON.parse(body)) : [];
					expect(empty.filter((at) => !emptied.has(at))).toEqual([]);
				}
			},
		);
	});
});
