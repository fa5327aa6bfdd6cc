import { readdirSync } from 'node:fs';
import type { Dialect } from '../readings.ts';

/** Every file beside this one, by its name: to add a dialect is to add its file. */
export const DIALECTS: Readonly<Record<string, Dialect>> = Object.fromEntries(
	await Promise.all(
		readdirSync(new URL('.', import.meta.url))
			.filter((file) => file !== 'index.ts')
			.sort()
			.map(async (file) => {
				const { default: dialect } = (await import(new URL(file, import.meta.url).href)) as {
					default: Dialect;
				};
				return [file.replace('.ts', ''), dialect] as const;
			}),
	),
);
