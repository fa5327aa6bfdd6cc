import { NodeApiError, NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';

import { mayHaveChanged } from '../api/apiError';
import type { Names } from '../api/names';
import { checkCall, unchecked, type Checks, type Verdict } from '../checks/checkCall';
import type { JsonObject } from '../json';
import type { RowApi } from '../table/rowApi';
import { sentences } from '../words';
import {
	callOutcome,
	CallWatch,
	doubtAbout,
	isComplete,
	isEnded,
	taskIn,
	textsOf,
	type AwaitedPart,
	type CallOutcome,
	type WaitingCall,
} from './callWatch';
import { noteRun } from './onlyOnce';

export const PLACE_CALLS = {
	allAtOnce: 'All at Once',
	oneAfterAnother: 'One After Another',
} as const;

export interface Waiting {
	placeCalls: keyof typeof PLACE_CALLS;
	parts: readonly AwaitedPart[];
	checks?: Checks;
	/** How long to wait, in ms. */
	most: number;
}

export class TestCalls {
	/** Those that were placed, or may have been. */
	readonly placed = new Set<object>();

	readonly #context: IExecuteFunctions;

	/** How many items have not ended. */
	#left: number;

	#note?: ReturnType<typeof noteRun>;

	constructor(context: IExecuteFunctions, items: number) {
		this.#context = context;
		this.#left = items;
	}

	/**
	 * Does the work for one item when n8n has noted the run, once for all items. If the last one ends and no call
	 * was placed, the note is taken back.
	 * @throws Error if n8n runs the execution again after its worker was stopped
	 */
	async noted<T>(work: () => Promise<T>): Promise<T> {
		this.#note ??= noteRun(this.#context);
		try {
			await this.#note;
			return await work();
		} finally {
			this.#left -= 1;
			if (this.#left === 0 && this.placed.size === 0) {
				const takeBack = await this.#note.catch(() => undefined);
				await takeBack?.();
			}
		}
	}
}

/**
 * Places a test call, and waits for its result if the user wants that. Once a call of this run was
 * placed, or may have been, nothing ends in an error: n8n's Retry On Fail, or a person, would run the
 * node again and place it a second time. Reference: POST /playground/test-call.
 *
 * @param waiting undefined to return what the API answered
 * @returns the item, also for a call that could not be placed
 * @throws what the API or the network answered, if no call of this run was placed
 */
export async function makeTestCall(
	body: JsonObject,
	waiting: Waiting | undefined,
	placed: TestCalls['placed'],
	api: RowApi,
): Promise<unknown> {
	const toItem = (task: unknown, outcome: CallOutcome): JsonObject => {
		const isEnd = outcome.result === 'ended';
		if (!isEnd) api.tell(outcome.explanation);
		const verdict = verdictOn(outcome, waiting, api.names);
		const { failed_checks, checks_note } = (isEnd && verdict) || {};
		const explanation = [outcome.explanation, failed_checks, checks_note].filter(Boolean).join(' ');
		return { task, ...verdict, ...outcome, explanation };
	};
	const placeCall = async () => {
		if (waiting) {
			const { task, call } = await placeAndWait(body, waiting, api, placed);
			return toItem(task, callOutcome(call));
		}
		const { task, lost } = await place(body, api, placed);
		if (!lost) return task;
		return toItem(null, { result: 'unknown', explanation: doubtAbout(lost), call: null });
	};
	return await placeCall().catch((error: NodeApiError) => {
		if (placed.size === 0) throw error;
		const item = notPlaced(error, waiting?.checks !== undefined);
		api.tell(item.explanation);
		return item;
	});
}

/** The item of a call that was not placed. It has the columns of one that was. */
export function notPlaced(
	{ message, description }: Error & { description?: string | null },
	isChecked: boolean,
) {
	const why = message.replace(' No call was placed.', '');
	const explanation = sentences(`The call was not placed: ${why}`, description ?? '');
	const verdict = isChecked ? unchecked(explanation) : {};
	return { task: null, ...verdict, result: 'notPlaced', explanation, call: null };
}

export const checksCalls = ({ operation, waitForResult, checks = {} }: JsonObject): boolean =>
	operation === 'makeTestCall' &&
	Boolean(waitForResult) &&
	Object.keys(checks as object).length > 0;

/** Whether the call passed its checks. One whose result is not known has not. */
function verdictOn(
	{ result, explanation, call }: CallOutcome,
	waiting: Waiting | undefined,
	names: Names,
): Verdict | undefined {
	if (waiting?.checks === undefined) return undefined;
	const isKnown = result === 'ended' && call !== null;
	return isKnown ? checkCall(waiting.checks, call, names) : unchecked(explanation);
}

/**
 * @param placed gets an entry, unless it is certain that the call was not placed
 * @returns what the API answered, or why its answer was lost: then nobody knows whether the call was placed
 * @throws if it is certain that the call was not placed
 */
async function place(
	body: JsonObject,
	api: RowApi,
	placed: Set<object>,
): Promise<{ task: unknown; lost?: Error }> {
	const sent = {};
	placed.add(sent);
	return await api.change('POST', '/playground/test-call', body).then(
		(task) => ({ task }),
		(error: Error) => {
			if (mayBePlaced(error)) return { task: null, lost: error };
			placed.delete(sent);
			throw error;
		},
	);
}

/** An error that is not one of n8n's arose while the answer was read. */
const mayBePlaced = (error: unknown): boolean =>
	mayHaveChanged(error) || !(error instanceof NodeApiError || error instanceof NodeOperationError);

/** @throws only if it is certain that the call was not placed */
async function placeAndWait(
	body: JsonObject,
	{ placeCalls, parts, most }: Waiting,
	api: RowApi,
	placed: Set<object>,
): Promise<{ task: unknown; call: WaitingCall }> {
	const watch = api.share('watch', (reader) => new CallWatch(reader));
	const testCall = await watch.prepare(textsOf(body)).catch(unprepared);
	const { task, lost } = await place(body, api, placed).catch((error: unknown) => {
		watch.forget(testCall);
		throw error;
	});
	testCall.task = taskIn(task, api.names);
	const until = Date.now() + most;
	const call: WaitingCall = { testCall, names: api.names, parts, until, lost };
	try {
		if (placeCalls === 'oneAfterAnother') {
			await watch.waitFor(call, isEnded);
			// Nobody knows whether the call is over, so the next one waits until its time is.
			if (!isEnded(call)) await api.pause(call.until - Date.now());
		}
		api.endTurn();
		await watch.waitFor(call, isComplete);
	} catch (error) {
		call.refusal ??= error as Error;
	}
	return { task, call };
}

/** Adds to the error that the call was not placed: without the call history nobody could follow it. */
function unprepared(error: Error & { description?: string | null }): never {
	error.description = `No call was placed: to wait for its result, the call history is read first. ${error.description ?? ''}`;
	throw error;
}
