import { createRequire, registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { installedHost, NEWEST } from '../../test/e2e/host.ts';
import { ROOT } from '../../test/support/root.ts';

/** The n8n that the end-to-end tests installed, which has the HTTP Request node; undefined where they never ran. */
export const hostDir = installedHost(NEWEST)?.dir;

const PROVIDED = /^(n8n-core|n8n-workflow|reflect-metadata|zod|luxon|@n8n\/.+)$/;

if (hostDir !== undefined) {
	const own = pathToFileURL(ROOT).href;
	const fromHost = createRequire(join(hostDir, 'index.js'));
	// Both nodes must run in one n8n: what this package takes from n8n comes from there.
	registerHooks({
		resolve: (specifier, context, next) =>
			PROVIDED.test(specifier) && context.parentURL?.startsWith(own)
				? { url: pathToFileURL(fromHost.resolve(specifier)).href, shortCircuit: true }
				: next(specifier, context),
	});
}
