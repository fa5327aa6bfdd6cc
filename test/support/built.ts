import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';

// Before the built nodes, which take functions of n8n from it when they load.
import './n8n.ts';
import { readManifest, ROOT } from './root.ts';

export interface BuiltNode {
	/** The class, such as YkVoice. */
	className: string;
	/** The built file, from the package's root. */
	path: string;
	/** A new instance's description: n8n itself mutates what it loads. */
	describe(): INodeTypeDescription;
}

const require = createRequire(import.meta.url);

/** The nodes that package.json registers, as built. */
export const builtNodes: BuiltNode[] = readManifest().n8n.nodes.map((path) => {
	const className = basename(path, '.node.js');
	return {
		className,
		path,
		describe() {
			const exported = require(join(ROOT, path)) as Record<string, new () => INodeType>;
			const Node = exported[className];
			if (Node === undefined) throw new Error(`${path} exports no class ${className}`);
			return new Node().description;
		},
	};
});
