import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { DateTime } from 'luxon';

import { CredentialError, type Account, type Authentication } from '../api/account';
import { accountsOf } from '../api/accounts';
import type { About } from '../api/errors';
import { FIRST_WINDOW, MAX_WINDOW } from '../api/pace';
import type { JsonObject } from '../json';
import {
	FollowUp,
	methodOf,
	permissionOf,
	type Operation,
	type Resources,
} from '../table/operation';
import { isTool } from './asTool';
import { failedItems, nodeErrorOf, refusal, type NodeError } from './failures';
import { gathered } from './gather';
import { Lanes } from './lanes';
import { outputOf } from './output';
import { perform } from './perform';
import { readRequestOptions, taskReader, type Task } from './tasks';

/** The operation that runs, and what errors say of it. */
interface Chosen {
	row: Operation;
	about: About;
	/** When the execution began, in the workflow's time zone. */
	now: DateTime;
}

/** What is handed on for a task. */
interface Result {
	/** The first input item that it stands for. */
	item: number;
	output: INodeExecutionData[];
	isFailed?: boolean;
	/** What the user should know of it, although it is a success. */
	notices?: string[];
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
	const output = runAll(this, resources).catch((error: unknown) => {
		throw isTool(this.getNode()) ? nodeErrorOf(error, this.getNode(), 0) : error;
	});
	if (!this.continueOnFail()) return [await output];
	// Thrown, n8n would hand on the input as if it had succeeded.
	const allFailed = (error: unknown) =>
		this.getInputData().flatMap((_, item) =>
			failedItems(this, nodeErrorOf(error, this.getNode(), item), [item]),
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
	const authentication = context.getNodeParameter('authentication', 0) as Authentication;
	const accounts = await accountsOf(context, authentication);
	const { tasks, refused } = readTasks(context, chosen, accounts);
	const objection = row.refuse?.(
		tasks.map(({ input }) => input),
		refused.length,
		context.getNode(),
	);
	if (objection !== undefined) throw refusal(context, about, objection);
	const isRead = row.request.startsWith('GET ');
	const lanes = new Lanes(
		context,
		tasks.map(({ account }) => account),
		isRead
			? settings
			: { ...settings, concurrency: Math.max(settings.concurrency ?? FIRST_WINDOW, writes) },
		{ reads: settings.concurrency ?? MAX_WINDOW, changes: writes },
		about,
	);

	const done = await Promise.all(
		gathered(tasks, row).map(async (task) => {
			const { reads, changes } = lanes.of(task.account);
			const lane = methodOf(row, task.input) === 'GET' ? reads : changes;
			const begun = await lane(async () => await beginTask(context, chosen, lanes, task));
			return begun instanceof FollowUp ? await begun.finish() : begun;
		}),
	);

	const results = [...refused, ...done].sort((one, other) => one.item - other.item);
	const output = results.flatMap((result) => result.output);
	const notices = [
		...results.flatMap(({ notices }) => notices ?? []),
		lanes.notice(results.every(({ isFailed }) => !isFailed)),
	];
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
	const { scope } = row;
	const label = `${resource.name}: ${row.name}`;
	const permission = permissionOf(row);
	const now = DateTime.now().setZone(context.getTimezone());
	return {
		row,
		now,
		about: { operation: label, permission, scope, hasRequestOptions: true },
	};
}

/** The tasks of all items. With Continue On Fail, one that cannot be read leaves the others. */
function readTasks(
	context: IExecuteFunctions,
	{ row, about }: Chosen,
	accounts: Array<Account | CredentialError>,
) {
	const taskOf = taskReader(context, row, about);
	const readTask = (item: number, account: Account | CredentialError): Task => {
		if (account instanceof CredentialError) throw account;
		return taskOf(item, account);
	};
	const orRefused = (item: number, account: Account | CredentialError): Task | Result => {
		try {
			return readTask(item, account);
		} catch (error) {
			const known = nodeErrorOf(error, context.getNode(), item, about);
			return failed(context, known, [item], account.baseUrl);
		}
	};
	const read = context.continueOnFail() ? orRefused : readTask;
	const all = accounts.map((account, item) => read(item, account));
	const isRefused = (one: Task | Result): one is Result => 'output' in one;
	return {
		tasks: all.filter((one) => !isRefused(one)) as Task[],
		refused: all.filter(isRefused),
	};
}

/** A task as far as it takes a turn. */
async function beginTask(
	context: IExecuteFunctions,
	{ row, about, now }: Chosen,
	lanes: Lanes,
	task: Task,
): Promise<Result | FollowUp<Result>> {
	const { items, account } = task;
	const [item] = items;
	const { session, share } = lanes.of(account);
	const { shareInRun } = lanes;
	const hints = { ...row.hints, ...row.hintsFor?.(task.input) };
	const api = session.api({ ...about, hints }, item);
	const notices: string[] = [];
	const tell = (message: string) => void notices.push(message);
	const orFailed = async <T>(work: () => Promise<T>): Promise<T | Result> => {
		try {
			return await work();
		} catch (error) {
			api.stop();
			const known = nodeErrorOf(error, context.getNode(), item, about);
			if (context.continueOnFail()) return failed(context, known, items, account.baseUrl);
			lanes.stop();
			throw known;
		}
	};
	const handOn = async (records: JsonObject[]): Promise<Result> => {
		const notice = row.notice?.(task.input, records);
		return {
			item,
			output: await outputOf(context, row, task, records),
			notices: notice === undefined ? notices : [...notices, notice],
		};
	};
	return await orFailed(async () => {
		const records = await perform(row, task.input, task.wanted, {
			api,
			share,
			shareInRun,
			now,
			tell,
		});
		if (!(records instanceof FollowUp)) return await handOn(records);
		return new FollowUp(
			async () => await orFailed(async () => await handOn(await records.finish())),
		);
	});
}

const failed = (
	context: IExecuteFunctions,
	error: NodeError,
	items: Task['items'],
	baseUrl: string | undefined,
): Result => ({
	item: items[0],
	output: failedItems(context, error, items, baseUrl),
	isFailed: true,
});
