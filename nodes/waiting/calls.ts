import { hasEnded, wasUnspoken, type CallFields } from '../domain/call';
import { listAll } from '../api/lists';
import { toMillis, since } from '../time';
import { PAGE_SIZE } from '../api/pages';
import type { Api } from '../api/session';
import { isObject, textIn, type JsonObject } from '../json';
import {
	CALL_HISTORY,
	callPath,
	saysSomething,
	withParts,
	type CallPart,
} from '../domain/callParts';
import { CLOCK_TOLERANCE, type Finding, type TestCall } from '../domain/testCall';
import { callReferenceIn, type CallReference } from './answer';
import { clockOf, isRefusal } from './reader';
import { Rounds, type Clock, type Look } from './rounds';
import { TestCallSearch } from './testCallSearch';

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
	verdict?: CallVerdict;
	/** The error of the last look. The next look may succeed. */
	trouble?: Error;
	/** Why the answer to the test call was lost. Then nobody knows whether it was placed. */
	lost?: Error;
}

type CallVerdict =
	/** The call has ended, and its parts are there or will never come. */
	| { is: 'ended' }
	/** Nobody can say which of these calls it is. See `Finding`. */
	| { is: 'several' | 'unnamed'; calls: JsonObject[] }
	/** The API refuses to answer, for example because the key was revoked. */
	| { is: 'refused'; error: Error };

/** All calls since the first one that an item waits for, or why they could not be read. Undefined if no item needs them. */
type History = JsonObject[] | Error | undefined;

/**
 * Watches the calls of one account for all items that wait. Each round reads the list once for all of
 * them. An item costs a request of its own if its task has a path, if its call has ended, or if its
 * call is not in the list. Reference: GET /call-history and the paths below it.
 */
export class CallWatch {
	private readonly reader: Api;

	private readonly rounds: Rounds<CallState>;

	private readonly search: TestCallSearch;

	constructor(reader: Api, clock: Clock = clockOf(reader)) {
		this.reader = reader;
		this.search = new TestCallSearch(reader);
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
		const { data, at } = await this.reader.send({ method: 'GET', path: CALL_HISTORY, query });
		if (!Array.isArray(data) || !data.every(isObject)) {
			throw this.reader.malformed('its data is not a list of records');
		}
		const ids = data.map(({ id }) => textIn(id)).filter((id) => id !== undefined);
		const newest = data.map(({ created_at }) => toMillis(created_at)).find(Boolean);
		const testCall: TestCall = { fields, sent, since: at ?? newest, before: new Set(ids) };
		this.search.add(testCall);
		return testCall;
	}

	/** Forgets a test call that was not placed after all. No call can belong to it. */
	forget(testCall: TestCall): void {
		this.search.remove(testCall);
	}

	/** Waits until this moment, in ms since 1970. Fails if the execution is stopped. */
	async pauseUntil(moment: number): Promise<void> {
		await this.reader.pause(moment - Date.now());
	}

	/** The state from which to wait for a test call that was placed. @param answer what the API answered */
	begin(testCall: TestCall, answer: unknown, parts: readonly AwaitedPart[]): CallState {
		const { fields } = testCall;
		const { task, ...reference } = callReferenceIn(answer, fields, this.reader.baseUrl);
		const placed = { ...testCall, ...(task !== undefined && { task }) };
		this.search.remove(testCall);
		this.search.add(placed);
		return this.withReference({ fields, parts, testCall: placed }, reference);
	}

	/**
	 * Waits for the end of a call and for its parts.
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
		const found = listed instanceof Error ? listed : await this.search.find(listed ?? []);
		return await Promise.all(
			asked.map(async ({ state, isLast }) => {
				const known =
					state.id === undefined
						? this.locate(state, found, isLast)
						: await this.readCall(state, listed, isLast);
				return await this.complete(known);
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
			return this.withReference(state, {
				path,
				...callReferenceIn(data, fields, this.reader.baseUrl),
			});
		} catch (error) {
			return { ...state, trouble: error as Error };
		}
	}

	private async readList(states: CallState[]): Promise<History> {
		const open = states.filter((state) => !isEnded(state));
		const sought = open.filter(({ id }) => id === undefined);
		const followed = open.filter((state) => state.id !== undefined && isDated(state));
		// One call alone is read by its own path.
		if (sought.length === 0 && followed.length < 2) return undefined;
		const moments = [
			...sought.map(({ testCall }) => testCall?.since),
			...followed.map(({ call }) => toMillis(call?.created_at)),
		];
		const first = moments.every((at) => at !== undefined) ? Math.min(...moments) : undefined;
		const after = first !== undefined && { created_after: since(first - CLOCK_TOLERANCE) };
		const query = { sort: '-created_at', ...after };
		try {
			return await listAll(this.reader, { method: 'GET', path: CALL_HISTORY, query });
		} catch (error) {
			return error as Error;
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
		if (this.search.mayChange(finding) && !isLast) return state;
		if (finding.kind === 'one') {
			const { call } = finding;
			// Until it has ended, another call may turn up that could be meant as well.
			const id = hasEnded(call, state.fields.status) ? textIn(call.id) : undefined;
			return this.withReference(state, { call, ...(id !== undefined && { id }) });
		}
		// The task may still name the call.
		if (state.path !== undefined && !isLast) return state;
		return { ...state, verdict: { is: finding.kind, calls: finding.calls } };
	}

	/** The next state of a call whose id is known: from the list if it is there, otherwise from its path. */
	private async readCall(state: CallState, listed: History, isLast: boolean): Promise<CallState> {
		if (isEnded(state)) return state;
		const { id = '', call } = state;
		const list = Array.isArray(listed) ? listed : undefined;
		const inList = list?.find((one) => textIn(one.id) === id);
		if (inList) return { ...state, call: { ...call, ...inList } };
		// The API may list a call only after its end. Until then, the next look is enough.
		if (list && isDated(state) && !isLast) return state;
		try {
			const data = await this.reader.find({ method: 'GET', path: callPath(id) });
			return isObject(data) ? { ...state, call: data, isDetailed: true } : state;
		} catch (error) {
			return troubled(state, error as Error);
		}
	}

	/** Adds the detail and the parts to a call that has ended. */
	private async complete(state: CallState): Promise<CallState> {
		const { call, fields, parts, isDetailed, verdict } = state;
		if (verdict || call?.id === undefined || !isEnded(state)) return state;
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
	private withReference(state: CallState, { path, id, call }: CallReference): CallState {
		const { testCall } = state;
		if (id !== undefined && testCall !== undefined) this.search.take(id, testCall);
		return {
			...state,
			...(path !== undefined && { path }),
			...(id !== undefined && { id }),
			...(call && { call }),
		};
	}
}

const isEnded = ({ call, fields }: CallState) =>
	call !== undefined && hasEnded(call, fields.status);

const isDated = ({ call }: CallState) => toMillis(call?.created_at) !== undefined;

/** The state after an error. A refusal ends the waiting. After any other error, the next look tries again. */
const troubled = (state: CallState, trouble: Error): CallState =>
	isRefusal(trouble)
		? { ...state, verdict: { is: 'refused', error: trouble } }
		: { ...state, trouble };
