import type { z } from 'zod';

import { ASSUMED } from '../../domain/assumed';

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

const FIELD = /^[\p{L}\p{N}_.-]+$/u;

/**
 * Conditions in the API's filter language. It shows no way to quote, so a value that holds & or
 * | is refused: it would be read as another condition.
 */
export function filterExpression(
	conditions: Condition[],
	combine: '&' | '|',
	ctx: z.RefinementCtx,
): string {
	const complain = (index: number, name: string, message: string) =>
		ctx.addIssue({ code: 'custom', path: ['conditions', 'condition', index, name], message });
	if (conditions.length === 0) {
		ctx.addIssue({
			code: 'custom',
			path: ['conditions'],
			message: 'must have at least one condition',
		});
	}
	conditions.forEach(({ field, value }, index) => {
		if (!FIELD.test(field.trim())) complain(index, 'field', 'must be the name of a field');
		if (value.trim() === '') complain(index, 'value', 'must not be blank');
		if (value.trim().startsWith('=')) {
			complain(
				index,
				'value',
				'must not begin with =, because it would become part of the operator',
			);
		}
		if (/[&|]/.test(value)) {
			complain(index, 'value', 'must not contain & or |, because they separate the conditions');
		}
	});
	return conditions
		.map(({ field, operator, value }) =>
			operator === 'in'
				? ASSUMED.filterIn(field.trim(), value)
				: field.trim() + SIGNS[operator] + value,
		)
		.join(combine);
}
