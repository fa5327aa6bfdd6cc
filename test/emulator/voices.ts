import type { IncomingMessage } from 'node:http';

import type { Reply } from './envelope.ts';
import { MODELS } from './platform.ts';
import { Random } from './random.ts';

const NAMES = 'Alba Boreas Cleo Demir Esma Faro Gaia Helio Iris Juno'.split(' ');

export type Voice = ReturnType<typeof makeVoices>[number];

/** One of these by the voice's number, so that each field that may be null is null in some of them. */
const turn = <T>(index: number, ...values: T[]) => values[index % values.length]!;

/** Section "Voice": ten for each model. */
export const makeVoices = (origin: string) =>
	MODELS.flatMap(({ value, label }, group) => {
		const random = new Random(7_000 + group);
		return NAMES.map((name, index) => {
			const language = turn<string | null>(index + group, 'it', 'en', 'fr', 'de', 'es', null);
			const key = `${value}-${name.toLowerCase()}`;
			return {
				id: random.uuid(),
				custom_name: `${name} (${label})`,
				description: `${name}, a voice of ${label}`,
				file: {
					file_name: `${key}.mp3`,
					content_size: random.integer(40_000, 400_000),
					content_type: 'audio/mpeg',
					url: index % 5 === 4 ? null : `${origin}/files/${key}.mp3`,
				},
				ai_provider: value,
				provider_voice_key: index % 4 === 3 ? null : key,
				gender: turn<string | null>(index, 'female', 'male', 'neutral', null),
				language_characterization: language && `native in ${language}`,
				language,
				generation: turn<string | null>(index, 'current', 'legacy', null),
				recommended_for: index % 2 === 0 && language ? [language] : [],
			};
		});
	});

/**
 * The file of a voice, outside /v1. Like many stores of files, this one redirects, and refuses a request that
 * has a key. Section "Voice": file.url is a signed or public preview URL.
 */
export function fileOf({ url = '', headers }: IncomingMessage): Reply | undefined {
	const [, place, name] = /^\/(files|store)\/([^/?]+)$/.exec(url) ?? [];
	if (place === undefined) return undefined;
	if (headers.authorization !== undefined) return { status: 400, body: 'A key is not allowed' };
	if (place === 'files') return { status: 302, headers: { location: `/store/${name}` } };
	return {
		status: 200,
		headers: { 'content-type': 'binary/octet-stream' },
		body: Buffer.from(`ID3 ${name}`),
	};
}
