import { toMillis } from '../time';
import { textIn, type JsonObject } from '../json';
import { isSameId, type CallFields } from './call';
import { dialled, isUuid } from './identifiers';

/** A test call that was placed, with what can identify it in the call history. */
export interface TestCall {
	fields: CallFields;
	/** All texts of the request's body. The agent and the number are among them. */
	sent: readonly string[];
	/** The ID of the task in the API's answer. */
	task?: string;
	/** The API's time just before the call was placed, in ms since 1970, if it is known. */
	since?: number;
	/** IDs of the calls that were listed before it was placed. */
	before: ReadonlySet<string>;
}

/** What the call history shows about one test call. */
export type Finding =
	| { kind: 'none' }
	/** `doubts`: newer calls that show neither task nor agent nor number. */
	| { kind: 'one'; call: JsonObject; doubts?: JsonObject[] }
	/** Several calls could belong to this test call, or one call to several test calls. */
	| { kind: 'several'; calls: JsonObject[] }
	/** Newer calls that show neither task nor agent nor number. */
	| { kind: 'unnamed'; calls: JsonObject[] };

/** How far a call's created_at may lie before the API's clock, in ms: clocks differ. */
export const CLOCK_TOLERANCE = 5000;

/** How a listed call compares to a test call. */
type Likeness =
	/** It names the task of the test call. */
	| 'named'
	/** The agent and number that it shows are those of the test call. */
	| 'alike'
	/** It shows neither. */
	| 'unnamed'
	| 'other';

/**
 * Matches test calls to listed calls. If a call names the task, that decides. Otherwise agent and
 * number must match, as far as calls show them, and no other call or test call may match as well.
 * Reference: POST /playground/test-call and GET /call-history; their fields are not shown.
 *
 * @param testCalls all test calls whose call is not known yet
 * @returns one finding for each test call, in the same order
 */
export function findCalls(testCalls: TestCall[], calls: JsonObject[]): Finding[] {
	const compared = testCalls.map((testCall) =>
		calls.map((call) => ({ call, likeness: likenessOf(call, testCall) })),
	);
	const isNamed = (call: JsonObject) =>
		compared.some((row) => row.some((one) => one.call === call && one.likeness === 'named'));
	const likeTo = (row: (typeof compared)[number], likeness: Likeness) =>
		row.filter((one) => one.likeness === likeness).map(({ call }) => call);
	/** For each test call whose task no call names: the calls that match it. */
	const mayBe = compared.map((row) =>
		likeTo(row, 'named').length > 0 ? [] : likeTo(row, 'alike').filter((call) => !isNamed(call)),
	);

	return compared.map((row, at): Finding => {
		const named = likeTo(row, 'named');
		const alike = mayBe[at] as JsonObject[];
		const found = named.length > 0 ? named : alike;
		const isDisputed = alike.some((call) =>
			mayBe.some((others, index) => index !== at && others.includes(call)),
		);
		if (found.length > 1 || isDisputed) return { kind: 'several', calls: found };
		if (named.length === 1) return { kind: 'one', call: named[0] as JsonObject };
		const unnamed = likeTo(row, 'unnamed').filter((call) => !isNamed(call));
		const doubts = unnamed.length > 0 && { doubts: unnamed };
		if (found.length === 1) return { kind: 'one', call: found[0] as JsonObject, ...doubts };
		return unnamed.length > 0 ? { kind: 'unnamed', calls: unnamed } : { kind: 'none' };
	});
}

function likenessOf(call: JsonObject, testCall: TestCall): Likeness {
	const id = textIn(call.id);
	if (id !== undefined && testCall.before.has(id)) return 'other';
	if (isBefore(call, testCall)) return 'other';
	// Test calls are outbound.
	if (/inbound/i.test(textIn(call.direction) ?? '')) return 'other';

	const { task, sent, fields } = testCall;
	const tasks = readable(call, fields.task).filter(isText);
	if (task !== undefined && (id === task || tasks.includes(task))) return 'named';
	if (task !== undefined && tasks.length > 0) return 'other';

	const agents = readable(call, fields.agent);
	const numbers = readable(call, fields.number).map(dialled).filter(isText);
	const numbersSent = sent.map(dialled).filter(isText);
	const showsNumber = numbers.length > 0 && numbersSent.length > 0;
	if (agents.length === 0 && !showsNumber) return 'unnamed';
	const isOfAgent =
		agents.length === 0 || agents.some((agent) => sent.some((text) => isSameId(text, agent)));
	const isToNumber = !showsNumber || numbers.some((number) => numbersSent.includes(number));
	return isOfAgent && isToNumber ? 'alike' : 'other';
}

function isBefore({ created_at }: JsonObject, { since }: TestCall): boolean {
	const at = toMillis(created_at);
	return at !== undefined && since !== undefined && at < since - CLOCK_TOLERANCE;
}

/**
 * The agent and the number among the texts of a request: its UUIDs in lower case, and the digits of its
 * phone numbers. They have the same form as in the search of the call history.
 */
export const whoIsCalled = (sent: readonly string[]): string[] =>
	sent
		.map((text) => (isUuid(text.trim()) ? text.trim().toLowerCase() : dialled(text)))
		.filter(isText);

/** The values of these fields as text. Null is a value too, and becomes undefined. */
const readable = (record: JsonObject, names: readonly string[]): Array<string | undefined> =>
	names
		.map((name) => record[name])
		.filter((value) => value === null || textIn(value) !== undefined)
		.map(textIn);

const isText = (text: string | undefined): text is string => text !== undefined;
