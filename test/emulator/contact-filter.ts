import { invalid } from './envelope.ts';
import type { Readings } from './readings.ts';
import type { Contact } from './records.ts';
import { fieldOf } from './wire.ts';

type Matches = (contact: Contact) => boolean;
type Compare = (actual: string, wanted: string) => boolean;

const FIELDS =
	'id first_name last_name email phone_number secondary_phone_number notes created_at updated_at'.split(
		' ',
	);

/** Numbers and date-times by size, everything else by its text. */
function order(actual: string, wanted: string): number {
	const [left, right] = [sizeOf(actual), sizeOf(wanted)];
	if (actual !== '' && wanted !== '' && !Number.isNaN(left) && !Number.isNaN(right))
		return left - right;
	return actual < wanted ? -1 : Number(actual > wanted);
}

const sizeOf = (text: string): number => {
	if (!/^\d{4}-\d\d-\d\d[T ]/.test(text)) return Number(text);
	return Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`);
};

const OPERATORS: Record<string, Compare> = {
	'~=': (actual, wanted) => actual.toLowerCase().includes(wanted.toLowerCase()),
	'==': (actual, wanted) => actual === wanted,
	'!=': (actual, wanted) => actual !== wanted,
	'>=': (actual, wanted) => order(actual, wanted) >= 0,
	'<=': (actual, wanted) => order(actual, wanted) <= 0,
	'>': (actual, wanted) => order(actual, wanted) > 0,
	'<': (actual, wanted) => order(actual, wanted) < 0,
	' in ': (actual, wanted) => actual === wanted,
};

function valueOf(contact: Contact, field: string): string {
	const value = FIELDS.includes(field)
		? contact[field as keyof Contact]
		: contact.custom_fields[field];
	return String(value ?? '');
}

function condition(
	written: string,
	customFields: ReadonlySet<string>,
	readings: Readings,
): Matches {
	const form = /^\s*(\w+)\s*(~=|==|!=|>=|<=|>|<| in )\s*(.*?)\s*$/.exec(written);
	const [, name = '', operator = '', text = ''] = form ?? [];
	const compare = OPERATORS[operator];
	const [, inside = ''] =
		(readings.filterList === 'commas' ? /(.*)/ : /^\[(.*)\]$/).exec(text) ?? [];
	const values = operator === ' in ' ? inside.split(',') : [text];
	const wanted = values.map((value) => value.trim());
	if (!compare || wanted.includes('')) throw invalid(`filter: cannot read "${written.trim()}"`);
	const field = fieldOf('contact', name, readings);
	if (field === undefined || (!FIELDS.includes(field) && !customFields.has(field)))
		throw invalid(`filter: unknown field ${name}`);
	return (contact) => wanted.some((one) => compare(valueOf(contact, field), one));
}

/**
 * Section "Versioning", 1.8.0. The rest is not shown. The usual readings: `field operator value` without quotes
 * or brackets, & binds before |, `in` takes values between commas, and custom fields are named without a prefix.
 */
export function contactFilter(
	written: string,
	customFields: ReadonlySet<string>,
	readings: Readings,
): Matches {
	const read = (term: string) => condition(term, customFields, readings);
	const alternatives = written.split('|').map((part) => part.split('&').map(read));
	return (contact) => alternatives.some((terms) => terms.every((matches) => matches(contact)));
}
