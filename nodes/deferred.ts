import type { ILoadOptionsFunctions, INodeType } from 'n8n-workflow';

import type { methods } from './engine';

type Kind = keyof typeof methods;
type Methods<K extends Kind> = NonNullable<NonNullable<INodeType['methods']>[K]>;
type Method = (this: ILoadOptionsFunctions, ...given: unknown[]) => Promise<unknown>;

/**
 * Methods for the editor, by their names. Their code is loaded with the first call, because n8n loads each
 * node at its start.
 */
export function deferred<K extends Kind>(
	load: () => Promise<{ methods: typeof methods }>,
	kind: K,
	names: readonly string[],
): Methods<K> {
	const call = (name: string): Method =>
		async function (...given) {
			const { methods } = await load();
			return await (methods[kind] as Record<string, Method>)[name]?.apply(this, given);
		};
	return Object.fromEntries(names.map((name) => [name, call(name)])) as Methods<K>;
}
