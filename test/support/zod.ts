import Module from 'node:module';

interface Resolver {
	_resolveFilename(request: string, parent: { filename?: string | null } | null): string;
}

// The zod that the built nodes get. n8n's own code in the same process keeps its zod.
const zod = process.env.ZOD ?? 'zod';

const resolver = Module as unknown as Resolver;
const resolve = resolver._resolveFilename;
resolver._resolveFilename = function (request, parent, ...rest) {
	const isOurs = request === 'zod' && /[\\/]dist[\\/]nodes[\\/]/.test(parent?.filename ?? '');
	return resolve.call(this, isOurs ? zod : request, parent, ...rest);
};
