import { invalid } from './envelope.ts';
import type { Filter } from './list.ts';
import type { Contact } from './records.ts';
import type { Exchange } from './route.ts';
import { fieldOf } from './wire.ts';

const FIELDS =
	/^(id|first_name|last_name|email|(secondary_)?phone_number|notes|created_at|updated_at)$/;

const OPERATORS: Record<string, (actual: string, wanted: string) => boolean> = {
	'~=': (actual, wanted) => actual.toLowerCase().includes(wanted.toLowerCase()),
	'==': (actual, wanted) => actual === wanted,
	'!=': (actual, wanted) => actual !== wanted,
	'>=': (actual, wanted) => actual >= wanted,
	'<=': (actual, wanted) => actual <= wanted,
	'>': (actual, wanted) => actual > wanted,
	'<': (actual, wanted) => actual < wanted,
	' in ': (actual, wanted) => actual === wanted,
};

function condition(written: string, { store, readings }: Exchange): (contact: Contact) => boolean {
	const form = /^\s*(\w+)\s*(~=|==|!=|>=|<=|>|<| in )\s*(.*?)\s*$/.exec(written);
	const [, name = '', operator = '', text = ''] = form ?? [];
	const compare = OPERATORS[operator];
	const list = readings.filterList === 'commas' ? /(.*)/ : /^\[(.*)\]$/;
	const values = operator === ' in ' ? (list.exec(text)?.[1] ?? '').split(',') : [text];
	const wanted = values.map((value) => value.trim());
	if (!compare || wanted.includes('')) throw invalid(`filter: cannot read "${written.trim()}"`);
	const field = fieldOf('contact', name, readings) ?? '';
	const isCustom = store.customFields.has(field);
	if (!isCustom && !FIELDS.test(field)) throw invalid(`filter: unknown field ${name}`);
	return ({ custom_fields, ...contact }) => {
		const value = isCustom ? custom_fields[field] : contact[field as keyof typeof contact];
		return wanted.some((one) => compare(String(value ?? ''), one));
	};
}

/**
 * Section "Versioning", 1.8.0. The rest is not shown. The usual readings: `field operator value` without quotes
 * or brackets, & binds before |, `in` takes values between commas, and custom fields are named without a prefix.
 */
export const contactFilter: Filter<Contact> = (written, exchange) => {
	const alternatives = written
		.split('|')
		.map((part) => part.split('&').map((term) => condition(term, exchange)));
	return (contact) => alternatives.some((terms) => terms.every((matches) => matches(contact)));
};
