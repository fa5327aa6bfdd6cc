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

/** What is waited for besides the end of the call. */
export type AwaitedPart = Exclude<CallPart, 'detail'>;

/** A call that is waited for, as far as it is known. */
export interface CallState {
	fields: CallFields;
	parts: readonly AwaitedPart[];
	/** What it came of, where its id is not known. */
	testCall?: TestCall;
	/** Where its task can be read. */
	path?: string;
	id?: string;
	call?: JsonObject;
	/** Whether the record is the one from the call's own path. */
	isDetailed?: boolean;
	/** Why no other look can tell more. */
	verdict?: Verdict;
	/** What the last look met. */
	trouble?: Error;
	/** Why the answer to the test call is not known, so that it may not have been placed. */
	lost?: Error;
}

export type Verdict =
	/** It has ended, and all that was waited for is there or will never be. */
	| { is: 'ended' }
	| { is: 'several' | 'unnamed'; calls: JsonObject[] }
	/** The API refuses to tell, such as a key that was revoked. */
	| { is: 'refused'; error: Error };

const HISTORY = '/call-history';

/** How many calls are read by themselves at the most, because the list does not show whose they are. */
const MOST_DETAILS = 50;

/**
 * Watches the calls of one account for all items that wait: each round costs one request for all of
 * them, and one for each whose task has a path, whose call has ended, or is not listed. Where the list
 * does not show whose calls are, each call that came since is read once, up to 50.
 * Reference: GET /call-history and the paths below it.
 */
export class CallWatch {
	private readonly reader: Api;

	private readonly rounds: Rounds<CallState>;

	/** Test calls whose own call is not known yet; also those whose answer was lost. */
	private readonly testCalls = new Set<TestCall>();

	/** What calls show of which the list does not show whose they are, by id. */
	private readonly details = new Map<string, JsonObject>();

	/** Calls that are known to be of one test call, and so of no other. */
	private readonly taken = new Set<string>();

	constructor(reader: Api, clock: Clock = clockOf(reader)) {
		this.reader = reader;
		const isOver = ({ verdict }: CallState) => verdict !== undefined;
		this.rounds = new Rounds(async (waiting) => await this.look(waiting), isOver, clock);
	}

	/**
	 * What there is before a test call is placed.
	 * @param sent the texts of the body
	 * @throws where the call history cannot be read, so that no call is placed that nobody could follow
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

	/** A test call that was not placed after all: no call is its. */
	forget(testCall: TestCall): void {
		this.testCalls.delete(testCall);
	}

	/** Waits until this moment, in ms since 1970; fails where the execution is stopped. */
	async pauseUntil(moment: number): Promise<void> {
		await this.reader.pause(moment - Date.now());
	}

	/** The waiting for the call of a test call, by what the API answered to it. */
	begin(testCall: TestCall, answer: unknown, parts: readonly AwaitedPart[]): CallState {
		const { fields } = testCall;
		const { task, ...lead } = leadIn(answer, fields, this.reader.baseUrl);
		this.testCalls.delete(testCall);
		const placed = { ...testCall, ...(task !== undefined && { task }) };
		this.testCalls.add(placed);
		return this.following({ fields, parts, testCall: placed }, lead);
	}

	/**
	 * Waits for the end of a call and for the parts of it that are wanted.
	 * @param most how long, in ms
	 * @returns what is known at the end: with a verdict, or without where the time ran out
	 */
	async wait(state: CallState, most: number): Promise<CallState> {
		const isFresh = state.call !== undefined;
		return await this.rounds.wait(await this.complete(state), most, isFresh);
	}

	private async look(waiting: Array<Look<CallState>>): Promise<CallState[]> {
		const asked = await Promise.all(
			waiting.map(async ({ state, isLast }) => ({ state: await this.askTask(state), isLast })),
		);
		const listed = await this.list(asked.map(({ state }) => state));
		const found = await this.find(listed);
		return await Promise.all(
			asked.map(async ({ state, isLast }) => {
				const located =
					state.id === undefined
						? this.locate(state, found, isLast)
						: await this.read(state, listed, isLast);
				return await this.complete(located);
			}),
		);
	}

	/** What the task says of its call, where it has a path. One that is gone says nothing any more. */
	private async askTask({ trouble: _before, ...state }: CallState): Promise<CallState> {
		const { path, id, fields } = state;
		if (path === undefined || id !== undefined) return state;
		try {
			const data = await this.reader.find({ method: 'GET', path });
			if (data === null) return { ...state, path: undefined };
			return this.following(state, { path, ...leadIn(data, fields, this.reader.baseUrl) });
		} catch (error) {
			return { ...state, trouble: error as Error };
		}
	}

	/** The calls since the first that is waited for; why they cannot be read; or undefined where none is needed. */
	private async list(states: CallState[]): Promise<JsonObject[] | Error | undefined> {
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

	/** Where the list does not show whose calls are, their details may: of each call it is read once. */
	private async find(
		listed: JsonObject[] | Error | undefined,
	): Promise<Map<TestCall, Finding> | Error> {
		if (listed instanceof Error) return listed;
		const findings = this.compare(listed ?? []);
		const unread = this.unreadOf([...findings.values()].flatMap(unnamedIn));
		if (unread.length === 0) return findings;
		await Promise.all(unread.map(async (id) => await this.readDetail(id)));
		return this.compare(listed ?? []);
	}

	private compare(listed: JsonObject[]): Map<TestCall, Finding> {
		const free = listed
			.filter(({ id }) => !this.taken.has(textIn(id) ?? ''))
			.map((call) => ({ ...this.details.get(textIn(call.id) ?? ''), ...call }));
		const testCalls = [...this.testCalls];
		const findings = findCalls(testCalls, free);
		return new Map(testCalls.map((testCall, at) => [testCall, findings[at] as Finding]));
	}

	/** The ids of calls whose details may still tell whose they are. */
	private unreadOf(calls: JsonObject[]): string[] {
		const ids = new Set(calls.map(({ id }) => textIn(id)).filter((id) => id !== undefined));
		const unread = [...ids].filter((id) => !this.details.has(id));
		return unread.slice(0, MOST_DETAILS - this.details.size);
	}

	/** What fails for now, or is not there yet, is tried with the next look. */
	private async readDetail(id: string): Promise<void> {
		const path = `${HISTORY}/${encodeURIComponent(id)}`;
		try {
			const data = await this.reader.find({ method: 'GET', path });
			if (isObject(data)) this.details.set(id, data);
		} catch (error) {
			if (isRefusal(error)) this.details.set(id, {});
		}
	}

	/** A call whose id is not known, by what was found. */
	private locate(
		state: CallState,
		found: Map<TestCall, Finding> | Error,
		isLast: boolean,
	): CallState {
		if (found instanceof Error) return troubled(state, found);
		const finding = found.get(state.testCall as TestCall);
		if (finding === undefined || finding.kind === 'none') return state;
		// The detail of a call that does not show whose it is may still tell.
		if (this.unreadOf(unnamedIn(finding)).length > 0 && !isLast) return state;
		if (finding.kind === 'one') {
			const { call } = finding;
			const id = hasEnded(call, state.fields.status) ? textIn(call.id) : undefined;
			return this.following(state, { call, ...(id !== undefined && { id }) });
		}
		// The task may still tell.
		if (state.path !== undefined && !isLast) return state;
		return { ...state, verdict: { is: finding.kind, calls: finding.calls } };
	}

	/** A call whose id is known: from the list where it is there, otherwise from its own path. */
	private async read(
		state: CallState,
		listed: JsonObject[] | Error | undefined,
		isLast: boolean,
	): Promise<CallState> {
		const { id, call, fields } = state;
		if (call && hasEnded(call, fields.status)) return state;
		const list = Array.isArray(listed) ? listed : [];
		const inList = list.find((one) => textIn(one.id) === id);
		if (inList) return { ...state, call: { ...call, ...inList } };
		// A call under way may not be listed, but is as soon as it has ended.
		if (Array.isArray(listed) && isDated(state) && !isLast) return state;
		try {
			const path = `${HISTORY}/${encodeURIComponent(id as string)}`;
			const data = await this.reader.find({ method: 'GET', path });
			return isObject(data) ? { ...state, call: data, isDetailed: true } : state;
		} catch (error) {
			return troubled(state, error as Error);
		}
	}

	/** A call that has ended, with its detail and the parts that are there by now. */
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

	/** A state with what was learned; a call whose id is known is no other test call's. */
	private following(state: CallState, { path, id, call }: Lead): CallState {
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

/** The calls that do not show whose they are. */
function unnamedIn(finding: Finding): JsonObject[] {
	if (finding.kind === 'unnamed') return finding.calls;
	return finding.kind === 'one' ? (finding.doubts ?? []) : [];
}

const isDated = ({ call }: CallState) => momentOf(call?.created_at) !== undefined;

/** What another look may mend is remembered; what the API refuses ends the waiting. */
const troubled = (state: CallState, trouble: Error): CallState =>
	isRefusal(trouble)
		? { ...state, verdict: { is: 'refused', error: trouble } }
		: { ...state, trouble };
