import type { IExecuteFunctions } from 'n8n-workflow';

import { isNotFound, noteChange } from '../api/apiError';
import { readAll } from '../api/lists';
import type { Names } from '../api/names';
import type { Api, Request } from '../api/session';
import { FullRecord } from '../domain/simplify';
import { isObject, type JsonObject } from '../json';
import {
	sendAlone,
	DONE,
	changes,
	doesOf,
	isList,
	type Method,
	type Operation,
	type RunContext,
	WithFile,
} from '../table/operation';
import type { Chosen } from './chosen';
import { failedResult, toNodeError, type Result } from './failures';
import type { Queues } from './queues';
import { makeItems, type Given } from './output';
import { download, readFile } from './files';
import { count, search } from './search';
import type { Task } from './tasks';

/**
 * Runs one task when its account has a place for it.
 *
 * @returns the result, also of a task that failed, with Continue On Fail
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
	const whole = session.api({ ...about, hints: row.hints?.(input) }, items[0]);
	const send: Api['send'] = async (request) => {
		if (changes(does) || request.method === 'GET') return await whole.send(request);
		// It would be sent beside others.
		const error = new Error(`this operation only reads, so ${request.method} was not sent`);
		throw toNodeError(error, context.getNode(), items[0]);
	};
	const api = { ...whole, send };
	const notices: string[] = [];
	try {
		const records = await perform(row, task, {
			api,
			share,
			shareInRun: queues.shareInRun,
			now,
			tell: (message) => void notices.push(message),
			endTurn,
			noteRun: async () => await queues.noteRun(),
			readFile: async (field) => await readFile(context, items[0], field),
			download: async (url) => await download(context, url, queues.timeout),
		});
		const made = await makeItems(context, task, isList(row), records);
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
		queues.stop();
		throw known;
	} finally {
		endTurn();
	}
}

/**
 * Runs one operation for one task: its own `run`, its list, the count of its list, or its request.
 * @returns one record for each output item
 * @throws NodeApiError if a read answered without a record
 */
async function perform(
	row: Operation,
	{ input, wanted }: Task,
	given: Omit<RunContext, 'request' | 'list' | 'wanted'>,
): Promise<Given[]> {
	const { api, now, tell } = given;
	const request = () => toRequest(row, input, api.names);
	const sought = row.search?.(input, now, api.names);
	const list: RunContext['list'] = async (options = {}) =>
		sought
			? await search(api, request(), sought, wanted, tell)
			: await readAll(api, request(), { wanted, ...options });
	if (row.countOptions) return [await count(api, request(), sought, tell)];
	if (row.run) {
		const records = asRecords(await row.run(input, { ...given, request, list, wanted }));
		// Without an item the workflow would stop here, although the change was made.
		return records.length > 0 || !changes(doesOf(row, input)) ? records : [DONE];
	}
	if (isList(row)) return await list();
	const asked = request();
	const { method } = asked;
	const isAlone = row.request.includes('{');
	const { data } = await (isAlone ? sendAlone(given, asked) : api.send(asked));
	// n8n's rule, whatever the API answers.
	if (method === 'DELETE') return [{ deleted: true }];
	if (method === 'GET' && data === null) throw api.nothing();
	const records = asRecords(data);
	if (records.length === 0 && method === 'GET') throw api.malformed('it holds no record');
	return records.length > 0 ? records : [DONE];
}

/**
 * The row's request with its path filled. The row's `payload`, or the rest of the input if the
 * row does not run by itself, becomes the query of a GET, or the body of another request.
 */
function toRequest(
	row: Pick<Operation, 'request' | 'requestIn' | 'payload' | 'run'>,
	input: JsonObject,
	names: Names,
): Request {
	const methodAndPath = row.requestIn?.(names) ?? row.request;
	const [method, pattern] = methodAndPath.split(' ') as [Method, string];
	const rest = { ...input };
	const path = pattern.replace(/\{(\w+)\}/g, (_segment, name: string) => {
		const value = rest[name];
		delete rest[name];
		return [value]
			.flat()
			.map((segment) => encodeURIComponent(String(segment)))
			.join('/');
	});
	const sent = row.payload?.(input) ?? (row.run ? {} : rest);
	if (Object.keys(sent).length === 0) return { method, path };
	return method === 'GET' ? { method, path, query: sent } : { method, path, body: sent };
}

function asRecords(data: unknown): Given[] {
	if (Array.isArray(data)) return data.flatMap(asRecords);
	if (data instanceof WithFile || data instanceof FullRecord || isObject(data)) return [data];
	return [data === null || data === undefined ? DONE : { value: data }];
}
