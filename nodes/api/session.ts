import type { NodeApiError } from 'n8n-workflow';
import { NodeOperationError, sleep } from 'n8n-workflow';

import { digest } from '../digest';
import { Stop } from '../semaphore';
import type { Account, NodeContext } from './account';
import type { Envelope } from './answer';
import { ApiError, isNotFound } from './apiError';
import { mayHaveActed, statusOf, type About, type Failure } from './errors';
import { exchange, type Request } from './exchange';
import { limiterOf, SessionQueue, type Limiter } from './limiter';
import { isMembers } from './members';
import type { Names } from './names';
import { isRefusal, retryDelay } from './retry';
import { TimeLimit } from './timeLimit';

export type { Authentication } from './account';
export type { Request } from './exchange';

/** A session as one input item, or one poll, uses it. Stopping it does not stop the others. */
export interface Api {
	names: Names;
	send(request: Request): Promise<Envelope>;
	/** The data of a record that may be missing; null if the API answers 404. */
	find(request: Request): Promise<unknown>;
	hasChanged(): boolean;
	/** Waits so many ms. Fails if the execution, the session or this item is stopped meanwhile. */
	pause(ms: number): Promise<void>;
	/** Nothing more is sent for this item. Its requests under way end, and those that wait fail. */
	stop(): void;
	/** The error for the answer to a read if its envelope is right and its data is not. */
	malformed(what: string): NodeApiError;
	/** The error for the answer to a read that holds no record. */
	nothing(): NodeApiError;
}

export interface RequestSettings {
	/** How many requests of the session may run in parallel. Default: as many as the account has. */
	concurrency?: number;
	/** Whether they go before the requests of executions. */
	isFirst?: boolean;
	stopping?: Stop;
	/** Time limit of one request, from its start to the end of its answer, in ms. */
	timeout: number;
	/** How long one request may wait for its retries and for rate limits in total, in ms. */
	maxWait: number;
	/** Whether the time of its tries counts too, because a poll has to end. */
	countsRequests?: boolean;
}

export const DEFAULT_REQUEST_SETTINGS: RequestSettings = { timeout: 60_000, maxWait: 120_000 };

interface Caller {
	about: About;
	itemIndex?: number;
	/** One of them stops its requests: with the execution and the session, the item, or the list that is read. */
	stopping: readonly Stop[];
}

interface Sending {
	request: Request;
	caller: Caller;
	tries: number;
	/** In ms since 1970. Neither the time in the queue before the first try counts, nor that of the tries. */
	startedAt: number;
	mayHaveActed: boolean;
}

/** While a request waits, a cancelled execution is noticed after this many ms at most. */
const SLICE_MS = 250;

/**
 * The requests to one account. It limits how many run in parallel, and sends some again. n8n itself does
 * nothing about 429, 503 or Retry-After.
 *
 * Reference: "Authentication", "Errors" and "Limits".
 */
export class Session {
	readonly #context: NodeContext;

	readonly #account: Account;

	readonly #settings: RequestSettings;

	readonly #limiter: Limiter;

	readonly #queue: SessionQueue;

	readonly #time: TimeLimit;

	/** With OAuth2: done when the first request has ended. */
	#first?: Promise<unknown>;

	constructor(context: NodeContext, account: Account, settings: RequestSettings) {
		this.#context = context;
		this.#account = account;
		this.#settings = settings;
		this.#queue = new SessionQueue(settings.concurrency, settings.isFirst);
		this.#time = new TimeLimit(settings.timeout);
		// With OAuth2 the token changes, and the credential tells the accounts of a server apart.
		const credential = context.getNode().credentials?.[account.credentialType]?.id;
		const isOAuth = account.authentication === 'oAuth2';
		this.#limiter = limiterOf(digest(JSON.stringify([account.identity, isOAuth && credential])));
	}

	api(about: About, itemIndex?: number): Api {
		const item = new Stop();
		const stopping = this.#settings.stopping ? [this.#settings.stopping, item] : [item];
		const caller = { about, itemIndex, stopping };
		let hasChanged = false;
		const send = async (request: Request) => {
			const envelope = await this.#send(request, caller);
			hasChanged ||= request.method !== 'GET';
			return envelope;
		};
		const errorOfRead = (failure: Failure) =>
			this.#errorOf(failure, toSend({ method: 'GET', path: '' }, caller));
		return {
			names: this.#account.names,
			send,
			find: async (request) => {
				const answer = await send(request).catch((error: unknown) => {
					if (isNotFound(error)) return undefined;
					throw error;
				});
				return answer?.data ?? null;
			},
			hasChanged: () => hasChanged,
			pause: async (ms) => await this.#pause(ms, caller),
			stop: item.stop,
			malformed: (what) =>
				errorOfRead({ kind: 'malformed', status: 200, what: this.#account.conceal(what) }),
			nothing: () => errorOfRead({ kind: 'nothing', status: 404 }),
		};
	}

	/**
	 * Sends a request until it succeeds, or must not be sent again.
	 * @throws NodeApiError with the reason
	 */
	async #send(request: Request, caller: Caller): Promise<Envelope> {
		const sending = toSend(request, caller);
		for (;;) {
			this.#assertMayWait(this.#limiter.wait(Date.now()), sending);
			const isAgain = sending.tries > 0;
			const leave = await this.#limiter.take(this.#queue, isAgain, caller.stopping);
			try {
				this.#assertGoingOn(caller);
				sending.startedAt ||= Date.now();
				await this.#waitWhileRefused(sending);
				const envelope = await this.#sendOnce(sending);
				if (envelope !== undefined) return envelope;
			} finally {
				leave();
			}
		}
	}

	/** Waits while the server refuses requests, unless that takes longer than this one may wait. */
	async #waitWhileRefused(sending: Sending): Promise<void> {
		for (let ms; (ms = this.#limiter.wait(Date.now())) > 0;) {
			this.#assertMayWait(ms, sending);
			await this.#pause(Math.min(ms, SLICE_MS), sending.caller);
		}
	}

	#assertMayWait(ms: number, sending: Sending): void {
		if (ms === 0 || this.#mayWait(ms, sending)) return;
		const refusal = { ...this.#limiter.refusal!, retryAfterMs: ms, isOfOther: true };
		throw this.#errorOf(refusal, sending, ms);
	}

	/** @returns undefined if the request is to be sent again */
	async #sendOnce(sending: Sending): Promise<Envelope | undefined> {
		const { request, caller } = sending;
		const { method } = request;
		this.#assertGoingOn(caller);
		const sentAt = Date.now();
		const limits = { time: this.#time, stopping: caller.stopping };
		const outcome = await this.#afterFirst(
			async () => await exchange(this.#context, this.#account, request, limits),
		);
		sending.tries++;
		if (!this.#settings.countsRequests) sending.startedAt += Date.now() - sentAt;
		const { failure } = outcome;
		const status = failure && statusOf(failure);
		// The server keeps up, also if a record does not exist.
		if (failure === undefined || (failure.kind === 'answer' && status === 404))
			this.#limiter.accept(sentAt);
		if (failure === undefined) return outcome.envelope;
		if (method === 'DELETE' && sending.mayHaveActed && saysGone(failure, request.path))
			return { data: null };

		// A change that was under way when all was stopped may have been made.
		if (isStopped(caller) && mayHaveActed(failure)) throw this.#errorOf(failure, sending);

		const isRefused = isRefusal(failure);
		const delay = retryDelay(method, failure, sending.tries, Math.random());
		if (isRefused) {
			const ms = delay ?? failure.retryAfterMs ?? 0;
			this.#limiter.refuse(failure, sentAt, Date.now(), ms);
		}
		if (delay === undefined || !this.#mayWait(delay, sending)) {
			const isAsked = status === 429 || (isRefused && failure.retryAfterMs !== undefined);
			throw this.#errorOf(failure, sending, isAsked ? delay : undefined);
		}
		sending.mayHaveActed ||= mayHaveActed(failure);
		// A refused request gives up its place, because there are fewer places now.
		if (!isRefused) await this.#pause(delay, sending.caller);
		return undefined;
	}

	/**
	 * With OAuth2, the first request goes alone and may renew the token. n8n 1 and 2.20 would renew it once for
	 * each request, and some providers take a refresh token for one use.
	 */
	async #afterFirst<T>(send: () => Promise<T>): Promise<T> {
		if (!this.#account.mayRenewToken) return await send();
		if (this.#first !== undefined) {
			await this.#first;
			return await send();
		}
		const sending = send();
		this.#first = sending.catch(() => {});
		return await sending;
	}

	#mayWait(ms: number, { startedAt }: Sending): boolean {
		const now = Date.now();
		return now - (startedAt || now) + ms <= this.#settings.maxWait;
	}

	async #pause(ms: number, caller: Caller): Promise<void> {
		const until = Date.now() + ms;
		for (let left = ms; left > 0; left = until - Date.now()) {
			this.#assertGoingOn(caller);
			await sleep(Math.min(left, SLICE_MS));
		}
		this.#assertGoingOn(caller);
	}

	#assertGoingOn(caller: Caller): void {
		if (!isStopped(caller)) return;
		const message = 'The execution was stopped before this was sent';
		throw new NodeOperationError(this.#context.getNode(), message, { itemIndex: caller.itemIndex });
	}

	/** @param waitMs how long it would have to wait before the next try, if that is longer than it may */
	#errorOf(failure: Failure, sending: Sending, waitMs?: number): ApiError {
		const { request, caller, mayHaveActed } = sending;
		const isRead = request.method === 'GET';
		return new ApiError(this.#context.getNode(), failure, {
			about: caller.about,
			itemIndex: caller.itemIndex,
			isOAuth: this.#account.authentication === 'oAuth2',
			isRead,
			mayHaveActed: mayHaveActed && !isRead,
			wait: waitMs === undefined ? undefined : { ms: waitMs, mostMs: this.#settings.maxWait },
		});
	}
}

/**
 * Whether a DELETE whose first answer was lost finds nothing left to delete. Without a code it may be the
 * answer of a gateway. Contacts that leave a list leave the list in place.
 */
const saysGone = (failure: Failure, path: string) =>
	failure.kind === 'answer' &&
	failure.status === 404 &&
	failure.code !== undefined &&
	!isMembers(path);

/** A list that is read ends its own requests when nobody waits for them any more. */
const toSend = (request: Request, caller: Caller): Sending => ({
	request,
	caller: request.stop ? { ...caller, stopping: [...caller.stopping, request.stop] } : caller,
	tries: 0,
	startedAt: 0,
	mayHaveActed: false,
});

const isStopped = ({ stopping }: Caller) => stopping.some((stop) => stop.isStopped);
