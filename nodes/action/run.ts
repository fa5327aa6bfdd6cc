import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import pLimit from 'p-limit';

import type { About } from '../api/errors';
import { connect, type Authentication, type Session } from '../api/session';
import { methodOf, permissionOf, type Operation, type Resources } from '../table/operation';
import { failedItem, nodeErrorOf, type NodeError } from './failures';
import { gathered } from './gather';
import { perform } from './perform';
import { readRequestOptions, taskReader, type Task } from './tasks';

/** The operation that runs, and what errors say of it. */
interface Chosen {
	row: Operation;
	about: About;
}

/** What is handed on for a task. */
interface Result {
	/** The first input item that it stands for. */
	item: number;
	output: INodeExecutionData[];
	/** What the user should know of it, although it is a success. */
	notice?: string;
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
	const output = runAll(this, resources);
	if (!this.continueOnFail()) return [await output];
	// Thrown, n8n would hand on the input as if it had succeeded.
	const allFailed = (error: unknown) =>
		this.getInputData().map((_, item) =>
			failedItem(nodeErrorOf(error, this.getNode(), item), item),
		);
	return [await output.catch(allFailed)];
}

async function runAll(
	context: IExecuteFunctions,
	resources: Resources,
): Promise<INodeExecutionData[]> {
	const chosen = chosenOperation(context, resources);
	const { row, about } = chosen;
	const { writes, ...settings } = readRequestOptions(context, about);
	const { tasks, refused } = readTasks(context, chosen);
	const authentication = context.getNodeParameter('authentication', 0) as Authentication;
	const isRead = row.request.startsWith('GET ');
	const session = await connect(context, authentication, {
		...settings,
		concurrency: isRead ? settings.concurrency : Math.max(settings.concurrency, writes),
	});

	const reads = pLimit(settings.concurrency);
	const changes = pLimit(writes);
	const done = await Promise.all(
		gathered(tasks, row).map(async (task) => {
			const lane = methodOf(row, task.input) === 'GET' ? reads : changes;
			return await lane(async () => await runTask(context, chosen, session, task));
		}),
	);

	const results = [...refused, ...done].sort((one, other) => one.item - other.item);
	const output = results.flatMap((result) => result.output);
	const notices = [...results.map(({ notice }) => notice), rateLimitNotice(session, output)];
	for (const message of new Set(notices)) {
		if (message) context.addExecutionHints?.({ message, location: 'outputPane' });
	}
	return output;
}

function chosenOperation(context: IExecuteFunctions, resources: Resources): Chosen {
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

/** The tasks of all items. With Continue On Fail, one that cannot be read leaves the others. */
function readTasks(context: IExecuteFunctions, { row, about }: Chosen) {
	const readTask = taskReader(context, row, about);
	const orRefused = (item: number): Task | Result => {
		try {
			return readTask(item);
		} catch (error) {
			return failed([item], nodeErrorOf(error, context.getNode(), item, about));
		}
	};
	const read = context.getInputData().map((_, item) => {
		return context.continueOnFail() ? orRefused(item) : readTask(item);
	});
	const isRefused = (one: Task | Result): one is Result => 'output' in one;
	return {
		tasks: read.filter((one) => !isRefused(one)) as Task[],
		refused: read.filter(isRefused),
	};
}

async function runTask(
	context: IExecuteFunctions,
	{ row, about }: Chosen,
	session: Session,
	task: Task,
): Promise<Result> {
	const [item] = task.items;
	const api = session.api(about, item);
	try {
		const records = await perform(row, task.input, task.wanted, api);
		return {
			item,
			output: records.map((record) => ({
				json: (task.shape?.(record) ?? record) as IDataObject,
				pairedItem: pairedWith(task.items),
			})),
			notice: row.notice?.(task.input, records),
		};
	} catch (error) {
		api.stop();
		const known = nodeErrorOf(error, context.getNode(), item, about);
		if (context.continueOnFail()) return failed(task.items, known);
		session.stop();
		throw known;
	}
}

const failed = (items: Task['items'], error: NodeError): Result => ({
	item: items[0],
	output: items.map((item) => failedItem(error, item)),
});

const pairedWith = ([item, ...others]: Task['items']) =>
	others.length > 0 ? [item, ...others].map((each) => ({ item: each })) : { item };

function rateLimitNotice(session: Session, output: INodeExecutionData[]): string | undefined {
	if (session.heldBack() === 0) return undefined;
	const seconds = (session.heldBack() / 1000).toFixed(1);
	const isWhole = !output.some(({ error }) => error);
	return `The API's rate limit held this node back for ${seconds} seconds.${isWhole ? ' Everything was sent all the same.' : ''}`;
}
