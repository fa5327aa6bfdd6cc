import { ASSUMED } from '../../domain/assumed';
import type { Refuse } from '../../table/form';

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

interface Condition {
	field: string;
	operator: Operator;
	value: string;
}

/** What is allowed in a condition, and the message for anything else. */
const RULES: ReadonlyArray<{
	name: 'field' | 'value';
	allows(text: string): boolean;
	message: string;
}> = [
	{
		name: 'field',
		allows: (text) => /^[\p{L}\p{N}_.-]+$/u.test(text),
		message: 'must be the name of a field',
	},
	{ name: 'value', allows: (text) => text !== '', message: 'must not be blank' },
	{
		name: 'value',
		allows: (text) => !text.startsWith('='),
		message: 'must not begin with =, because it would become part of the operator',
	},
	{
		name: 'value',
		allows: (text) => !/[&|]/.test(text),
		message: 'must not contain & or |, because they separate the conditions',
	},
];

/**
 * Conditions in the API's filter language. It shows no way to quote, so a value that holds & or
 * | is refused: it would be read as another condition.
 */
export function filterExpression(
	conditions: Condition[],
	combine: '&' | '|',
	refuse: Refuse,
): string {
	if (conditions.length === 0) refuse('must have at least one condition', 'conditions');
	conditions.forEach((condition, index) => {
		for (const { name, allows, message } of RULES) {
			if (!allows(condition[name].trim())) refuse(message, 'conditions', index, name);
		}
	});
	return conditions.map(written).join(combine);
}

const written = ({ field, operator, value }: Condition): string =>
	operator === 'in'
		? ASSUMED.filterIn(field.trim(), value)
		: field.trim() + SIGNS[operator] + value;
