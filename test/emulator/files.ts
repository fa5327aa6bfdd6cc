import type { FastifyInstance } from 'fastify';
import type { Voice } from './platform.ts';

const SIGNATURE = 'signature=1f2e3d';

/**
 * Adds the files of voices, outside /v1. Like many file stores, this one redirects to a signed address
 * and refuses a request that also has a key. Section "Voice": file.url is a signed or public preview URL.
 */
export function addFiles(server: FastifyInstance): FastifyInstance {
	server.get<{ Params: { name: string } }>('/files/:name', ({ params, headers }, reply) =>
		headers.authorization === undefined
			? reply.redirect(`/store/${params.name}?${SIGNATURE}`)
			: reply.code(400).send('Only one way of authentication is allowed'),
	);
	server.get<{ Params: { name: string } }>('/store/:name', ({ params, headers, query }, reply) => {
		const isSigned = new URLSearchParams(query as Record<string, string>).toString() === SIGNATURE;
		if (!isSigned || headers.authorization !== undefined) return reply.code(403).send('Forbidden');
		return reply.type('binary/octet-stream').send(contentOf(params.name));
	});
	return server;
}

/** Makes the voices' addresses lead to these files. */
export function keepFiles(voices: Voice[], origin: string): void {
	for (const { file } of voices) {
		if (file.url !== null) file.url = `${origin}/files/${file.file_name}`;
	}
}

/** The content of a file, in place of sound. */
export const contentOf = (name: string) => Buffer.from(`ID3 ${name}`);
