import type { IExecuteFunctions } from 'n8n-workflow';

import { noteChange } from '../api/apiError';
import { readAll } from '../api/lists';
import type { Api, Request } from '../api/session';
import { isObject, type JsonObject } from '../json';
import { sendAlone } from '../table/alone';
import { DONE, methodOf, type Method, type Operation, type RunContext } from '../table/operation';
import type { Chosen } from './chosen';
import { failedResult, toNodeError, type Result } from './failures';
import type { Lanes } from './lanes';
import { makeItems } from './output';
import { readFile } from './inputFile';
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
	chosen: Chosen,
	lanes: Lanes,
	task: Task,
): Promise<Result> {
	const { row, about } = chosen;
	const { session, reads, changes } = lanes.of(task.account);
	const ofAccount = methodOf(row, task.input) === 'GET' ? reads : changes;
	const places = row.isOneByOne?.(task.input) ? lanes.oneByOne : ofAccount;
	const endTurn = await places.take();
	const hints = { ...row.hints, ...row.hintsFor?.(task.input) };
	const { send, ...own } = session.api({ ...about, hints }, task.items[0]);
	let hasChanged = false;
	const api: Api = {
		...own,
		send: async (request) => {
			const answer = await send(request);
			hasChanged ||= request.method !== 'GET';
			return answer;
		},
	};
	const remember = lanes.remembered.of(task.account);
	try {
		return await resultOf(context, chosen, lanes, task, { api, remember, endTurn });
	} catch (error) {
		api.stop();
		remember.forget();
		const known = toNodeError(error, context.getNode(), task.items[0], about);
		// Also an error of the node may quote what the API said.
		known.message = task.account.conceal(known.message);
		if (hasChanged) noteChange(known);
		if (context.continueOnFail()) return failedResult(context, known, task.items);
		lanes.stop();
		throw known;
	} finally {
		endTurn();
	}
}

async function resultOf(
	context: IExecuteFunctions,
	{ row, now }: Chosen,
	lanes: Lanes,
	task: Task,
	{ api, remember, endTurn }: Pick<RunContext, 'api' | 'remember' | 'endTurn'>,
): Promise<Result> {
	const notices: string[] = [];
	const records = await perform(row, task.input, task.wanted, {
		api,
		share: lanes.of(task.account).share,
		shareInRun: lanes.shareInRun,
		remember,
		now,
		tell: (message) => void notices.push(message),
		endTurn,
		readFile: async (field) => await readFile(context, task.items[0], field),
	});
	const notice = row.notice?.(task.input, records);
	if (notice !== undefined) notices.push(notice);
	const output = await makeItems(context, row, task, records, lanes.timeout);
	return { item: task.items[0], output, notices };
}

/**
 * Runs one operation for one task: its request, its list, or its own `run`.
 *
 * @param wanted how many records of a list
 * @returns one record for each output item
 */
async function perform(
	row: Operation,
	input: JsonObject,
	wanted: number,
	given: Omit<RunContext, 'request' | 'list'>,
): Promise<JsonObject[]> {
	const { now, tell } = given;
	if (row.countOptions)
		return [await count(given.api, toRequest(row, input), row.search?.(input, now), tell)];
	const { api } = given;
	const request = () => toRequest(row, input);
	const list = async (most = wanted) =>
		await readAll(api, request(), { wanted: most, records: row.records });
	if (row.many && row.run === undefined) {
		const sought = row.search?.(input, now);
		const records = sought ? await search(api, request(), sought, wanted, tell) : await list();
		const enrich = row.enrich?.(input, api);
		return enrich ? await enrich(records) : records;
	}
	const data = row.run
		? await row.run(input, { ...given, request, list: async (most) => await list(most) })
		: (await (row.request.includes('{') ? sendAlone(given, request()) : api.send(request()))).data;
	if (row.many) return asRecords(data).slice(0, wanted);
	const method = methodOf(row, input);
	// n8n's rule, whatever the API answers.
	if (method === 'DELETE' && row.run === undefined) return [{ deleted: true }];
	return row.mayBeEmpty ? asRecords(data) : checkedRecords(data, method, api);
}

/**
 * The records of an answer.
 * @throws NodeApiError if a read answered without a record
 */
function checkedRecords(data: unknown, method: string, api: Api): JsonObject[] {
	const records = asRecords(data);
	if (method === 'GET') {
		if (data === null) throw api.nothing();
		if (records.length === 0) throw api.malformed('it holds no record');
	}
	// Without an item the workflow would stop here, although the change was made.
	return records.length > 0 ? records : [DONE];
}

/**
 * The row's request with its path filled. The row's `payload`, or the rest of the input if the
 * row does not run by itself, becomes the query of a GET, or the body of another request.
 */
export function toRequest(
	row: Pick<Operation, 'request' | 'payload' | 'run'>,
	input: JsonObject,
): Request {
	const [method, pattern] = row.request.split(' ') as [Method, string];
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

function asRecords(data: unknown): JsonObject[] {
	if (Array.isArray(data)) return data.flatMap(asRecords);
	if (isObject(data)) return [data];
	return [data === null || data === undefined ? DONE : { value: data }];
}
