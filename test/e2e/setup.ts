import type { TestProject } from 'vitest/node';

import { installHost } from './host.ts';
import { packForInstaller, type Pack } from './pack.ts';

declare module 'vitest' {
	export interface ProvidedContext {
		pack: Pack;
		/** The name of the n8n in which the tests of this project run. */
		host: string;
	}
}

/** Brings everything that the tests need, on a bare machine too. */
export default async function setup(project: TestProject): Promise<() => void> {
	await installHost(project.getProvidedContext().host);
	const { pack, remove } = packForInstaller();
	project.provide('pack', pack);
	return remove;
}
