import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import pLimit from 'p-limit';
import { z } from 'zod';

import type { JsonObject } from '../json';
import type { About } from '../api/errors';
import { requestOptions } from '../table/fields';
import {
	methodOf,
	parametersOf,
	permissionOf,
	type Operation,
	type Resources,
} from '../table/operation';
import { problems, readParameters } from '../table/parameters';
import { perform } from './perform';
import { collection, flag, integer, list, number } from '../table/schema';
import { namedFields, type Simplify } from '../table/simplify';
import { connect, DEFAULT_SETTINGS, type Authentication, type Settings } from '../api/session';

/** What one item asks for: the row's input, and how its answer is handed on. */
interface Task {
	input: JsonObject;
	/** Records wanted of a list. */
	wanted: number;
	/** How much of each record is handed on; undefined hands on all of it. */
	shape?: Simplify;
}

/** A task, or why there is none, with the input items it stands for. */
interface Job {
	task: Task | NodeApiError | NodeOperationError;
	items: number[];
}

/**
 * Runs one operation for every input item. All items are read and checked first, so that a
 * mistake in the last one does not leave the others done. Reads then run in parallel, writes one
 * after another unless the user raises it; the output keeps the items' order and pairing.
 * Without Continue On Fail the first failure stops new requests.
 *
 * @throws NodeOperationError for bad input, before anything is sent
 * @throws NodeApiError for what the API or the network answered
 */
export async function run(
	this: IExecuteFunctions,
	resources: Resources,
): Promise<INodeExecutionData[][]> {
	const output = runAll.call(this, resources);
	if (!this.continueOnFail()) return [await output];
	// Thrown, n8n would hand on the input as if it had succeeded.
	const allFailed = (error: unknown) =>
		this.getInputData().map((_, item) => failed(nodeError(this, error, item), item));
	return [await output.catch(allFailed)];
}

async function runAll(
	this: IExecuteFunctions,
	resources: Resources,
): Promise<INodeExecutionData[]> {
	const { row, about } = findRow(this, resources);
	const { writes, ...settings } = readSettings(this, about);
	const readTask = taskReader(this, row, about);
	const orFailed = (itemIndex: number) => {
		try {
			return readTask(itemIndex);
		} catch (error) {
			return nodeError(this, error, itemIndex, about);
		}
	};
	const read = this.continueOnFail() ? orFailed : readTask;
	const tasks = this.getInputData().map((_, itemIndex): Job => ({
		task: read(itemIndex),
		items: [itemIndex],
	}));
	const authentication = this.getNodeParameter('authentication', 0) as Authentication;
	const isRead = row.request.startsWith('GET ');
	const session = await connect(this, authentication, {
		...settings,
		concurrency: isRead ? settings.concurrency : Math.max(settings.concurrency, writes),
	});
	const notices = new Set<string>();

	const runTask = async (task: Task, items: number[]): Promise<INodeExecutionData[]> => {
		const api = session.api(about, items[0]);
		try {
			const records = await perform(row, task.input, task.wanted, api);
			const notice = row.notice?.(task.input, records);
			if (notice) notices.add(notice);
			return records.map((record) => ({
				json: (task.shape?.(record) ?? record) as IDataObject,
				pairedItem: items.length > 1 ? items.map((item) => ({ item })) : { item: items[0] ?? 0 },
			}));
		} catch (error) {
			api.stop();
			const known = nodeError(this, error, items[0], about);
			if (this.continueOnFail()) return items.map((item) => failed(known, item));
			session.stop();
			throw known;
		}
	};

	const reads = pLimit(settings.concurrency);
	const changes = pLimit(writes);
	const results = await Promise.all(
		gathered(tasks, row).map(({ task, items }) => {
			if (task instanceof Error) return items.map((item) => failed(task, item));
			const lane = methodOf(row, task.input) === 'GET' ? reads : changes;
			return lane(async () => await runTask(task, items));
		}),
	);
	const output = results.flat();
	if (session.heldBack() > 0) {
		const seconds = (session.heldBack() / 1000).toFixed(1);
		const isWhole = !output.some(({ error }) => error);
		notices.add(
			`The API's rate limit held this node back for ${seconds} seconds.${isWhole ? ' Everything was sent all the same.' : ''}`,
		);
	}
	for (const message of notices) this.addExecutionHints?.({ message, location: 'outputPane' });
	return output;
}

/** The jobs in the order of their first item, those together that the row lets go together. */
function gathered(jobs: Job[], { gather }: Operation): Job[] {
	if (gather === undefined) return jobs;
	const groups = new Map<string, Array<Job & { task: Task }>>();
	const order: Array<Job | Array<Job & { task: Task }>> = [];
	for (const job of jobs) {
		const { task } = job;
		const key = task instanceof Error ? undefined : gather.key(task.input);
		if (task instanceof Error || key === undefined) {
			order.push(job);
			continue;
		}
		let group = groups.get(key);
		if (group === undefined || group.length >= gather.size) {
			group = [];
			groups.set(key, group);
			order.push(group);
		}
		group.push({ ...job, task });
	}
	return order.map((entry) => {
		const [first] = Array.isArray(entry) ? entry : [];
		if (!Array.isArray(entry) || first === undefined) return entry as Job;
		const input = gather.merge(entry.map(({ task }) => task.input));
		return { task: { ...first.task, input }, items: entry.flatMap(({ items }) => items) };
	});
}

function findRow(
	context: IExecuteFunctions,
	resources: Resources,
): { row: Operation; about: About } {
	const name = context.getNodeParameter('resource', 0) as string;
	const operation = context.getNodeParameter('operation', 0) as string;
	const resource = Object.hasOwn(resources, name) ? resources[name] : undefined;
	const row =
		resource && Object.hasOwn(resource.operations, operation)
			? resource.operations[operation]
			: undefined;
	if (resource === undefined || row === undefined) {
		throw new NodeOperationError(
			context.getNode(),
			`There is no operation "${operation}" of "${name}". Choose the operation again.`,
		);
	}
	const { scope, hints } = row;
	const label = `${resource.name}: ${row.name}`;
	const permission = permissionOf(row);
	return { row, about: { operation: label, permission, scope, hints, hasRequestOptions: true } };
}

function readSettings(context: IExecuteFunctions, about: About): Settings & { writes: number } {
	const schema = collection({
		concurrency: integer(1, 50),
		writes: integer(1, 50),
		timeout: number(1, 3600),
		maxWait: number(0, 24 * 3600),
	});
	const { values, empty } = readParameters(
		context,
		context.getNode().parameters,
		[requestOptions],
		0,
	);
	if (empty.length > 0) throw refuse(context, about, withoutValue(empty));
	const parsed = z.object({ [requestOptions.name]: schema }).safeParse(values);
	if (!parsed.success) {
		throw refuse(context, about, problems(parsed.error, [requestOptions], values));
	}
	const { concurrency, writes, timeout, maxWait } = parsed.data[requestOptions.name]!;
	return {
		concurrency: concurrency ?? DEFAULT_SETTINGS.concurrency,
		writes: writes ?? 1,
		timeout: timeout === undefined ? DEFAULT_SETTINGS.timeout : timeout * 1000,
		maxWait: maxWait === undefined ? DEFAULT_SETTINGS.maxWait : maxWait * 1000,
	};
}

/**
 * Reads and parses the parameters of one item.
 * @throws NodeOperationError where they cannot be used, and what n8n throws for an expression that fails
 */
function taskReader(context: IExecuteFunctions, row: Operation, about: About) {
	const fields = parametersOf(row);
	const given = context.getNode().parameters;
	const schema = row.input?.() ?? z.object({});

	return (itemIndex: number): Task => {
		const refuseItem = (what: string) => refuse(context, about, what, itemIndex);
		const { values, empty } = readParameters(context, given, fields, itemIndex);
		if (empty.length > 0) throw refuseItem(withoutValue(empty));
		const own = Object.fromEntries(
			row.fields.filter(({ name }) => name in values).map(({ name }) => [name, values[name]]),
		);
		const handling = sharedInput.safeParse(values);
		if (!handling.success) throw refuseItem(problems(handling.error, fields, values));
		const input = schema.safeParse(own);
		if (!input.success) throw refuseItem(problems(input.error, fields, values));
		return {
			input: input.data as JsonObject,
			wanted: handling.data.returnAll ? Infinity : (handling.data.limit ?? Infinity),
			shape: shapeOf(row, handling.data),
		};
	};
}

/** The parameters that the table derives for every row that has them. */
const sharedInput = z
	.object({
		returnAll: flag.optional(),
		limit: integer(1).optional(),
		simplify: flag.optional(),
		output: z.enum(['raw', 'simplified', 'selected']).optional(),
		selectedFields: list(z.string()).optional(),
	})
	.refine(({ output, selectedFields = [] }) => output !== 'selected' || selectedFields.length > 0, {
		path: ['selectedFields'],
		message: 'must name at least one field',
	});

function shapeOf(row: Operation, handling: z.infer<typeof sharedInput>): Simplify | undefined {
	const chosen = handling.output ?? (handling.simplify === false ? 'raw' : 'simplified');
	if (chosen === 'selected') return namedFields(...(handling.selectedFields ?? []));
	return chosen === 'raw' ? undefined : row.simplify;
}

const withoutValue = (names: string[]) =>
	`${names.map((name) => `"${name}"`).join(', ')} has no value. Remove it, or mend its expression`;

function refuse(context: IExecuteFunctions, about: About, what: string, itemIndex = 0) {
	return new NodeOperationError(context.getNode(), `${about.operation}: ${what}`, {
		description: 'Nothing was sent. Correct the parameter and run again.',
		itemIndex,
	});
}

/** n8n's error for one item, whatever was thrown. */
function nodeError(
	context: IExecuteFunctions,
	error: unknown,
	itemIndex: number | undefined,
	about?: About,
): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	const { message } = error as Error;
	return new NodeOperationError(
		context.getNode(),
		about ? `${about.operation}: ${message}` : message,
		{ itemIndex },
	);
}

/** What Continue On Fail hands on: the error in n8n's place for it, paired with its item. */
function failed(error: NodeApiError | NodeOperationError, itemIndex: number): INodeExecutionData {
	return {
		json: { error: error.message },
		error,
		pairedItem: { item: itemIndex },
	};
}
