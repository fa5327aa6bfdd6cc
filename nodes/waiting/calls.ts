import { hasEnded, wasUnspoken, type CallFields } from '../domain/call';
import { listAll } from '../api/lists';
import { momentOf, since } from '../api/moment';
import { PAGE_SIZE } from '../api/pages';
import type { Api } from '../api/session';
import { isObject, textIn, type JsonObject } from '../json';
import { saysSomething, withParts, type CallPart } from '../domain/callParts';
import { leadIn, type Lead } from './answer';
import { CLOCK_TOLERANCE, findCalls, type Finding, type TestCall } from '../domain/testCall';
import { clockOf, isRefusal } from './reader';
import { Rounds, type Clock, type Look } from './rounds';

/** A part of a call that the user also waits for, after the call has ended. */
export type AwaitedPart = Exclude<CallPart, 'detail'>;

/** What is known of a call that an item waits for. */
export interface CallState {
	fields: CallFields;
	parts: readonly AwaitedPart[];
	/** The test call that led to it. Undefined if the user gave the ID of the call. */
	testCall?: TestCall;
	/** Path of the test call's task, if the API has shown one. */
	path?: string;
	id?: string;
	call?: JsonObject;
	/** Whether `call` was read from the call's own path, and not only from the list. */
	isDetailed?: boolean;
	/** The result. Undefined as long as another look may change it. */
	verdict?: Verdict;
	/** The error of the last look. The next look may succeed. */
	trouble?: Error;
	/** Why the answer to the test call was lost. Then nobody knows whether it was placed. */
	lost?: Error;
}

export type Verdict =
	/** The call has ended, and its parts are there or will never come. */
	| { is: 'ended' }
	/** Nobody can say which of these calls it is. See `Finding`. */
	| { is: 'several' | 'unnamed'; calls: JsonObject[] }
	/** The API refuses to answer, for example because the key was revoked. */
	| { is: 'refused'; error: Error };

const HISTORY = '/call-history';

/** How many calls are read one by one, if the list shows neither their agent nor their number. */
const MOST_DETAILS = 50;

/**
 * Watches the calls of one account for all items that wait. Each round reads the list once for all of
 * them. An item costs a request of its own if its task has a path, if its call has ended, or if its
 * call is not in the list. If the list shows neither agent nor number of new calls, each of them is read
 * once, up to 50.
 * Reference: GET /call-history and the paths below it.
 */
export class CallWatch {
	private readonly reader: Api;

	private readonly rounds: Rounds<CallState>;

	/** Test calls whose call has not been found yet, also those whose answer was lost. */
	private readonly testCalls = new Set<TestCall>();

	/** Details of calls that the list does not show enough of, by id. */
	private readonly details = new Map<string, JsonObject>();

	/** Ids of calls that belong to a test call already. They cannot belong to another one. */
	private readonly taken = new Set<string>();

	constructor(reader: Api, clock: Clock = clockOf(reader)) {
		this.reader = reader;
		const isOver = ({ verdict }: CallState) => verdict !== undefined;
		this.rounds = new Rounds(async (waiting) => await this.look(waiting), isOver, clock);
	}

	/**
	 * Reads which calls exist before a test call is placed, so that the new one can be recognised.
	 * @param sent the texts of the body
	 * @throws if the call history cannot be read. Then the call must not be placed: nobody could follow it
	 */
	async prepare(sent: readonly string[], fields: CallFields): Promise<TestCall> {
		const query = { sort: '-created_at', limit: PAGE_SIZE };
		const { data, at } = await this.reader.send({ method: 'GET', path: HISTORY, query });
		if (!Array.isArray(data) || !data.every(isObject)) {
			throw this.reader.malformed('its data is not a list of records');
		}
		const ids = data.map(({ id }) => textIn(id)).filter((id) => id !== undefined);
		const newest = data.map(({ created_at }) => momentOf(created_at)).find(Boolean);
		const testCall: TestCall = { fields, sent, since: at ?? newest, before: new Set(ids) };
		this.testCalls.add(testCall);
		return testCall;
	}

	/** Forgets a test call that was not placed after all. No call can belong to it. */
	forget(testCall: TestCall): void {
		this.testCalls.delete(testCall);
	}

	/** Waits until this moment, in ms since 1970. Fails if the execution is stopped. */
	async pauseUntil(moment: number): Promise<void> {
		await this.reader.pause(moment - Date.now());
	}

	/** The state from which to wait for a test call that was placed. @param answer what the API answered */
	begin(testCall: TestCall, answer: unknown, parts: readonly AwaitedPart[]): CallState {
		const { fields } = testCall;
		const { task, ...lead } = leadIn(answer, fields, this.reader.baseUrl);
		this.testCalls.delete(testCall);
		const placed = { ...testCall, ...(task !== undefined && { task }) };
		this.testCalls.add(placed);
		return this.withLead({ fields, parts, testCall: placed }, lead);
	}

	/**
	 * Waits for the end of a call and for the parts of it that are wanted.
	 * @param most how long, in ms
	 * @returns what is known at the end. It has no verdict if the time ran out
	 */
	async wait(state: CallState, most: number): Promise<CallState> {
		const isFresh = state.call !== undefined;
		return await this.rounds.wait(await this.complete(state), most, isFresh);
	}

	/** One round: asks the tasks, then reads the list, then what the list does not show. */
	private async look(waiting: Array<Look<CallState>>): Promise<CallState[]> {
		const asked = await Promise.all(
			waiting.map(async ({ state, isLast }) => ({ state: await this.askTask(state), isLast })),
		);
		const listed = await this.readList(asked.map(({ state }) => state));
		const found = await this.findingsIn(listed);
		return await Promise.all(
			asked.map(async ({ state, isLast }) => {
				const located =
					state.id === undefined
						? this.locate(state, found, isLast)
						: await this.readCall(state, listed, isLast);
				return await this.complete(located);
			}),
		);
	}

	/** Reads the task, if it has a path, to learn which call belongs to it. A task may be gone. */
	private async askTask({ trouble: _before, ...state }: CallState): Promise<CallState> {
		const { path, id, fields } = state;
		if (path === undefined || id !== undefined) return state;
		try {
			const data = await this.reader.find({ method: 'GET', path });
			if (data === null) return { ...state, path: undefined };
			return this.withLead(state, { path, ...leadIn(data, fields, this.reader.baseUrl) });
		} catch (error) {
			return { ...state, trouble: error as Error };
		}
	}

	/**
	 * All calls since the first one that an item waits for.
	 * @returns an error if they could not be read, undefined if no item needs the list
	 */
	private async readList(states: CallState[]): Promise<JsonObject[] | Error | undefined> {
		const open = states.filter(({ call, fields }) => !(call && hasEnded(call, fields.status)));
		const sought = open.filter(({ id }) => id === undefined);
		const followed = open.filter(({ id }) => id !== undefined).filter(isDated);
		if (sought.length === 0 && followed.length < 2) return undefined;
		const moments = [
			...sought.map(({ testCall }) => testCall?.since),
			...followed.map(({ call }) => momentOf(call?.created_at)),
		];
		const first = moments.every((at) => at !== undefined) ? Math.min(...moments) : undefined;
		const query = {
			sort: '-created_at',
			...(first !== undefined && {
				created_after: since(first - CLOCK_TOLERANCE),
			}),
		};
		try {
			return await listAll(this.reader, { method: 'GET', path: HISTORY, query }, Infinity);
		} catch (error) {
			return error as Error;
		}
	}

	/** Which listed call belongs to which test call. If the list does not show it, details are read too. */
	private async findingsIn(
		listed: JsonObject[] | Error | undefined,
	): Promise<Map<TestCall, Finding> | Error> {
		if (listed instanceof Error) return listed;
		const findings = this.compare(listed ?? []);
		const unread = this.unreadOf([...findings.values()].flatMap(unnamedIn));
		if (unread.length === 0) return findings;
		await Promise.all(unread.map(async (id) => await this.readDetail(id)));
		return this.compare(listed ?? []);
	}

	/** Matches the test calls to the calls that are not taken, with what their details have shown. */
	private compare(listed: JsonObject[]): Map<TestCall, Finding> {
		const free = listed
			.filter(({ id }) => !this.taken.has(textIn(id) ?? ''))
			.map((call) => ({ ...this.details.get(textIn(call.id) ?? ''), ...call }));
		const testCalls = [...this.testCalls];
		const findings = findCalls(testCalls, free);
		return new Map(testCalls.map((testCall, at) => [testCall, findings[at] as Finding]));
	}

	/** Ids of those calls whose detail was not read yet, as many as may still be read. */
	private unreadOf(calls: JsonObject[]): string[] {
		const ids = new Set(calls.map(({ id }) => textIn(id)).filter((id) => id !== undefined));
		const unread = [...ids].filter((id) => !this.details.has(id));
		return unread.slice(0, MOST_DETAILS - this.details.size);
	}

	/** Reads the detail of a call once. If it fails for now or does not exist yet, the next look tries again. */
	private async readDetail(id: string): Promise<void> {
		const path = `${HISTORY}/${encodeURIComponent(id)}`;
		try {
			const data = await this.reader.find({ method: 'GET', path });
			if (isObject(data)) this.details.set(id, data);
		} catch (error) {
			if (isRefusal(error)) this.details.set(id, {});
		}
	}

	/** The next state of a test call whose call is not known yet. */
	private locate(
		state: CallState,
		found: Map<TestCall, Finding> | Error,
		isLast: boolean,
	): CallState {
		if (found instanceof Error) return troubled(state, found);
		const finding = found.get(state.testCall as TestCall);
		if (finding === undefined || finding.kind === 'none') return state;
		// The next look reads the details of more calls.
		if (this.unreadOf(unnamedIn(finding)).length > 0 && !isLast) return state;
		if (finding.kind === 'one') {
			const { call } = finding;
			const id = hasEnded(call, state.fields.status) ? textIn(call.id) : undefined;
			return this.withLead(state, { call, ...(id !== undefined && { id }) });
		}
		// The task may still name the call.
		if (state.path !== undefined && !isLast) return state;
		return { ...state, verdict: { is: finding.kind, calls: finding.calls } };
	}

	/** The next state of a call whose id is known: from the list if it is there, otherwise from its path. */
	private async readCall(
		state: CallState,
		listed: JsonObject[] | Error | undefined,
		isLast: boolean,
	): Promise<CallState> {
		const { id, call, fields } = state;
		if (call && hasEnded(call, fields.status)) return state;
		const list = Array.isArray(listed) ? listed : [];
		const inList = list.find((one) => textIn(one.id) === id);
		if (inList) return { ...state, call: { ...call, ...inList } };
		// The API may list a call only after its end. Until then, the next look is enough.
		if (Array.isArray(listed) && isDated(state) && !isLast) return state;
		try {
			const path = `${HISTORY}/${encodeURIComponent(id as string)}`;
			const data = await this.reader.find({ method: 'GET', path });
			return isObject(data) ? { ...state, call: data, isDetailed: true } : state;
		} catch (error) {
			return troubled(state, error as Error);
		}
	}

	/** Adds the detail and the parts to a call that has ended. */
	private async complete(state: CallState): Promise<CallState> {
		const { call, fields, parts, isDetailed, verdict } = state;
		if (verdict || !call || call.id === undefined || !hasEnded(call, fields.status)) return state;
		const missing = parts.filter((part) => !saysSomething(call[part]));
		const wanted: CallPart[] = [...(isDetailed ? [] : (['detail'] as const)), ...missing];
		try {
			const whole = await withParts(call, wanted, this.reader);
			const isWhole =
				wasUnspoken(call, fields.status) || parts.every((part) => saysSomething(whole[part]));
			const known = { ...state, call: whole, isDetailed: true };
			return isWhole ? { ...known, verdict: { is: 'ended' } } : known;
		} catch (error) {
			return troubled(state, error as Error);
		}
	}

	/** The state with what an answer showed. Once the id is known, no other test call can have the call. */
	private withLead(state: CallState, { path, id, call }: Lead): CallState {
		const { testCall } = state;
		if (id !== undefined && testCall !== undefined) {
			this.testCalls.delete(testCall);
			this.taken.add(id);
		}
		return {
			...state,
			...(path !== undefined && { path }),
			...(id !== undefined && { id }),
			...(call && { call }),
		};
	}
}

/** The calls of a finding that show neither task nor agent nor number. */
function unnamedIn(finding: Finding): JsonObject[] {
	if (finding.kind === 'unnamed') return finding.calls;
	return finding.kind === 'one' ? (finding.doubts ?? []) : [];
}

const isDated = ({ call }: CallState) => momentOf(call?.created_at) !== undefined;

/** The state after an error. A refusal ends the waiting. After any other error, the next look tries again. */
const troubled = (state: CallState, trouble: Error): CallState =>
	isRefusal(trouble)
		? { ...state, verdict: { is: 'refused', error: trouble } }
		: { ...state, trouble };
