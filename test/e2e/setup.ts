import type { TestProject } from 'vitest/node';

import { hostsToTest, installHost } from './host.ts';
import { prepareMachine } from './machine.ts';
import { packForInstaller, type Pack } from './pack.ts';

declare module 'vitest' {
	export interface ProvidedContext {
		pack: Pack;
	}
}

/** Brings everything that the tests need, on a bare machine too. */
export default function setup(project: TestProject): () => void {
	prepareMachine();
	for (const name of hostsToTest()) installHost(name);
	const { pack, remove } = packForInstaller();
	project.provide('pack', pack);
	return remove;
}
