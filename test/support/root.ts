import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Manifest extends Record<string, unknown> {
	name: string;
	version: string;
	scripts: Record<string, string>;
	devDependencies: Record<string, string>;
	n8n: { nodes: string[]; credentials: string[] };
}

export const readManifest = (dir = ROOT) =>
	JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as Manifest;
