import type { ILoadOptionsFunctions, INodeType } from 'n8n-workflow';

import type { methods } from './engine/editor';

type Kind = keyof typeof methods;
type Methods<K extends Kind> = NonNullable<NonNullable<INodeType['methods']>[K]>;
type Method = (this: ILoadOptionsFunctions, ...given: unknown[]) => Promise<unknown>;

/** Methods for the editor. Their code is loaded with the first call, which keeps n8n's start fast. */
export function deferred<K extends Kind>(kind: K, names: readonly string[]): Methods<K> {
	const call = (name: string): Method =>
		async function (...given) {
			const { methods } = await import('./engine/editor');
			return await (methods[kind] as Record<string, Method>)[name]?.apply(this, given);
		};
	return Object.fromEntries(names.map((name) => [name, call(name)])) as Methods<K>;
}
