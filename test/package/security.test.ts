import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { ROOT } from '../support/root.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Each promise of SECURITY.md by its first words, and the tests that attack it: file and title. */
const ATTACKS: ReadonlyArray<
	readonly [promise: string, ...tests: Array<readonly [string, string]>]
> = [
	[
		'The nodes send the key to the Base URL',
		['test/faults/secrets.test.ts', 'from where a redirect (%i) leads'],
		['test/faults/secrets.test.ts', 'every test of this folder runs the node by lab.ts'],
	],
	[
		'The key is in one header',
		['test/faults/secrets.test.ts', 'the key goes into one header of each request'],
		['test/contract/accounts.test.ts', 'a token that n8n would write into the address is refused'],
	],
	[
		'The same holds if another node',
		['test/contract/credential.test.ts', 'the key is not sent to %s'],
		['test/contract/credential.test.ts', 'a node cannot make the request follow redirects'],
		['test/contract/credential.test.ts', 'the key is not sent through the proxy %j of a node'],
		['test/unit/baseUrl.test.ts', '%s is none'],
		['test/e2e/key.test.ts', 'goes to no other address'],
	],
	[
		'n8n adds an OAuth2 token',
		['test/e2e/key.test.ts', 'an OAuth2 token goes nowhere, unless the user allows it'],
	],
	[
		'If you choose *Specific Domains*',
		['test/unit/baseUrl.test.ts', 'does not let it go to %s if it has %j'],
		['test/contract/accounts.test.ts', 'an address that the credential does not allow'],
		['test/e2e/key.test.ts', 'our own node respects the list of allowed domains'],
	],
	['A Base URL with `http://`', ['test/unit/baseUrl.test.ts', 'is only for servers in the own']],
	[
		'No item, message or log line',
		['test/faults/secrets.test.ts', 'from %s'],
		['test/faults/secrets.test.ts', 'an error that does not show it'],
		['test/unit/baseUrl.test.ts', 'does not repeat what may be a key or a password'],
		['test/e2e/key.test.ts', 'the test of a credential repeats no field'],
	],
	[
		'If a server sends the key back',
		['test/faults/secrets.test.ts', 'from a successful answer, which goes on without it'],
		['test/unit/secrets.test.ts', 'in every piece of 12 characters or more'],
		['test/unit/secrets.test.ts', 'a key is removed from every place of an answer'],
	],
	[
		'The preview of a voice',
		['test/contract/files.test.ts', 'read without the key'],
		['test/contract/files.test.ts', 'is an error if its address leads into the network of n8n'],
		['test/contract/files.test.ts', 'is an error if a redirect leads into the network of n8n'],
	],
	[
		'A name from outside makes no folder',
		['test/contract/files.test.ts', 'called %j is a file called %j'],
		['test/contract/files.test.ts', 'of a call with the ID %j is one file'],
	],
	[
		'The package has no dependencies',
		['test/package/tarball.test.ts', 'brings no dependency of any other kind'],
		['test/package/tarball.test.ts', 'require only what n8n provides'],
		['test/package/tarball.test.ts', 'use no global beyond the language'],
	],
	[
		'A release is built and tested',
		['test/package/release.test.ts', 'is built and tested without any right'],
		['test/package/release.test.ts', 'is published as it was packed'],
		['test/package/release.test.ts', 'runs no script of any package'],
	],
];

const [, promises = ''] = read('SECURITY.md').split(
	/^## What the package does.*$|^## What it cannot.*$/m,
);
const bullets = [...promises.matchAll(/^- (.*)$/gm)].map(([, text = '']) => text);

it('each promise of SECURITY.md has tests that attack it, and nothing else is promised', () => {
	expect(bullets.map((text) => ATTACKS.find(([start]) => text.startsWith(start))?.[0])).toEqual(
		ATTACKS.map(([start]) => start),
	);
});

it.each(ATTACKS.flatMap(([promise, ...tests]) => tests.map((test) => [promise, ...test] as const)))(
	'%s: %s has the test “%s”',
	(_promise, file, title) => {
		expect(read(file)).toContain(title);
	},
);
