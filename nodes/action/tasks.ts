import type { IExecuteFunctions } from 'n8n-workflow';

import { CredentialError, type Account } from '../api/account';
import { selectedFields, type Simplify } from '../domain/simplify';
import type { JsonObject } from '../json';
import { isExpression } from '../table/locator';
import { fieldsOf, type Operation } from '../table/operation';
import { form, type Form } from '../table/form';
import { paging, shaping } from '../table/handling';
import { readForm, valuesOf } from '../table/reader';
import { isTool } from './asTool';
import type { Chosen } from './chosen';
import { failed, nodeErrorOf, refusal, type Result } from './failures';

/** What an item asks for. */
export interface Task {
	/** The input items it stands for. If it fails, the error names the first. */
	items: [first: number, ...others: number[]];
	/** The account of these items: no other account's key may be sent. */
	account: Account;
	/** What the row's functions receive. */
	input: JsonObject;
	/** How many records of a list the user wants. */
	wanted: number;
	/** Which fields of each record go out; undefined for all. */
	shape?: Simplify;
	/** The names of these fields, if the user chose them. */
	selected?: string[];
}

/**
 * The tasks of all items, and the results of items that cannot be read. Those exist only with
 * Continue On Fail.
 *
 * @throws NodeOperationError if an item cannot be used, and what n8n throws if an expression fails
 */
export function readTasks(
	context: IExecuteFunctions,
	chosen: Chosen,
	accounts: Array<Account | CredentialError>,
): { tasks: Task[]; refused: Result[] } {
	const reader = new TaskReader(context, chosen);
	const read = (item: number, account: Account | CredentialError) => reader.read(item, account);
	const readOrRefuse = (item: number, account: Account | CredentialError): Task | Result => {
		try {
			return read(item, account);
		} catch (error) {
			const known = nodeErrorOf(error, context.getNode(), item, chosen.about);
			return failed(context, known, [item]);
		}
	};
	const readItem = context.continueOnFail() ? readOrRefuse : read;
	const all = accounts.map((account, item) => readItem(item, account));
	const isRefused = (one: Task | Result): one is Result => 'output' in one;
	return {
		tasks: all.filter((one): one is Task => !isRefused(one)),
		refused: all.filter(isRefused),
	};
}

/** The parameters that are the same for every operation: how many records, and which of their fields. */
interface Handling {
	returnAll?: boolean;
	limit?: number;
	simplify?: boolean;
	output?: 'raw' | 'selected' | 'simplified';
	selectedFields?: string[];
}

/** Reads and checks the parameters of one item after another. */
class TaskReader {
	private readonly context: IExecuteFunctions;

	private readonly chosen: Chosen;

	private readonly form: Form<{ input: JsonObject; handling: Handling }>;

	/** The parameters whose value may differ from item to item. */
	private readonly varying: string[];

	/** The values of all other parameters. */
	private common: JsonObject | undefined;

	constructor(context: IExecuteFunctions, chosen: Chosen) {
		this.context = context;
		this.chosen = chosen;
		this.form = wholeForm(chosen.row);
		const given = context.getNode().parameters;
		this.varying = this.form.properties
			.filter(({ name, type }) => type === 'resourceMapper' || holdsExpression(given[name]))
			.map(({ name }) => name);
	}

	read(item: number, account: Account | CredentialError): Task {
		if (account instanceof CredentialError) throw account;
		const { context, chosen } = this;
		const node = context.getNode();
		const { input: read, problems } = readForm(this.form, this.valuesOf(item), node.parameters, {
			zone: context.getTimezone(),
			item: context.getInputData()[item]?.json,
			isTool: isTool(node),
		});
		if (problems !== '') throw refusal(context, chosen.about, problems, item);
		const { input, handling } = read;
		const { returnAll, limit = Infinity } = handling;
		return {
			items: [item],
			account,
			input,
			wanted: returnAll ? Infinity : limit,
			...shapeOf(chosen.row, handling, input),
		};
	}

	private valuesOf(item: number): JsonObject {
		const given = this.context.getNode().parameters;
		const evaluate = (name: string): unknown => this.context.getNodeParameter(name, item, null);
		const others = () => this.form.names.filter((name) => !this.varying.includes(name));
		this.common ??= valuesOf(others(), given, evaluate);
		return { ...this.common, ...valuesOf(this.varying, given, evaluate) };
	}
}

/** The row's parameters, and those that all operations have. */
function wholeForm(row: Operation): Form<{ input: JsonObject; handling: Handling }> {
	const own = fieldsOf(row).check((input) => ({ input }));
	const none = form({});
	const handling = (row.many ? paging : none)
		.and(row.simplify ? shaping : none)
		.check((given): { handling: Handling } => ({ handling: given }));
	return own.and(handling);
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
): Pick<Task, 'shape' | 'selected'> {
	const chosen = handling.output ?? (handling.simplify === false ? 'raw' : 'simplified');
	if (chosen === 'selected') {
		const selected = handling.selectedFields ?? [];
		return { shape: selectedFields(selected), selected };
	}
	if (chosen === 'raw' || row.simplify === undefined) return {};
	return { shape: (record) => row.simplify!(record, input) };
}
