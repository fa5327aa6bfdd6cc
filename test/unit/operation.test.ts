import { createRequire } from 'node:module';
import { describe, expect, test, vi } from 'vitest';
import type { Operation } from '../../nodes/table/operation.ts';
import { USUAL_NAMES } from '../../nodes/api/names.ts';
import { parametersOf, toProperties } from '../../nodes/table/properties.ts';
import { toRequest } from '../../nodes/action/perform.ts';
import { resources } from '../../nodes/resources/index.ts';

// n8n-workflow's ES modules do not load in Node; the built nodes use the CommonJS ones too.
vi.mock('n8n-workflow', () => createRequire(import.meta.url)('n8n-workflow') as object);

test('the editor shows each operation its own parameters, in their order', () => {
	const properties = toProperties(resources);
	for (const [resource, { operations }] of Object.entries(resources)) {
		for (const [name, operation] of Object.entries(operations)) {
			const shown = properties.filter(({ displayOptions: { show } = {} }) =>
				Boolean(show?.resource?.includes(resource) && show.operation?.includes(name)),
			);
			// The table adds the resource and the operation to what shows a parameter.
			const own = shown.map(({ displayOptions, ...property }) => {
				const { resource: _resource, operation: _operation, ...show } = displayOptions!.show!;
				return { ...property, show, hide: displayOptions!.hide };
			});
			const declared = parametersOf(operation).map(({ displayOptions, ...property }) => ({
				...{ ...property, show: displayOptions?.show ?? {}, hide: displayOptions?.hide },
			}));
			expect(own).toEqual(declared);
		}
	}
});

describe('the request of a row', () => {
	test.each<
		[template: Operation['request'], input: Record<string, unknown>, path: string, rest?: object]
	>([
		['GET /things', {}, '/things'],
		['GET /things', { sort: '-x' }, '/things', { query: { sort: '-x' } }],
		['GET /a/{id}/b/{b_id}', { b_id: 'p', id: 'x', l: 1 }, '/a/x/b/p', { query: { l: 1 } }],
		['GET /things/{id}', { id: '../b?c#d e%2f+' }, '/things/..%2Fb%3Fc%23d%20e%252f%2B'],
		['PATCH /things/{id}', { id: 'x', a: null }, '/things/x', { body: { a: null } }],
		['POST /things', { a: '' }, '/things', { body: { a: '' } }],
	])('%s with %j', (request, input, path, rest) => {
		const before = structuredClone(input);
		const [method] = request.split(' ');
		expect(toRequest({ request }, input, USUAL_NAMES)).toEqual({ method, path, ...rest });
		expect(input).toEqual(before);
	});
});
