import { createRequire, registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { installHost, NEWEST } from '../../test/e2e/host.ts';
import { ROOT } from '../../test/support/root.ts';

// `npm run bench` imports this before everything else (`node --import`).

/** Loads from the n8n of the end-to-end tests, which has the HTTP Request node. */
export const requireFromHost = createRequire(join((await installHost(NEWEST)).dir, 'index.js'));

const PROVIDED = /^(n8n-core|n8n-workflow|reflect-metadata|zod|luxon|@n8n\/.+)$/;

const own = pathToFileURL(ROOT).href;

// Both nodes must run in one n8n: what this package takes from n8n comes from there.
registerHooks({
	resolve: (specifier, context, next) =>
		PROVIDED.test(specifier) && context.parentURL?.startsWith(own)
			? { url: pathToFileURL(requireFromHost.resolve(specifier)).href, shortCircuit: true }
			: next(specifier, context),
});
