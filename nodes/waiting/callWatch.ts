import { refusesToAnswer } from '../api/apiError';
import { readAll, pageIn } from '../api/lists';
import { enterAs, USUAL_NAMES, type Names } from '../api/names';
import { PAGE_SIZE } from '../api/pages';
import type { Api } from '../api/session';
import { callStatusOf, hasEnded, wasUnspoken } from '../domain/call';
import {
	CALL_HISTORY,
	CALL_INCLUDES,
	callPath,
	saysSomething,
	withParts,
	type CallPart,
} from '../domain/callParts';
import { dialled, isUuid } from '../domain/identifiers';
import { fieldAt, firstText, isObject, textIn, type JsonObject } from '../json';
import { since, toMillis } from '../time';
import { cut, quoted, sentences } from '../words';
import { rounds } from './rounds';

export type AwaitedPart = Exclude<CallPart, 'detail'>;

/** A call that an item waits for. The watch fills in what it finds out. */
export interface WaitingCall {
	readonly names: Names;
	readonly parts: readonly AwaitedPart[];
	/** In ms since 1970. */
	readonly until: number;
	/** The test call that leads to it. Undefined if the user gave the ID of the call. */
	readonly testCall?: TestCall;
	/** Why the answer to the test call was lost. Then nobody knows whether it was placed. */
	readonly lost?: Error;
	call?: JsonObject;
	/** Whether the detail was read after the end, and the parts were asked for. */
	isDetailed?: boolean;
	/** Several calls match the test call, so none is chosen. */
	candidates?: JsonObject[];
	/** The API refuses to answer, for example because the key was revoked. */
	refusal?: Error;
	/** The error of the last look. The next look may succeed. */
	trouble?: Error;
}

/** Watches the calls of one account for all items that wait. Reference: GET /call-history and below. */
export class CallWatch {
	readonly #reader: Api;

	readonly #wait: ReturnType<typeof rounds>;

	readonly #waiting = new Set<WaitingCall>();

	/** Test calls whose call is not known yet, also those that may not have been placed. */
	readonly #sought = new Set<TestCall>();

	/** IDs of the calls that belong to a test call. */
	readonly #taken = new Set<string>();

	constructor(reader: Api) {
		this.#reader = reader;
		this.#wait = rounds(
			async () => await this.#look(),
			async (ms) => await reader.pause(ms),
		);
	}

	/**
	 * Reads which calls exist before a test call is placed, so that the new one can be recognised.
	 * @throws if the call history cannot be read. Then the call must not be placed: nobody could follow it
	 */
	async prepare(sent: readonly string[]): Promise<TestCall> {
		const query = { sort: '-created_at', limit: PAGE_SIZE };
		const answer = await this.#reader.send({ method: 'GET', path: CALL_HISTORY, query });
		const { records } = pageIn(answer, this.#reader);
		const before = new Set(records.map(({ id }) => textIn(id) ?? ''));
		const testCall = { names: this.#reader.names, sent, since: answer.at ?? Date.now(), before };
		this.#sought.add(testCall);
		return testCall;
	}

	/** Forgets a test call that was not placed after all. No call can belong to it. */
	forget(testCall: TestCall): void {
		this.#sought.delete(testCall);
	}

	/** Waits until a call has come so far, until it is clear that it will not, or until its time is over. */
	async waitFor(waiting: WaitingCall, isSoFar: (waiting: WaitingCall) => boolean): Promise<void> {
		const isOver = () =>
			isSoFar(waiting) || waiting.candidates !== undefined || waiting.refusal !== undefined;
		this.#waiting.add(waiting);
		try {
			await this.#wait(isOver, waiting.until);
		} finally {
			this.#waiting.delete(waiting);
		}
	}

	/**
	 * Waits for the end and the parts of a call whose ID is known, and which was read just now.
	 * @throws if the API refuses to show the call, or the execution is stopped
	 */
	async waitForKnown(waiting: WaitingCall): Promise<WaitingCall> {
		waiting.isDetailed = isEnded(waiting);
		if (waiting.isDetailed) await this.#readParts(waiting);
		await this.waitFor(waiting, isComplete);
		if (waiting.refusal) throw waiting.refusal;
		return waiting;
	}

	/** One round for all calls: first those that have not ended, then the parts of those that have. */
	async #look(): Promise<void> {
		const open = [...this.#waiting].filter((waiting) => !isEnded(waiting));
		const known = open.filter(({ testCall }) => testCall === undefined);
		await Promise.all(known.map(async (waiting) => await this.#readDetail(waiting)));
		await this.#readList(open.filter(({ testCall }) => testCall !== undefined));
		const ended = [...this.#waiting].filter(isEnded);
		await Promise.all(ended.map(async (waiting) => await this.#readParts(waiting)));
	}

	async #readList(open: WaitingCall[]): Promise<void> {
		if (open.length === 0) return;
		const first = Math.min(...open.map(({ testCall }) => testCall!.since));
		const query = { sort: '-created_at', created_after: since(first - CLOCK_TOLERANCE) };
		const request = { method: 'GET', path: CALL_HISTORY, query } as const;
		await attempt(open, async () => {
			const listed = await readAll(this.#reader, request);
			for (const waiting of open) this.#locate(waiting, waiting.testCall!, listed);
		});
	}

	#locate(waiting: WaitingCall, testCall: TestCall, listed: JsonObject[]): void {
		const free = listed.filter(({ id }) => !this.#taken.has(textIn(id) ?? ''));
		const others = [...this.#sought].filter((other) => other !== testCall);
		const { found, isClear } = findCalls(testCall, free, others);
		if (!isClear) {
			if (found.length > 0) waiting.candidates = found;
			return;
		}
		waiting.call = found[0]!;
		// Until it has ended, another call may turn up that could be meant as well.
		if (!isEnded(waiting)) return;
		this.#sought.delete(testCall);
		this.#taken.add(textIn(waiting.call.id) ?? '');
	}

	/** The API may show the call only after its end. */
	async #readDetail(waiting: WaitingCall): Promise<void> {
		await attempt([waiting], async () => {
			const path = callPath(waiting.call!);
			const data = await this.#reader.find({ method: 'GET', path });
			if (!isObject(data)) throw new Error('the call was not found');
			waiting.call = data;
		});
	}

	async #readParts(waiting: WaitingCall): Promise<void> {
		await attempt([waiting], async () => {
			const missing = missingParts(waiting);
			const wanted: CallPart[] = waiting.isDetailed ? missing : ['detail', ...missing];
			waiting.call = (await withParts(waiting.call!, wanted, this.#reader)).whole;
			waiting.isDetailed = true;
		});
	}
}

/** Runs a look. A refusal ends the waiting. After any other error, the next look tries again. */
async function attempt(waiting: WaitingCall[], look: () => Promise<void>): Promise<void> {
	const trouble = await look().then(
		() => undefined,
		(error: Error) => error,
	);
	for (const each of waiting) {
		each.trouble = trouble;
		if (refusesToAnswer(trouble)) each.refusal = trouble;
	}
}

export const isEnded = ({ call, names }: WaitingCall): boolean =>
	call !== undefined && hasEnded(call, names);

/** Whether a call has ended and its parts are there, or will never come. */
export function isComplete(waiting: WaitingCall): boolean {
	const { call, names, isDetailed = false } = waiting;
	if (call === undefined || !isEnded(waiting) || !isDetailed) return false;
	return wasUnspoken(call, names) || missingParts(waiting).length === 0;
}

const missingParts = ({ call, parts }: WaitingCall): AwaitedPart[] =>
	parts.filter(
		(part) => !saysSomething(call?.[part === 'transcriptText' ? 'transcript_text' : part]),
	);

export interface CallOutcome extends JsonObject {
	result: 'ended' | 'incomplete' | 'underWay' | 'notFound' | 'notPlaced' | 'ambiguous' | 'unknown';
	explanation: string;
	/** The call with its parts; null if nobody knows which call it is. */
	call: JsonObject | null;
}

export function callOutcome(waiting: WaitingCall): CallOutcome {
	const { call = null, candidates, refusal, trouble, lost, names } = waiting;
	const doubt = lost && call === null ? doubtAbout(lost) : '';
	const last = trouble ? ` The last look failed: ${trouble.message}` : '';
	const outcome = (result: CallOutcome['result'], explanation: string): CallOutcome => {
		return { result, explanation, call };
	};
	if (refusal) {
		const why = `The result of the call could not be read: ${refusal.message}`;
		return outcome('unknown', sentences(why, doubt));
	}
	if (candidates) {
		const ids = quoted(candidates.map(({ id }) => textIn(id) ?? ''));
		const why = `The node cannot tell which call is this one (${ids}), so it chose none. It placed no second call. Another run, or an item before, was calling the same number. Let one run at a time call it.`;
		return { ...outcome('ambiguous', sentences(why, doubt)), call: null };
	}
	if (call === null) {
		const why = `The call did not show up in time. If it is in your call history, your API has another name for the number (${names.callNumber.join(', ')}) or the task (${names.callTask.join(', ')}): ${enterAs('callNumber', 'callTask')}.`;
		const result = trouble || lost ? 'unknown' : 'notFound';
		return outcome(result, `${why} ${doubt || 'The call may still show up.'}${last}`);
	}
	const shown = callStatusOf(call, names);
	const status = shown && cut(shown);
	if (isComplete(waiting)) return outcome('ended', `The call ended: ${status}.`);
	if (isEnded(waiting)) {
		const parts = missingParts(waiting).map((part) => CALL_INCLUDES[part].toLowerCase());
		const missing = parts.join(' and ') || 'its detail';
		const why = `The call ended (${status}), but there was not enough time until ${missing} could be read.`;
		return outcome('incomplete', `${why}${last}`);
	}
	const seen = status
		? `its status is ${status}`
		: `none of the fields ${names.callStatus.join(', ')} shows its status: ${enterAs('callStatus')}`;
	return outcome('underWay', `The call had not ended in time; ${seen}.${last}`);
}

export const doubtAbout = (lost: Error) =>
	sentences(
		`It is not known whether the call was placed: ${lost.message}`,
		'Check the call history before you place the call again.',
	);

/** A test call that was placed, with what identifies its call in the call history. */
export interface TestCall {
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
const CLOCK_TOLERANCE = 5000;

/**
 * The calls that may be that of a test call: the one that names its task. If none does, those that were
 * made after it was placed, to its number, and by its agent if they show one. It is clear if there is exactly
 * one, and it cannot be that of another test call.
 * Reference: POST /playground/test-call and GET /call-history; their fields are not shown.
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
	task !== undefined && names.callTask.some((name) => textIn(fieldAt(call, name)) === task);

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

const shown = (record: JsonObject, names: readonly string[]): string[] =>
	textsOf(names.map((name) => textIn(fieldAt(record, name))));

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
