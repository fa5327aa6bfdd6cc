import type { WebServer } from './http.ts';
import type { Voice } from './records.ts';

const SIGNATURE = 'signature=1f2e3d';

/**
 * The files of voices, outside /v1: a store of files as there are many, which redirects to a signed
 * address, and refuses a request that also carries a key. Section "Voice": file.url is a signed or
 * public preview URL.
 */
export function addFiles(server: WebServer) {
	server.on('GET', '/files/{name}', ({ params, headers }, reply) =>
		headers.authorization === undefined
			? reply.redirect(`/store/${params.name}?${SIGNATURE}`)
			: reply.code(400).send('Only one way of authentication is allowed'),
	);
	server.on('GET', '/store/{name}', ({ params, headers, url }, reply) => {
		const isSigned = url.endsWith(`?${SIGNATURE}`);
		if (!isSigned || headers.authorization !== undefined) return reply.code(403).send('Forbidden');
		reply.header('content-type', 'binary/octet-stream').send(contentOf(params.name!));
	});

	/** Points the voices' files here. */
	return (voices: Voice[], origin: string) => {
		for (const { file } of voices) {
			if (file.url !== null) file.url = `${origin}/files/${file.file_name}`;
		}
	};
}

/** What stands for the sound in a file. */
export const contentOf = (name: string) => Buffer.from(`ID3 ${name}`);
