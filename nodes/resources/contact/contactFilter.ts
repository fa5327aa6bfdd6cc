import { ASSUMED } from '../../domain/assumed';
import { tidy } from '../../json';
import { form } from '../../table/form';
import { choice, entries, text } from '../../table/kinds';
import { nonBlank, scalarText, trimmed } from '../../table/schema';

/**
 * The operators of the filter language. They have names of their own, because n8n takes a value
 * that begins with = for an expression. Reference: version history 1.8.0.
 */
export const OPERATORS = {
	contains: 'Contains (~=)',
	equals: 'Equals (==)',
	greater: 'Greater Than (>)',
	greaterOrEqual: 'Greater Than or Equal (>=)',
	in: 'In',
	less: 'Less Than (<)',
	lessOrEqual: 'Less Than or Equal (<=)',
	notEqual: 'Not Equal (!=)',
} as const;

type Operator = keyof typeof OPERATORS;

const SIGNS: Readonly<Record<Exclude<Operator, 'in'>, string>> = {
	contains: '~=',
	equals: '==',
	greater: '>',
	greaterOrEqual: '>=',
	less: '<',
	lessOrEqual: '<=',
	notEqual: '!=',
};

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
}).check(({ field, operator, value: given }, refuse): Condition => {
	const value = operator === 'in' ? given.split(',').map(tidy).filter(Boolean) : [given];
	if (!/^[\p{L}\p{N}_.-]+$/u.test(field)) refuse('must be the name of a field', 'field');
	if (value.length === 0) refuse('must not be blank', 'value');
	for (const each of value) {
		const wrong = RULES.find(({ pattern }) => pattern.test(each));
		if (wrong) refuse(wrong.message, 'value');
	}
	return { field, operator, value };
});

interface Condition {
	field: string;
	operator: Operator;
	value: string[];
}

/** What a value must not contain. The filter language shows no way to quote. */
const RULES = [
	{
		pattern: /^=/,
		message: 'must not begin with =, because it would become part of the operator',
	},
	{ pattern: /[&|]/, message: 'must not contain & or |, because they separate the conditions' },
];

export const conditions = entries(
	{ displayName: 'Conditions', placeholder: 'Add condition' },
	{ name: 'condition', displayName: 'Condition', fields: condition },
);

/** Conditions in the API's filter language. */
export const filterExpression = (conditions: Condition[], combine: '&' | '|'): string =>
	conditions.map(writeCondition).join(combine);

const writeCondition = ({ field, operator, value }: Condition): string =>
	operator === 'in'
		? ASSUMED.filterIn(field, value.join(','))
		: field + SIGNS[operator] + value.join();
