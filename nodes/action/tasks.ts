import type { IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';

import type { Account } from '../api/account';
import type { About } from '../api/errors';
import { MAX_WINDOW } from '../api/pace';
import { DEFAULT_REQUEST_SETTINGS, type RequestSettings } from '../api/session';
import type { JsonObject } from '../json';
import { requestOptions } from '../table/fields';
import { parametersOf, type Operation } from '../table/operation';
import { problems, readParameters } from '../table/parameters';
import { collection, flag, integer, list, number, oneOf } from '../table/schema';
import { namedFields, type Simplify } from '../domain/simplify';
import { isTool, meantBy } from './asTool';
import { refusal, withoutValue } from './failures';

/** What an item asks for: the row's input, and how its answer is handed on. */
export interface Task {
	/** The input items it stands for, of which the first is named where it fails. */
	items: [first: number, ...others: number[]];
	/** Whose it is: another account's key must never be sent with it. */
	account: Account;
	input: JsonObject;
	/** Records wanted of a list. */
	wanted: number;
	/** How much of each record is handed on; undefined hands on all of it. */
	shape?: Simplify;
}

/** The parameters that the table derives for every row that has them. */
const shared = z
	.object({
		returnAll: flag.optional(),
		limit: integer(1).optional(),
		simplify: flag.optional(),
		output: oneOf({ raw: 'Raw', simplified: 'Simplified', selected: 'Selected Fields' }).optional(),
		selectedFields: list(z.string()).optional(),
	})
	.refine(({ output, selectedFields = [] }) => output !== 'selected' || selectedFields.length > 0, {
		path: ['selectedFields'],
		message: 'must name at least one field',
	});

/**
 * Reads and parses the parameters of one item. What is thrown names the item:
 * NodeOperationError where they cannot be used, and what n8n throws for an expression that fails.
 */
export function taskReader(
	context: IExecuteFunctions,
	row: Operation,
	about: About,
): (itemIndex: number, account: Account) => Task {
	const fields = parametersOf(row);
	const given = context.getNode().parameters;
	const schema = row.input?.() ?? z.object({});

	return (itemIndex, account) => {
		const refuse = (what: string) => refusal(context, about, what, itemIndex);
		const { values: entered, empty } = readParameters(context, given, fields, itemIndex);
		const values = isTool(context.getNode()) ? meantBy(entered) : entered;
		const own = Object.fromEntries(
			row.fields.filter(({ name }) => name in values).map(({ name }) => [name, values[name]]),
		);
		const handling = shared.safeParse(values);
		const input = schema.safeParse(own);
		const issues = [input, handling].flatMap(({ error }) => error?.issues ?? []);
		const wrong = problems(issues, fields, values, empty);
		if (empty.length > 0) wrong.push(withoutValue(empty));
		if (!handling.success || !input.success || empty.length > 0) throw refuse(wrong.join('; '));
		return {
			items: [itemIndex],
			account,
			input: input.data as JsonObject,
			wanted: handling.data.returnAll ? Infinity : (handling.data.limit ?? Infinity),
			shape: shapeOf(row, handling.data),
		};
	};
}

function shapeOf(row: Operation, handling: z.infer<typeof shared>): Simplify | undefined {
	const chosen = handling.output ?? (handling.simplify === false ? 'raw' : 'simplified');
	if (chosen === 'selected') return namedFields(...(handling.selectedFields ?? []));
	return chosen === 'raw' ? undefined : row.simplify;
}

const requestOptionsSchema = z.object({
	[requestOptions.name]: collection({
		concurrency: integer(1, MAX_WINDOW),
		writes: integer(1, MAX_WINDOW),
		timeout: number(1, 3600),
		maxWait: number(0, 24 * 3600),
	}),
});

/**
 * The Request Options, which are those of the first item.
 * @throws NodeOperationError where they cannot be used
 */
export function readRequestOptions(
	context: IExecuteFunctions,
	about: About,
): RequestSettings & { writes: number } {
	const given = context.getNode().parameters;
	const { values, empty } = readParameters(context, given, [requestOptions], 0);
	if (empty.length > 0) throw refusal(context, about, withoutValue(empty));
	const parsed = requestOptionsSchema.safeParse(values);
	if (!parsed.success) {
		const wrong = problems(parsed.error.issues, [requestOptions], values);
		throw refusal(context, about, wrong.join('; '));
	}
	const { concurrency, writes = 1, timeout, maxWait } = parsed.data[requestOptions.name]!;
	const defaults = DEFAULT_REQUEST_SETTINGS;
	return {
		concurrency,
		writes,
		timeout: timeout === undefined ? defaults.timeout : timeout * 1000,
		maxWait: maxWait === undefined ? defaults.maxWait : maxWait * 1000,
	};
}
