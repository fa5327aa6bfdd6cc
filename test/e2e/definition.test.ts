import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { INodeTypeDescription } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { builtNodes } from '../support/built.ts';
import { installHost, NEWEST } from './host.ts';

/** In characters. An AI pays for each of them in every workflow that it builds. */
const MOST = 112_000;

const { dir } = await installHost(NEWEST);

/** n8n's own function: what an AI that builds workflows gets of a node. */
const { synthesizeNodeTypeDef } = createRequire(import.meta.url)(
	join(dir, 'node_modules/n8n/dist/modules/mcp-registry/synthesize-type-def.js'),
) as { synthesizeNodeTypeDef(description: INodeTypeDescription): string };

it.each(builtNodes)('$className: an AI reads its definition in one go', ({ describe }) => {
	const description = describe();
	const name = `n8n-nodes-yk-voice.${description.name}`;
	const text = synthesizeNodeTypeDef({ ...description, name });
	expect(text.length).toBeLessThanOrEqual(MOST);
});
