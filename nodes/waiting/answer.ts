import { type CallFields } from '../domain/call';
import { pathText } from '../api/path';
import { isObject, textIn, type JsonObject } from '../json';
import { ASSUMED } from '../domain/assumed';

/** What an answer says of the call that comes of a test call: as much as is there. */
export interface Lead {
	/** The task's id. */
	task?: string;
	/** Where the task can be read, below the base URL. */
	path?: string;
	/** The call's id. */
	id?: string;
	/** The call's own record. */
	call?: JsonObject;
}

/**
 * What the API answered to a test call, or says of its task later. Its shape is not shown but for
 * "returns a task id": a call's record, its id and the task's path are used where they are there.
 *
 * @param baseUrl what an address must lie below to be followed: the key goes nowhere else
 */
export function leadIn(data: unknown, fields: CallFields, baseUrl: string): Lead {
	const answer = Array.isArray(data) ? data[0] : data;
	if (!isObject(answer)) return {};
	const call = callIn(answer, fields);
	const id = textIn(call?.id) ?? textIn(answer.call_id);
	if (id !== undefined) return { id, ...(call && { call }) };
	const holders = [answer, ...fields.task.map((name) => answer[name]).filter(isObject)];
	const path = holders
		.flatMap((holder) => ASSUMED.taskPath.map((name) => pathBelow(baseUrl, holder[name])))
		.find((found) => found !== undefined);
	const task = [...fields.task, 'id'].map((name) => textIn(answer[name])).find(Boolean);
	return { ...(task !== undefined && { task }), ...(path !== undefined && { path }) };
}

/** A call's record: under its name, or the answer itself where it shows what no task has. */
function callIn(answer: JsonObject, { agent }: CallFields): JsonObject | undefined {
	if (isObject(answer.call)) return answer.call;
	const isCall =
		'call_status' in answer ||
		('created_at' in answer && agent.some((name) => textIn(answer[name]) !== undefined));
	return isCall ? answer : undefined;
}

/** The path of an address below the base URL, of one on its host, or a path below the base URL itself. */
function pathBelow(baseUrl: string, value: unknown): string | undefined {
	if (typeof value !== 'string') return undefined;
	const bases = [baseUrl, new URL(baseUrl).pathname];
	const base = bases.find((start) => value.startsWith(`${start}/`)) ?? '';
	const path = pathText.safeParse(value.slice(base.length));
	return path.success ? path.data : undefined;
}
