const FIELD = '\\b(?:fields?|propert(?:y|ies)|attributes?|parameters?|keys?|inputs?)\\b';
const FIXED = 'read-?\\s?only|immutable|not (?:allowed|permitted|writable|editable)';
const UNWELCOME = `(?:unknown|unexpected|unrecogni[sz]ed|extra|additional|unpermitted|${FIXED})`;
const CANNOT_CHANGE =
	'(?:can ?not|can.t|must not|may not) be (?:set|changed|written|updated|modified|sent)';

/** "unknown property", "properties … are read-only": a field itself is refused, not its value. */
const OF_FIELDS = new RegExp(
	`${UNWELCOME}[^.:]{0,40}${FIELD}|${FIELD}[^.:]{0,40}${UNWELCOME}`,
	'i',
);

/**
 * Which fields a server refuses to be sent. A complaint about a value never counts, because leaving
 * that field out of a PUT could empty it.
 *
 * @param names the fields to look for, at the top of the body
 * @param complaints what the server said, one text for each complaint
 */
export function refusedFields(names: readonly string[], complaints: readonly string[]): string[] {
	const clauses = complaints
		.flatMap((text) => text.replace(/\bbody\./g, '').split(/[,;\n]|\.\s/))
		.map((clause) => clause.trim());
	const isList = clauses.some((clause) => OF_FIELDS.test(clause));
	return names.filter((name) => {
		const own = ownName(name);
		const refused = new RegExp(
			`${own}["'\`:]*\\s+(?:is )?(?:${FIXED}|${CANNOT_CHANGE})["'.]*$`,
			'i',
		);
		const named = new RegExp(own);
		const alone = new RegExp(`^(?:\\w+: )?[["'\`]*${own}["'\`\\].]*$`);
		return clauses.some(
			(clause) =>
				refused.test(clause) ||
				(OF_FIELDS.test(clause) && named.test(clause)) ||
				(isList && alone.test(clause)),
		);
	});
}

/** A pattern for the name as a whole word, but not inside a path such as `custom_fields.name`. */
const ownName = (name: string) => `(?<![\\w.-])${name.replace(/\W/g, '\\$&')}(?![\\w-]|\\.\\w|\\[)`;
