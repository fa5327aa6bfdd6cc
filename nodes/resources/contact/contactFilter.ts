import { ASSUMED } from '../../domain/assumed';
import { tidy } from '../../json';
import { form, type InputOf } from '../../table/form';
import { choice, entries, text } from '../../table/kinds';
import { nonBlank, scalarText, trimmed } from '../../table/schema';

/** The operators have names, because n8n takes a value that begins with = for an expression. */
const OPERATORS = {
	contains: 'Contains (~=)',
	equals: 'Equals (==)',
	greater: 'Greater Than (>)',
	greaterOrEqual: 'Greater Than or Equal (>=)',
	in: 'In',
	less: 'Less Than (<)',
	lessOrEqual: 'Less Than or Equal (<=)',
	notEqual: 'Not Equal (!=)',
} as const;

const SIGNS = {
	contains: '~=',
	equals: '==',
	greater: '>',
	greaterOrEqual: '>=',
	less: '<',
	lessOrEqual: '<=',
	notEqual: '!=',
} as const;

const condition = form({
	field: text(
		{
			displayName: 'Field',
			placeholder: 'e.g. first_name',
			description: 'Name of the field, also of a custom one',
		},
		trimmed(nonBlank()),
	),
	operator: choice(OPERATORS, {
		displayName: 'Operator',
		default: 'equals',
		description: 'How to compare the field with the value',
	}),
	value: text(
		{
			displayName: 'Value',
			description: 'Value to compare with. For In, separate values with commas.',
		},
		trimmed(scalarText.pipe(nonBlank())),
	),
}).check(({ field, operator, value: entered }, refuse) => {
	const value = operator === 'in' ? entered.split(',').map(tidy).filter(Boolean) : [entered];
	if (!/^[\p{L}\p{N}_.-]+$/u.test(field)) refuse('must be the name of a field', 'field');
	if (value.length === 0) refuse('must not be blank', 'value');
	for (const each of value) {
		const wrong = RULES.find(({ pattern }) => pattern.test(each));
		if (wrong) refuse(wrong.message, 'value');
	}
	return { field, operator, value };
});

type Condition = InputOf<typeof condition>;

/** What a value must not contain. The filter language shows no way to quote. */
const RULES = [
	{ pattern: /^=/, message: 'must not begin with =, because it would become part of the operator' },
	{ pattern: /[&|]/, message: 'must not contain & or |, because they separate the conditions' },
];

export const conditions = entries(
	{ displayName: 'Conditions', placeholder: 'Add condition' },
	{ name: 'condition', displayName: 'Condition', fields: condition },
);

/** Conditions in the API's filter language. Reference: version history 1.8.0. */
export const filterExpression = (all: Condition[], combine: '&' | '|'): string =>
	all
		.map(({ field, operator, value }) =>
			operator === 'in'
				? ASSUMED.filterIn(field, value.join())
				: field + SIGNS[operator] + value.join(),
		)
		.join(combine);
