import { momentOf } from '../../api/moment';
import { isObject, type JsonObject } from '../../json';
import { CALL_STATUS, plainStatus } from '../statuses';

/** Under which names a call shows what it is known by: not shown in the reference, so settings. */
export interface CallFields {
	agent: readonly string[];
	number: readonly string[];
	task: readonly string[];
	status: readonly string[];
}

/** A test call that was asked for, as far as the records of calls can show that they are of it. */
export interface Order {
	fields: CallFields;
	/** What was sent: each text of the body, the agent and the number among them. */
	sent: readonly string[];
	/** The task that the API answered with. */
	task?: string;
	/** The API's own time before it was asked, in ms since 1970, where it is known. */
	since?: number;
	/** The ids of calls that were listed before. */
	before: ReadonlySet<string>;
}

/** Which call is an order's, by what is listed. */
export type Finding =
	| { kind: 'none' }
	/** `doubts`: those that came since and do not show whose they are. */
	| { kind: 'one'; call: JsonObject; doubts?: JsonObject[] }
	/** Several calls could be of this order, or one could be of several orders. */
	| { kind: 'several'; calls: JsonObject[] }
	/** Calls that came since do not show whose they are. */
	| { kind: 'unnamed'; calls: JsonObject[] };

/** How far a call's created_at may lie before the API's own clock, in ms: no two clocks are the same. */
export const CLOCK_TOLERANCE = 5000;

type Likeness =
	/** It names the order's task. */
	| 'named'
	/** Its agent and number, as far as it shows them, are the order's. */
	| 'alike'
	/** It shows neither. */
	| 'unnamed'
	| 'other';

/**
 * Which of the listed calls is each order's. A call that names the task is. Otherwise it is one of
 * that agent and that number, as far as calls show them: then it must be the only one, and must not
 * be as much like another order's. Reference: POST /playground/test-call and GET /call-history, whose
 * fields are not shown.
 *
 * @param orders all whose call is not known yet
 */
export function findCalls(orders: Order[], calls: JsonObject[]): Finding[] {
	const compared = orders.map((order) =>
		calls.map((call) => ({ call, likeness: likenessOf(call, order) })),
	);
	const isNamed = (call: JsonObject) =>
		compared.some((row) => row.some((one) => one.call === call && one.likeness === 'named'));
	const likeTo = (row: (typeof compared)[number], likeness: Likeness) =>
		row.filter((one) => one.likeness === likeness).map(({ call }) => call);
	/** The calls that may be of an order for which none names the task. */
	const mayBe = compared.map((row) =>
		likeTo(row, 'named').length > 0 ? [] : likeTo(row, 'alike').filter((call) => !isNamed(call)),
	);

	return compared.map((row, order): Finding => {
		const named = likeTo(row, 'named');
		const alike = mayBe[order] as JsonObject[];
		const found = named.length > 0 ? named : alike;
		const isDisputed = alike.some((call) =>
			mayBe.some((others, index) => index !== order && others.includes(call)),
		);
		if (found.length > 1 || isDisputed) return { kind: 'several', calls: found };
		if (named.length === 1) return { kind: 'one', call: named[0] as JsonObject };
		const unnamed = likeTo(row, 'unnamed').filter((call) => !isNamed(call));
		const doubts = unnamed.length > 0 && { doubts: unnamed };
		if (found.length === 1) return { kind: 'one', call: found[0] as JsonObject, ...doubts };
		return unnamed.length > 0 ? { kind: 'unnamed', calls: unnamed } : { kind: 'none' };
	});
}

function likenessOf(call: JsonObject, order: Order): Likeness {
	const id = textIn(call.id);
	if (id !== undefined && order.before.has(id)) return 'other';
	if (isBefore(call, order)) return 'other';
	// A test call is an outbound one.
	if (/inbound/i.test(textIn(call.direction) ?? '')) return 'other';

	const { task, sent, fields } = order;
	const tasks = readable(call, fields.task).filter(isText);
	if (task !== undefined && (id === task || tasks.includes(task))) return 'named';
	if (task !== undefined && tasks.length > 0) return 'other';

	const agents = readable(call, fields.agent);
	const numbers = readable(call, fields.number).map(dialled).filter(isText);
	const numbersSent = sent.map(dialled).filter(isText);
	const showsNumber = numbers.length > 0 && numbersSent.length > 0;
	if (agents.length === 0 && !showsNumber) return 'unnamed';
	const isOfAgent = agents.length === 0 || agents.some((agent) => sent.some(sameAs(agent)));
	const isToNumber = !showsNumber || numbers.some((number) => numbersSent.includes(number));
	return isOfAgent && isToNumber ? 'alike' : 'other';
}

function isBefore({ created_at }: JsonObject, { since }: Order): boolean {
	const at = momentOf(created_at);
	return at !== undefined && since !== undefined && at < since - CLOCK_TOLERANCE;
}

/** What a record shows under those names; undefined stands for a null, which is shown too. */
const readable = (record: JsonObject, names: readonly string[]): Array<string | undefined> =>
	names
		.map((name) => record[name])
		.filter((value) => value === null || textIn(value) !== undefined)
		.map(textIn);

/** A text, or a number as text; of an object, that of its id. */
export function textIn(value: unknown): string | undefined {
	if (isObject(value)) return isObject(value.id) ? undefined : textIn(value.id);
	if (typeof value === 'number') return String(value);
	return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

const isText = (text: string | undefined): text is string => text !== undefined;

const sameAs = (one: string | undefined) => (other: string) =>
	one?.toLowerCase() === other.toLowerCase();

/** The digits of a number in international form; undefined for any other text, such as a masked number. */
function dialled(text: string | undefined): string | undefined {
	const bare = text?.replace(/[\s().\-/]/g, '') ?? '';
	return /^(?:\+|00)([1-9]\d{6,14})$/.exec(bare)?.[1];
}

/** The status of a call, by the first of its fields that shows one. */
export const statusOf = (call: JsonObject, { status }: CallFields): string | undefined =>
	readable(call, status).find(isText);

const ENDS: readonly string[] = Object.values(CALL_STATUS);

/** Ends at which nobody spoke: neither a summary nor a transcript will come. */
const UNSPOKEN: readonly string[] = [
	CALL_STATUS.Busy,
	CALL_STATUS['Not Answered'],
	CALL_STATUS.Rejected,
];

/** Whether a call is over. A status that the reference does not name is no end. */
export const hasEnded = (call: JsonObject, fields: CallFields) =>
	isState(ENDS, statusOf(call, fields));

export const wasUnspoken = (call: JsonObject, fields: CallFields) =>
	isState(UNSPOKEN, statusOf(call, fields));

/** Whether a state is one of these, however it is spelt: `Ended In Queue` and `ended_in_queue`. */
export const isState = (names: readonly string[], state: string | undefined) =>
	state !== undefined && names.some((name) => plainStatus(name) === plainStatus(state));
