import type { IExecuteFunctions } from 'n8n-workflow';

import { isNotFound, noteChange } from '../api/apiError';
import { readRecord } from '../api/readRecord';
import type { Api } from '../api/session';
import { FullRecord } from '../domain/simplify';
import { isObject } from '../json';
import { changes, DONE, doesOf, isList, type Task } from '../table/operation';
import { WithFile, type RowApi } from '../table/rowApi';
import type { Chosen } from './chosen';
import { failedResult, toNodeError, type Result } from './failures';
import type { Queues } from './queues';
import { makeItems, type Given } from './output';
import { download, readFile } from './files';
import { count, list } from './search';

/**
 * Runs one task when its account has a place for it. With Continue On Fail, a failure is a result too.
 * @throws NodeApiError, NodeOperationError; then nothing more is sent for any task
 */
export async function runTask(
	context: IExecuteFunctions,
	{ row, about, now }: Chosen,
	queues: Queues,
	task: Task,
	ifNotFound?: 'error' | 'item',
): Promise<Result> {
	const { input, items, account } = task;
	const { session, share, ...own } = queues.of(account);
	const does = doesOf(row, input);
	const ofAccount = changes(does) ? own.changes : own.reads;
	const endTurn = await (does === 'changeInTurn' ? queues.oneByOne : ofAccount).take();
	const needs = {
		...about,
		get hints() {
			return row.hints?.(input);
		},
	};
	const api = session.api(needs, items[0]);
	const notices: string[] = [];
	const tell = (message: string) => void notices.push(message);
	const send: Api['send'] = async (request) => {
		if (changes(does) || request.method === 'GET') return await api.send(request);
		// It would be sent beside others.
		const error = new Error(`this operation only reads, so ${request.method} was not sent`);
		throw toNodeError(error, context.getNode(), items[0]);
	};
	try {
		const data = await row.run(input, {
			...verbs({ ...api, send }, share, tell, task.wanted),
			share,
			now,
			tell,
			endTurn,
			readFile: async (field) => await readFile(context, items[0], field),
			download: async (url) =>
				await download(context, url, { time: queues.time, stopping: [queues.stopping] }),
		});
		const records = asRecords(data);
		// Without an item the workflow would stop here, although the change was made.
		const shown = records.length === 0 && changes(does) ? [DONE] : records;
		const made = await makeItems(context, task, isList(row), shown);
		return { item: items[0], ...made, shape: task.shape, notices };
	} catch (error) {
		api.stop();
		if (ifNotFound === 'item' && isNotFound(error)) {
			const made = await makeItems(context, task, false, [{ found: false }]);
			return { item: items[0], ...made, notices, isMissing: true };
		}
		const known = toNodeError(error, context.getNode(), items[0]);
		// Also an error of the node may quote what the API said.
		known.message = task.account.conceal(known.message);
		if (api.hasChanged()) noteChange(known);
		if (context.continueOnFail()) return failedResult(context, known, items);
		queues.stopping.stop();
		throw known;
	} finally {
		endTurn();
	}
}

/** The requests of an item's account, as its row sends them. @param wanted how many records of a list */
const verbs = (
	api: Api,
	share: RowApi['share'],
	tell: RowApi['tell'],
	wanted: number,
): Api & Pick<RowApi, 'get' | 'list' | 'count' | 'change' | 'alone' | 'wanted'> => ({
	...api,
	wanted,
	get: async (path) => await readRecord(api, { method: 'GET', path }),
	list: async (path, query, sought) =>
		await list(api, { method: 'GET', path, query }, { wanted, ...sought }, tell),
	count: async (path, query, sought = {}) =>
		await count(api, { method: 'GET', path, query }, sought, tell),
	change: async (method, path, body) => (await api.send({ method, path, body })).data,
	async alone(key, work) {
		const running = share('alone', () => new Map<string, Promise<unknown>>());
		// An ID is the same in capital letters.
		const name = key.toLowerCase();
		const before = running.get(name) ?? Promise.resolve();
		const result = before.then(work, work);
		running.set(name, result);
		return await result;
	},
});

function asRecords(data: unknown): Given[] {
	if (Array.isArray(data)) return data.flatMap(asRecords);
	if (data instanceof WithFile || data instanceof FullRecord || isObject(data)) return [data];
	return [data === null || data === undefined ? DONE : { value: data }];
}
