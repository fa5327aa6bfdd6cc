import type { Operation, Resource } from './operation';

/** How a list is counted. */
interface Counted {
	/** The operation that reads the list. */
	of: string;
	/** What it counts, in the words of an action: "contacts in contact list". */
	what: string;
	/** The options of that operation that choose records, as filters do. */
	options?: readonly string[];
	/** Part of the name, if the resource has more than one count. */
	suffix?: 'Contacts';
	/** Default: a text made of `what`. */
	description?: string;
}

/** A resource that also counts one of its lists, by the same request and filters. */
export function withCount(counted: Counted, resource: Resource): Resource {
	const { of, what, options = [], suffix } = counted;
	const { description = `Count all ${what}, or only those that match the filters` } = counted;
	const { request, fields, payload, records, search, notice, hints } = resource.operations[of]!;
	const count: Operation = {
		name: suffix === undefined ? 'Count' : `Count ${suffix}`,
		action: `Count ${what}`,
		description,
		hint: "For 'how many': it needs no list. method says how it was found: total (of the API) or counted (the list was read).",
		...{ request, fields, payload, records, search, notice, hints },
		countOptions: options,
	};
	const operations = { ...resource.operations, [`count${suffix ?? ''}`]: count };
	return { ...resource, operations };
}
