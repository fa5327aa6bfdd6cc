import { createRequire } from 'node:module';
import { expect, test, vi } from 'vitest';
import { parametersOf, toProperties } from '../../nodes/table/properties.ts';
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
				...property,
				show: displayOptions?.show ?? {},
				hide: displayOptions?.hide,
			}));
			expect(own).toEqual(declared);
		}
	}
});
