import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { TestProject } from 'vitest/node';

import { hostsToTest, installHost } from './host.ts';
import { prepareMachine } from './machine.ts';
import { pack } from './pack.ts';

declare module 'vitest' {
	export interface ProvidedContext {
		pack: ReturnType<typeof pack>;
	}
}

/** Brings everything that the tests need, on a bare machine too. */
export default function setup(project: TestProject): () => void {
	prepareMachine();
	for (const name of hostsToTest()) installHost(name);
	const packed = pack();
	project.provide('pack', packed);
	return () => rmSync(dirname(packed.tarball), { recursive: true, force: true });
}
