import type { INodeProperties } from 'n8n-workflow';
import { createRequire } from 'node:module';
import { describe, expect, test, vi } from 'vitest';
import { type Operation, type Resources } from '../../nodes/table/operation.ts';
import { USUAL_NAMES } from '../../nodes/api/names.ts';
import { parametersOf, toProperties } from '../../nodes/table/properties.ts';
import { toRequest } from '../../nodes/action/perform.ts';
import { accessOf } from '../../nodes/domain/access.ts';
import { resources } from '../../nodes/resources/index.ts';

// n8n-workflow's ES modules do not load in Node; the built nodes use the CommonJS ones too.
vi.mock('n8n-workflow', () => createRequire(import.meta.url)('n8n-workflow') as object);

/** The parameters that the editor shows for one operation, without what the table adds to them. */
function shownFor(properties: INodeProperties[], resource: string, operation: string) {
	return properties
		.filter(({ displayOptions }) => {
			const show = displayOptions?.show ?? {};
			return show.resource?.includes(resource) && show.operation?.includes(operation);
		})
		.map(({ displayOptions, ...property }) => {
			const { resource: _resource, operation: _operation, ...show } = displayOptions?.show ?? {};
			return { ...property, show, hide: displayOptions?.hide };
		});
}

const declared = (operation: Operation) =>
	parametersOf(operation).map(({ displayOptions, ...property }) => ({
		...property,
		show: displayOptions?.show ?? {},
		hide: displayOptions?.hide,
	}));

function expectOwnOrder(table: Resources) {
	const properties = toProperties(table);
	for (const [resource, { operations }] of Object.entries(table)) {
		for (const [name, operation] of Object.entries(operations)) {
			expect(shownFor(properties, resource, name)).toEqual(declared(operation));
		}
	}
	return properties;
}

describe('the table as n8n’s properties', () => {
	test('shows each operation its own parameters, in their order', () => {
		expectOwnOrder(resources);
	});
});

describe('the request of a row', () => {
	test.each<[template: Operation['request'], input: object, request: object]>([
		['GET /things', {}, { method: 'GET', path: '/things' }],
		['GET /things', { sort: '-x' }, { method: 'GET', path: '/things', query: { sort: '-x' } }],
		['GET /things/{id}', { id: 'x' }, { method: 'GET', path: '/things/x' }],
		[
			'GET /things/{id}/parts/{part_id}',
			{ part_id: 'p', id: 'x', limit: 1 },
			{ method: 'GET', path: '/things/x/parts/p', query: { limit: 1 } },
		],
		[
			'GET /things/{id}',
			{ id: '../b?c#d e%2f+' },
			{ method: 'GET', path: '/things/..%2Fb%3Fc%23d%20e%252f%2B' },
		],
		[
			'PATCH /things/{id}',
			{ id: 'x', a: null },
			{ method: 'PATCH', path: '/things/x', body: { a: null } },
		],
		['POST /things', { a: '' }, { method: 'POST', path: '/things', body: { a: '' } }],
	])('%s with %j', (template, input, request) => {
		const before = structuredClone(input);
		expect(toRequest({ request: template }, input as Record<string, unknown>, USUAL_NAMES)).toEqual(
			request,
		);
		expect(input).toEqual(before);
	});
});

describe('what a request needs', () => {
	const [read, change] = ['READ or READ_WRITE', 'READ_WRITE'];

	test.each([
		['GET /orders', { permission: read }],
		['PATCH /orders/{order_id}', { permission: change }],
		['GET /agents/{agent_id}/tools', { permission: read, scope: 'agents:read' }],
		['PATCH /agents/{agent_id}', { permission: change, scope: 'agents:write' }],
		['GET /usage', { permission: read, scope: 'usage:read' }],
		['GET /portal-access/{portal_type}', { permission: read, scope: 'offline_access' }],
		['POST /playground/test-call', { permission: 'WRITE together with MAKE_OUTBOUND_CALLS' }],
	])('%s', (request, access) => {
		expect(accessOf(request)).toMatchObject(access);
	});
});
