import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { CredentialError, type Account } from '../api/account';
import { namedFields, type Simplify } from '../domain/simplify';
import type { JsonObject } from '../json';
import { isExpression } from '../table/locator';
import { parametersOf, type Operation } from '../table/operation';
import { problems, readParameters, type Entered } from '../table/parameters';
import { form, type Form } from '../table/form';
import { paging, shaping } from '../table/handling';
import { readForm, valuesOf } from '../table/reader';
import { flag, integer, list, oneOf } from '../table/schema';
import { isTool, meantBy } from './asTool';
import type { Chosen } from './chosen';
import { nodeErrorOf, refusal, withoutValue } from './failures';
import { failed, type Result } from './result';

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
	const isForm = typeof chosen.row.fields === 'function';
	const reader = isForm ? new FormReader(context, chosen) : new TaskReader(context, chosen);
	const read = (item: number, account: Account | CredentialError) => reader.read(item, account);
	const readOrRefuse = (item: number, account: Account | CredentialError): Task | Result => {
		try {
			return read(item, account);
		} catch (error) {
			const known = nodeErrorOf(error, context.getNode(), item, chosen.about);
			return failed(context, known, [item], account.baseUrl);
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
const handlingSchema = z
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

type Handling = z.infer<typeof handlingSchema>;

/** Reads and checks the parameters of one item after another. */
class TaskReader {
	private readonly context: IExecuteFunctions;

	private readonly chosen: Chosen;

	private readonly fields: INodeProperties[];

	/** The fields whose value may differ from item to item. */
	private readonly varying: INodeProperties[];

	private readonly schema: z.ZodType<unknown, z.ZodTypeDef, unknown>;

	/** The values of all other fields. */
	private common: Entered | undefined;

	constructor(context: IExecuteFunctions, chosen: Chosen) {
		const { row } = chosen;
		const given = context.getNode().parameters;
		this.context = context;
		this.chosen = chosen;
		this.fields = parametersOf(row);
		this.varying = this.fields.filter(
			({ name, type }) => type === 'resourceMapper' || holdsExpression(given[name]),
		);
		this.schema = row.input?.() ?? z.object({});
	}

	read(item: number, account: Account | CredentialError): Task {
		if (account instanceof CredentialError) throw account;
		const { values, empty } = this.valuesOf(item);
		const handling = handlingSchema.safeParse(values);
		const input = this.schema.safeParse(this.ownValues(values));
		if (!handling.success || !input.success || empty.length > 0) {
			const issues = [input, handling].flatMap(({ error }) => error?.issues ?? []);
			const wrong = problems(issues, this.fields, values, empty);
			if (empty.length > 0) wrong.push(withoutValue(empty));
			throw refusal(this.context, this.chosen.about, wrong.join('; '), item);
		}
		const { returnAll, limit = Infinity } = handling.data;
		return {
			items: [item],
			account,
			input: input.data as JsonObject,
			wanted: returnAll ? Infinity : limit,
			shape: shapeOf(this.chosen.row, handling.data, input.data as JsonObject),
		};
	}

	private valuesOf(item: number): Entered {
		const node = this.context.getNode();
		const read = (fields: INodeProperties[]) =>
			readParameters(this.context, node.parameters, fields, item);
		this.common ??= read(this.fields.filter((field) => !this.varying.includes(field)));
		const own = read(this.varying);
		const values = { ...this.common.values, ...own.values };
		return {
			values: isTool(node) ? meantBy(values) : values,
			empty: [...this.common.empty, ...own.empty],
		};
	}

	/** The values of the row's own fields. */
	private ownValues(values: JsonObject): JsonObject {
		const names = (this.chosen.row.fields as INodeProperties[]).map(({ name }) => name);
		return Object.fromEntries(
			names.filter((name) => name in values).map((name) => [name, values[name]]),
		);
	}
}

/** Reads and checks the parameters of one item after another. */
class FormReader {
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
			shape: shapeOf(chosen.row, handling, input),
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
	const own = (row.fields as () => Form<JsonObject>)().check((input) => ({ input }));
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

function shapeOf(row: Operation, handling: Handling, input: JsonObject): Simplify | undefined {
	const chosen = handling.output ?? (handling.simplify === false ? 'raw' : 'simplified');
	if (chosen === 'selected') return namedFields(...(handling.selectedFields ?? []));
	if (chosen === 'raw' || row.simplify === undefined) return undefined;
	return (record) => row.simplify!(record, input);
}
