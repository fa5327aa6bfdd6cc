import type { Operation, Resource } from './operation';

/** How a list is counted. */
interface Counted {
	/** The operation that reads the list. */
	of: string;
	/** What it counts, in the words of an action: "contacts of contact list". */
	what: string;
	/** The options of that operation that choose records, as filters do. */
	options?: readonly string[];
	/** Part of the name, if the resource has more than one count. */
	suffix?: 'Contacts';
	/** Default: a text made of `what`. */
	description?: string;
}

/** The resource with an operation that counts one of its lists, by the same request and filters. */
export function withCount(resource: Resource, counted: Counted): Resource {
	const { of, suffix = '' } = counted;
	const row = countOf(resource.operations[of] as Operation, counted);
	return { ...resource, operations: { ...resource.operations, [`count${suffix}`]: row } };
}

function countOf(many: Operation, counted: Counted): Operation {
	const { what, options = [], suffix } = counted;
	const { description = `Count all ${what}, or only those that match the filters` } = counted;
	const { request, fields, payload, records, search, notice, hints } = many;
	return {
		name: suffix === undefined ? 'Count' : `Count ${suffix}`,
		action: `Count ${what}`,
		description,
		hint: "To answer 'how many': it needs no list. The result says how it was found: total (one or two requests) or counted (the list was read).",
		...{ request, fields, payload, records, search, notice, hints },
		counts: options,
	};
}
