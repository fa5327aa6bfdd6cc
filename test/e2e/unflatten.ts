/**
 * Reads what n8n saves of an execution: a list of all values in which a string that stands inside
 * an object or a list is the index of its value.
 */
export function unflatten(text: string): unknown {
	const values = JSON.parse(text) as unknown[];
	const seen = new Map<number, unknown>();
	const resolve = (index: number): unknown => {
		if (seen.has(index)) return seen.get(index);
		const value = values[index];
		if (typeof value !== 'object' || value === null) return value;
		const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [] : {};
		seen.set(index, copy);
		for (const [key, entry] of Object.entries(value)) {
			(copy as Record<string, unknown>)[key] =
				typeof entry === 'string' ? resolve(Number(entry)) : entry;
		}
		return copy;
	};
	return resolve(0);
}
