import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { core } from '../support/n8n.ts';
import { ROOT } from '../support/root.ts';
import { operations } from '../support/runSample.ts';
import {
	answersOf,
	mismatches,
	schemaOf,
	SCHEMAS,
	UNNAMED,
	type Schema,
} from '../support/schemas.ts';

const written = (name: string) =>
	JSON.parse(readFileSync(join(SCHEMAS, `${name.replace('.', '/')}.json`), 'utf8')) as Schema;

describe('output schemas', () => {
	it('are there for every operation, and for nothing else', () => {
		const files = readdirSync(SCHEMAS, { recursive: true, encoding: 'utf8' })
			.filter((path) => path.endsWith('.json'))
			.map((path) => path.replace('.json', '').replace(/[/\\]/, '.'));
		expect(files.sort()).toEqual([...operations].sort());
	});

	it.each(operations)('%s is what the API answers now', async (name) => {
		const answers = await answersOf(name);
		const schema = written(name);
		expect(schema, 'npm run docs').toEqual(schemaOf(name, answers));
		expect(schema.type).toBe('object');
		expect(
			Object.keys(schema.properties).length,
			'Nobody knows a field of the output. Name its record in test/support/reference.ts, or add the operation to UNNAMED, or to ADDED if the node makes its output, in test/support/schemas.ts',
		).toBeGreaterThan(0);
		expect(answers.output.length).toBeGreaterThan(0);
		expect(answers.output.flatMap((record) => mismatches(record, schema, name))).toEqual([]);
	});

	it('name only what the package adds, if the reference shows no fields', () => {
		const promised = operations.filter((name) => 'success' in written(name).properties);
		expect(promised.sort()).toEqual(Object.keys(UNNAMED).sort());
	});

	it('are found by n8n in the built package', () => {
		const nodeDir = join(ROOT, 'dist/nodes/YkVoice');
		const asked = { nodeDir, version: 1, resource: 'contact', operation: 'get' };
		// As the editor asks, and as the AI workflow builder asks.
		for (const versionFallback of [false, true])
			expect(core.loadOutputSchema({ ...asked, versionFallback })).toEqual(written('contact.get'));
	});
});
