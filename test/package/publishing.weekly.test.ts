// The steps of docs/development/releasing.md, with a registry that runs here.
import { execFile, execFileSync, type ExecFileSyncOptions } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { readManifest, ROOT } from '../support/root.ts';

const run = promisify(execFile);

/** What npm sends when it publishes: a document with the tarball in it. */
interface Published {
	name: string;
	versions: Record<string, { dist: { tarball: string } }>;
	_attachments: Record<string, { data: string }>;
}

const { name } = readManifest() as { name: string };
const dir = mkdtempSync(join(tmpdir(), 'yk-voice-release-'));
const checkout = join(dir, 'checkout');
let registry: Server;
let url: string;
let published: Published | undefined;
let authorization: string | undefined;

beforeAll(async () => {
	registry = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			if (request.method === 'PUT') {
				authorization = request.headers.authorization;
				published = JSON.parse(Buffer.concat(chunks).toString()) as Published;
				return response.writeHead(201).end('{}');
			}
			if (request.url?.endsWith('.tgz')) {
				const [{ data }] = Object.values(published!._attachments) as [{ data: string }];
				return response.end(Buffer.from(data, 'base64'));
			}
			return published && request.url === `/${name}`
				? response.end(JSON.stringify(published))
				: response.writeHead(404).end('{}');
		});
	});
	await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
	url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
});

afterAll(() => {
	registry.close();
	rmSync(dir, { recursive: true });
});

const npmrc = join(dir, 'npmrc');
const env = {
	...process.env,
	npm_config_userconfig: npmrc,
	npm_config_cache: join(dir, 'cache'),
	NPM_TOKEN: 'npm_secret',
	GIT_AUTHOR_NAME: 'a',
	GIT_AUTHOR_EMAIL: 'a@b.example',
	GIT_COMMITTER_NAME: 'a',
	GIT_COMMITTER_EMAIL: 'a@b.example',
};
const options = { cwd: checkout, env, encoding: 'utf8' } satisfies ExecFileSyncOptions;
const git = (...args: string[]) => execFileSync('git', args, options).trim();
const npm = async (...args: string[]) =>
	(await run('npm', [...args, `--registry=${url}`], options)).stdout.trim();

it('a version becomes a tag, the tag a tarball, and the tarball a package that can be installed', async () => {
	for (const path of ['package.json', 'package-lock.json', 'README.md', 'dist']) {
		cpSync(join(ROOT, path), join(checkout, path), { recursive: true });
	}
	writeFileSync(npmrc, `${url.replace('http:', '')}:_authToken=\${NPM_TOKEN}\n`);
	writeFileSync(join(checkout, '.gitignore'), 'dist\n');
	git('init', '-q');
	git('add', '.');
	git('commit', '-qm', 'state');

	const tag = await npm('version', 'minor');
	const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
	expect(tag).toBe(`v${version}`);
	expect(git('tag')).toBe(tag);
	expect(git('status', '--porcelain')).toBe('');

	await npm('pack', '--ignore-scripts');
	const tarball = `${name}-${version}.tgz`;
	await npm('publish', `./${tarball}`, '--ignore-scripts', '--access', 'public');
	expect(authorization).toBe('Bearer npm_secret');
	expect(Object.keys(published!.versions)).toEqual([version]);
	expect(JSON.stringify(published!.versions)).not.toContain('npm_secret');

	expect(await npm('view', name, 'version')).toBe(version);
	const home = join(dir, 'home');
	await npm('install', `${name}@${version}`, `--prefix=${home}`, '--omit=peer', '--ignore-scripts');
	const installed = join(home, 'node_modules', name);
	const { n8n } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
	const wanted = [...n8n.nodes, ...n8n.credentials] as string[];
	expect(wanted.filter((path) => !existsSync(join(installed, path)))).toEqual([]);
	expect(readdirSync(join(home, 'node_modules')).filter((one) => !one.startsWith('.'))).toEqual([
		name,
	]);
}, 600_000);
