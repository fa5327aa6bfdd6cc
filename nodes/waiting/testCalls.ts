import pLimit, { type Limit } from 'p-limit';

import { mayHaveActed } from '../api/apiError';
import type { CallFields } from '../domain/call';
import type { TestCall } from '../domain/testCall';
import { isObject, type JsonObject } from '../json';
import type { RunContext } from '../table/operation';
import { CallWatch, type AwaitedPart, type CallState } from './calls';
import { notPlaced, callOutcome } from './outcome';

/** When the calls of several items are placed. */
export const PLACE_CALLS = {
	allAtOnce: 'All at Once',
	oneAfterAnother: 'One After Another',
} as const;

/** The user's settings: what to wait for, and when to place the call. */
export interface Waiting {
	placeCalls: keyof typeof PLACE_CALLS;
	parts: readonly AwaitedPart[];
	fields: CallFields;
	/** How long to wait, in ms. */
	most: number;
}

/** The test calls of one run of the node, in all its accounts. */
interface TestCallRun {
	/** Calls that were placed, or may have been. */
	placed: Set<TestCall>;
	/** For One After Another: runs one call at a time. */
	oneByOne: Limit;
}

/** A test call whose request is answered, or whose answer was lost. */
interface PlacedCall {
	/** What the API answered; null if the answer was lost. */
	task: unknown;
	state: CallState;
	/** When the waiting ends, in ms since 1970. */
	until: number;
	/** Whether the waiting is over although there is no verdict. */
	isOver?: boolean;
	watch: CallWatch;
}

/**
 * Places a test call and waits for its result. Once a call of this run was placed, nothing
 * ends in an error: n8n's Retry On Fail would run the node again and place it a second time.
 *
 * @returns the item, also for a call that could not be placed
 * @throws what the API or the network answered, if no call of this run was placed
 */
export async function placeAndWait(
	body: JsonObject,
	waiting: Waiting,
	context: RunContext,
): Promise<JsonObject> {
	const { placed, oneByOne } = context.shareInRun<TestCallRun>(() => ({
		placed: new Set(),
		oneByOne: pLimit(1),
	}));
	const orNotPlaced = async (error: Error): Promise<JsonObject> =>
		placed.size > 0 ? notPlaced(error) : await Promise.reject(error);
	const place = async () => await placeCall(body, waiting, context, placed);

	if (waiting.placeCalls === 'oneAfterAnother') {
		const placeAndEnd = async () => await untilEnded(await place());
		context.endTurn();
		return await oneByOne(placeAndEnd).then(itemOf, orNotPlaced);
	}
	const waitForIt = async (call: PlacedCall) => {
		context.endTurn();
		return await itemOf(call);
	};
	return await place().then(waitForIt, orNotPlaced);
}

/**
 * Places one call.
 * @param placed gets the call, unless it is certain that it was not placed
 */
async function placeCall(
	body: JsonObject,
	{ fields, parts, most }: Waiting,
	{ api, request, share }: RunContext,
	placed: Set<TestCall>,
): Promise<PlacedCall> {
	const watch = share((reader) => new CallWatch(reader));
	const testCall = await watch.prepare(textsIn(body), fields).catch(unprepared);
	const answered = (task: unknown, lost?: Error): PlacedCall => ({
		task,
		state: { ...watch.begin(testCall, task, parts), ...(lost && { lost }) },
		until: Date.now() + most,
		watch,
	});
	placed.add(testCall);
	try {
		return answered((await api.send(request())).data);
	} catch (error) {
		// The call may be under way. So look for it, and never place it again.
		if (mayHaveActed(error)) return answered(null, error as Error);
		placed.delete(testCall);
		watch.forget(testCall);
		return await Promise.reject(error as Error);
	}
}

/** Waits until the call has ended, or its time is over. Its parts may come later. */
async function untilEnded(call: PlacedCall): Promise<PlacedCall> {
	const { parts } = call.state;
	const state = await waited({ ...call, state: { ...call.state, parts: [] } });
	if (state.verdict?.is === 'ended') {
		return { ...call, state: { ...state, parts, verdict: undefined } };
	}
	// Nobody knows whether the call is over, so the next one waits too. Stop ends the pause.
	await call.watch.pauseUntil(call.until).catch(() => undefined);
	return { ...call, state: { ...state, parts }, isOver: true };
}

/** The item of a call, once its waiting is over. */
const itemOf = async (call: PlacedCall): Promise<JsonObject> => ({
	task: call.task,
	...callOutcome(call.isOver ? call.state : await waited(call)),
});

/** Waits, and turns any error into a result: a call that was placed must not end in an error. */
const waited = async ({ state, until, watch }: PlacedCall): Promise<CallState> =>
	await watch
		.wait(state, Math.max(0, until - Date.now()))
		.catch((error: Error): CallState => ({ ...state, verdict: { is: 'refused', error } }));

/** Adds to the error that the call was not placed: without the call history nobody could follow it. */
async function unprepared(error: unknown): Promise<never> {
	const said = error as Error & { description?: string | null };
	said.description = `No call was placed: to wait for its result, the call history is read first. ${said.description ?? ''}`;
	throw said;
}

/** Every text and number in a body, at any depth. */
export const textsIn = (value: unknown): string[] => {
	if (isObject(value) || Array.isArray(value)) return Object.values(value).flatMap(textsIn);
	return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
};
