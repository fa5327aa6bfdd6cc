import type { IExecuteFunctions } from 'n8n-workflow';

import { isTool, type Account, type CredentialError } from '../api/account';
import type { Shape } from '../domain/simplify';
import type { JsonObject } from '../json';
import { isExpression } from '../table/place';
import { fieldsOf, isList, type Operation, type Task } from '../table/operation';
import { form, readForm, type Form, type InputOf } from '../table/form';
import { optionsFor, paging, shaping } from '../table/handling';
import type { Chosen, CommonOptions } from './chosen';
import { failedResult, refusal, type Result } from './failures';

/**
 * The tasks of all items, and the results of items that cannot be read. Those exist only with Continue On Fail.
 *
 * @throws NodeOperationError if an item cannot be used, and what n8n throws if an expression fails
 */
export function readTasks(
	context: IExecuteFunctions,
	chosen: Chosen,
	accounts: Array<Account | CredentialError>,
	{ ifNotFound }: CommonOptions,
): { tasks: Task[]; refused: Result[] } {
	const tasks: Task[] = [];
	const refused: Result[] = [];
	const readTask = taskReader(context, chosen, ifNotFound === 'item');
	const read = (account: Account | CredentialError, item: number) =>
		void tasks.push(readTask(item, account));
	const readOrRefuse: typeof read = (account, item) => {
		try {
			read(account, item);
		} catch (error) {
			refused.push(failedResult(context, error, [item]));
		}
	};
	accounts.forEach(context.continueOnFail() ? readOrRefuse : read);
	return { tasks, refused };
}

type Handling = Partial<InputOf<typeof paging> & InputOf<typeof shaping>>;

/** Reads and checks the parameters of one item after another. Those without an expression are read once. */
function taskReader(context: IExecuteFunctions, { row }: Chosen, mayBeMissing: boolean) {
	const whole = wholeForm(row);
	const node = context.getNode();
	const given = node.parameters;
	const varying = new Set(
		whole.properties
			.filter(({ name, type }) => type === 'resourceMapper' || holdsExpression(given[name]))
			.map(({ name }) => name),
	);
	const constant = new Map<string, unknown>();
	return (item: number, account: Account | CredentialError): Task => {
		if (account instanceof Error) throw account;
		const evaluate = (name: string): unknown => {
			if (constant.has(name)) return constant.get(name);
			const given: unknown = context.getNodeParameter(name, item, null);
			const value = name === 'options' ? optionsFor('operation', given) : given;
			if (!varying.has(name)) constant.set(name, value);
			return value;
		};
		const { json, binary = {} } = context.getInputData()[item] ?? {};
		const { input: read, problems } = readForm(whole, given, evaluate, {
			zone: context.getTimezone(),
			item: json,
			files: Object.keys(binary),
			isTool: isTool(node),
			mayBeMissing,
			names: account.names,
		});
		if (problems !== undefined) throw refusal(context, problems, item);
		const { input, handling } = read;
		const { returnAll, limit = Infinity } = handling;
		const wanted = returnAll ? Infinity : limit;
		const shape = shapeOf(row, handling, input, account);
		return { items: [item], account, input, wanted, shape };
	};
}

/** The row's parameters, and those that all operations have. */
function wholeForm(row: Operation): Form<{ input: JsonObject; handling: Handling }> {
	const fields = fieldsOf(row).check((input) => ({ input }));
	const none = form({});
	const handling = (isList(row) ? paging : none)
		.and(row.simplify ? shaping : none)
		.check((given): { handling: Handling } => ({ handling: given }));
	return fields.and(handling);
}

/** n8n evaluates every text that begins with `=`, for each item. */
function holdsExpression(value: unknown): boolean {
	if (typeof value === 'string') return isExpression(value);
	return typeof value === 'object' && value !== null && Object.values(value).some(holdsExpression);
}

function shapeOf(
	row: Operation,
	handling: Handling,
	input: JsonObject,
	{ names }: Account,
): Shape | undefined {
	const chosen = handling.output ?? (handling.simplify === false ? 'raw' : 'simplified');
	if (chosen === 'selected') return { selected: handling.fields ?? [] };
	const columns = chosen === 'raw' ? undefined : row.simplify?.(names, input);
	return columns && { columns };
}
