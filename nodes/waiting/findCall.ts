import { USUAL_NAMES, type Names } from '../api/names';
import { dialled, isUuid } from '../domain/identifiers';
import { firstText, isObject, textIn, type JsonObject } from '../json';
import { toMillis } from '../time';

/** A test call that was placed, with what identifies its call in the call history. */
export interface TestCall {
	/** What its account calls the agent, the number and the task of a call. */
	names: Names;
	/** The texts of the request's body, as `textsOf` gives them. The agent and the number are among them. */
	sent: readonly string[];
	/** The ID of the task in the API's answer. */
	task?: string;
	/** A time before the call was placed, by the API's clock, in ms since 1970. */
	since: number;
	/** IDs of the calls that were listed before it was placed. */
	before: ReadonlySet<string>;
}

/** How far a call's created_at may lie before the API's clock, in ms: clocks differ. */
export const CLOCK_TOLERANCE = 5000;

/**
 * The calls that may be that of a test call: the one that names its task. If none does, those that were
 * made after it was placed, to its number, and by its agent if they show one.
 * Reference: POST /playground/test-call and GET /call-history; their fields are not shown.
 *
 * @param others the other test calls whose call is not known
 * @returns the calls, and whether there is exactly one that cannot be that of another test call
 */
export function findCalls(
	testCall: TestCall,
	calls: JsonObject[],
	others: TestCall[],
): { found: JsonObject[]; isClear: boolean } {
	const named = calls.filter((call) => namesTask(call, testCall));
	if (named.length > 0) return { found: named, isClear: named.length === 1 };
	const found = calls.filter((call) => fits(call, testCall));
	const [only, ...more] = found;
	const isClear =
		only !== undefined && more.length === 0 && !others.some((other) => fits(only, other));
	return { found, isClear };
}

const namesTask = (call: JsonObject, { task, names }: TestCall): boolean =>
	task !== undefined && names.callTask.some((name) => textIn(call[name]) === task);

/** Whether a call is to the test call's number, by its agent if it shows one, and was made after it was placed. */
function fits(call: JsonObject, testCall: TestCall): boolean {
	const { task, sent, names, since, before } = testCall;
	// A call that names another task belongs to that one.
	if (task !== undefined && shown(call, names.callTask).length > 0)
		return namesTask(call, testCall);
	const isToNumber = shown(call, names.callNumber).some((number) => sent.includes(number));
	// A name in place of the agent's ID tells nothing.
	const agents = shown(call, names.callAgent).filter(
		(agent) => isUuid(agent) || !sent.some(isUuid),
	);
	const isByAgent = agents.length === 0 || agents.some((agent) => sent.includes(agent));
	const isAfter = (toMillis(call.created_at) ?? since) >= since - CLOCK_TOLERANCE;
	return isToNumber && isByAgent && isAfter && !before.has(textIn(call.id) ?? '');
}

/** The values of these fields in the form in which they are compared. */
const shown = (record: JsonObject, names: readonly string[]): string[] =>
	textsOf(names.map((name) => textIn(record[name])));

/** Every text and number in a value, at any depth: phone numbers as digits, all others in lower case. */
export function textsOf(value: unknown): string[] {
	if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsOf);
	const text = textIn(value);
	return text === undefined ? [] : [dialled(text) ?? text.toLowerCase()];
}

const isNumber = (text: string) => /^\d{7,15}$/.test(text);

/**
 * The number in the body of a test call. Without one, its agent. Calls for which it is equal must not be
 * placed at once: the phone would be busy, or nobody could tell them apart.
 */
export function whoIsCalled(body: JsonObject): string {
	const texts = textsOf(body);
	const numbers = texts.filter(isNumber).map((digits) => `+${digits}`);
	return (numbers.length > 0 ? numbers : texts.filter(isUuid)).sort().join(', ');
}

/** The ID of the task in the answer to a test call. Reference: "returns a task id". */
export function taskIn(answer: unknown, { callTask }: Names): string | undefined {
	const [data] = [answer].flat();
	if (!isObject(data)) return textIn(data);
	// A name that a user enters is that of the calls.
	return firstText(data, [...callTask, ...USUAL_NAMES.callTask, 'id']);
}
