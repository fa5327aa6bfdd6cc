import { invalid } from './envelope.ts';
import type { Contact } from './records.ts';

type Matches = (contact: Contact) => boolean;
type Compare = (actual: string, wanted: string) => boolean;

const FIELDS =
	'id first_name last_name email phone_number secondary_phone_number notes created_at updated_at'.split(
		' ',
	);

/** Numbers by size, everything else by its text, in which ISO dates order themselves. */
function order(actual: string, wanted: string): number {
	const [left, right] = [Number(actual), Number(wanted)];
	if (actual !== '' && wanted !== '' && !Number.isNaN(left) && !Number.isNaN(right))
		return left - right;
	return actual < wanted ? -1 : Number(actual > wanted);
}

/** Longest first, so that ">=" is not read as ">". */
const OPERATORS: ReadonlyArray<readonly [string, Compare]> = [
	['~=', (actual, wanted) => actual.toLowerCase().includes(wanted.toLowerCase())],
	['==', (actual, wanted) => actual === wanted],
	['!=', (actual, wanted) => actual !== wanted],
	['>=', (actual, wanted) => order(actual, wanted) >= 0],
	['<=', (actual, wanted) => order(actual, wanted) <= 0],
	['>', (actual, wanted) => order(actual, wanted) > 0],
	['<', (actual, wanted) => order(actual, wanted) < 0],
	[' in ', (actual, wanted) => wanted.split(',').some((choice) => choice.trim() === actual)],
];

function valueOf(contact: Contact, field: string): string {
	const value = FIELDS.includes(field)
		? contact[field as keyof Contact]
		: contact.custom_fields[field];
	return String(value ?? '');
}

function condition(written: string, customFields: ReadonlySet<string>): Matches {
	const form = /^\s*(\w+)\s*(~=|==|!=|>=|<=|>|<| in )\s*(.*?)\s*$/.exec(written);
	const [, field = '', operator, wanted = ''] = form ?? [];
	const compare = OPERATORS.find(([name]) => name === operator)?.[1];
	if (!compare || wanted === '') throw invalid(`filter: cannot read "${written.trim()}"`);
	if (!FIELDS.includes(field) && !customFields.has(field))
		throw invalid(`filter: unknown field ${field}`);
	return (contact) => compare(valueOf(contact, field), wanted);
}

/**
 * Section "Versioning", 1.8.0. The emulator's own reading of what is not shown: `field operator value` without
 * quotes or brackets, AND binds before OR, `in` takes values between commas, custom fields go by their bare name.
 */
export function contactFilter(written: string, customFields: ReadonlySet<string>): Matches {
	const alternatives = written
		.split('|')
		.map((part) => part.split('&').map((term) => condition(term, customFields)));
	return (contact) => alternatives.some((terms) => terms.every((matches) => matches(contact)));
}
