import { type CallFields } from '../domain/call';
import { pathText } from '../api/path';
import { isObject, textIn, type JsonObject } from '../json';
import { ASSUMED } from '../domain/assumed';

/** What an answer says about the call that a test call leads to. Any of it may be missing. */
export interface CallReference {
	/** The task's id. */
	task?: string;
	/** Path of the task, below the base URL. */
	path?: string;
	/** The call's id. */
	id?: string;
	/** The call's own record. */
	call?: JsonObject;
}

/**
 * Reads the answer to a test call, or what the API later says about its task. The reference only says
 * that it "returns a task id". If the answer also has the call, its id or the task's path, they are used.
 *
 * @param baseUrl an address is followed only below this one: the key must go nowhere else
 */
export function callReferenceIn(data: unknown, fields: CallFields, baseUrl: string): CallReference {
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

/** The call's record: in the field `call`, or the answer itself if it has fields that no task has. */
function callIn(answer: JsonObject, { agent }: CallFields): JsonObject | undefined {
	if (isObject(answer.call)) return answer.call;
	const isCall =
		'call_status' in answer ||
		('created_at' in answer && agent.some((name) => textIn(answer[name]) !== undefined));
	return isCall ? answer : undefined;
}

/** The path below the base URL, from a whole address, a path on the same host, or such a path itself. */
function pathBelow(baseUrl: string, value: unknown): string | undefined {
	if (typeof value !== 'string') return undefined;
	const bases = [baseUrl, new URL(baseUrl).pathname];
	const base = bases.find((start) => value.startsWith(`${start}/`)) ?? '';
	const path = pathText.safeParse(value.slice(base.length));
	return path.success ? path.data : undefined;
}
