/** Resources and operations that n8n shows a field for: for every pair of one of each. */
export interface ShownFor {
	resource: string[];
	operation: string[];
}

/**
 * Puts pairs of a resource and an operation into few conditions: resources with the same operations
 * together, or operations with the same resources, whichever takes fewer.
 *
 * @param pairs such as `call.getAll`
 */
export function shownFor(pairs: readonly string[]): ShownFor[] {
	const split = pairs.map((pair) => pair.split('.') as [resource: string, operation: string]);
	const byOperation = alike(split).map(([resource, operation]) => ({ resource, operation }));
	const byResource = alike(split.map(([resource, operation]) => [operation, resource])).map(
		([operation, resource]) => ({ resource, operation }),
	);
	return byResource.length < byOperation.length ? byResource : byOperation;
}

/** The firsts of these pairs that have the same seconds. */
function alike(pairs: ReadonlyArray<readonly [string, string]>): Array<[string[], string[]]> {
	const groups = new Map<string, [string[], string[]]>();
	for (const first of new Set(pairs.map(([one]) => one))) {
		const seconds = pairs.filter(([one]) => one === first).map(([, other]) => other);
		const group = groups.get(seconds.join()) ?? [[], seconds];
		group[0].push(first);
		groups.set(seconds.join(), group);
	}
	return [...groups.values()];
}
