import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { run } from '../support/account.ts';
import { placesOf } from '../support/places.ts';
import { apiForTests, isChange } from '../support/server.ts';
import { TARGETS, tryEach } from './all.ts';

const api = apiForTests();

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

/** *API Request* sends what its user writes, and what the sample empties on purpose goes. */
const changing = TARGETS.filter(
	([name]) => !/get|count|wait|check|report|apiRequest/i.test(name),
).map(([name, { clearFields: _, ...parameters }, items]) => [name, parameters, items] as const);

const changes = () =>
	api.asked.filter(isChange).map(({ method, path, body }) => ({ method, path, body }));

describe('4. Nothing is emptied by a blank cell, nor by a model that leaves something out', () => {
	it.each(changing)('in %s', async (name, parameters, items) => {
		await run(name, parameters, items);
		const usual = changes();
		const isKnown = (path: string) => usual.some((change) => change.path === path);
		const emptied = new Set(usual.flatMap(({ body }) => (body ? emptyIn(JSON.parse(body)) : [])));
		const blank = '={{ $json.blank }}';
		const places = placesOf(name).map(({ name, property, put }) => {
			const isLocator = property.type === 'resourceLocator';
			const value = isLocator ? { __rl: true, mode: 'id', value: blank } : blank;
			return [name, put(parameters, value)] as const;
		});
		const { record } = parameters as { record?: { value: INodeParameters } };
		const columns = Object.keys(record?.value ?? {}).map((column) => {
			const value = { ...record!.value, [column]: blank };
			return [column, { ...parameters, record: { ...record, value } }] as const;
		});
		await tryEach([...places, ...columns], async ([, changed]) => {
			const blanks = BLANK.map((blank) => ({ ...items[0], blank }) as never);
			api.asked = [];
			await run(name, changed, blanks, { node: { onError: 'continueErrorOutput' } });
			for (const { path, body } of changes()) {
				// An ID that is blank is never the path of all records.
				expect(isKnown(path), path).toBe(true);
				const empty = body ? emptyIn(JSON.parse(body)) : [];
				expect(empty.filter((at) => !emptied.has(at))).toEqual([]);
			}
		});
	});
});
