import type { IncomingHttpHeaders } from 'node:http';

import type { Reply } from './envelope.ts';
import { MODELS } from './platform.ts';
import { Random } from './random.ts';

const NAMES = 'Alba Boreas Cleo Demir Esma Faro Gaia Helio Iris Juno'.split(' ');
const GENDERS = ['female', 'male', 'neutral', null] as const;
const LANGUAGES = ['it', 'en', 'fr', 'de', 'es', null];
const GENERATIONS = ['current', 'legacy', null] as const;

const SIGNATURE = '?signature=1f2e3d';

export type Voice = ReturnType<typeof makeVoices>[number];

/** Section "Voice": ten for each model. Each field that may be null is null in some of them. */
export const makeVoices = (origin: string) =>
	MODELS.flatMap((model, group) => {
		const random = new Random(7_000 + group);
		return NAMES.map((name, index) => {
			const language = LANGUAGES[(index + group) % LANGUAGES.length] ?? null;
			const key = `${model.value}-${name.toLowerCase()}`;
			return {
				id: random.uuid(),
				custom_name: `${name} (${model.label})`,
				description: `${name}, a voice of ${model.label}`,
				file: {
					file_name: `${key}.mp3`,
					content_size: random.integer(40_000, 400_000),
					content_type: 'audio/mpeg',
					url: index % 5 === 4 ? null : `${origin}/files/${key}.mp3`,
				},
				ai_provider: model.value,
				provider_voice_key: index % 4 === 3 ? null : key,
				gender: GENDERS[index % GENDERS.length] ?? null,
				language_characterization: language && `native in ${language}`,
				language,
				generation: GENERATIONS[index % GENERATIONS.length] ?? null,
				recommended_for: index % 2 === 0 && language ? [language] : [],
			};
		});
	});

/**
 * The file of a voice, outside /v1. Like many file stores, this one redirects to a signed address and
 * refuses a request that also has a key. Section "Voice": file.url is a signed or public preview URL.
 */
export function fileOf(url: string, { authorization }: IncomingHttpHeaders): Reply | undefined {
	const [, place, name, query] = /^\/(files|store)\/([^/?]+)(\?.*)?$/.exec(url) ?? [];
	if (place === undefined) return undefined;
	if (authorization !== undefined)
		return { status: 400, body: 'Only one way of authentication is allowed' };
	if (place === 'files')
		return { status: 302, headers: { location: `/store/${name}${SIGNATURE}` } };
	if (query !== SIGNATURE) return { status: 403, body: 'Forbidden' };
	return { status: 200, type: 'binary/octet-stream', body: Buffer.from(`ID3 ${name}`) };
}
