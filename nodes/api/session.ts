import type { IHttpRequestMethods, NodeApiError } from 'n8n-workflow';
import { NodeOperationError, sleep } from 'n8n-workflow';

import { accountOf, type Account, type Authentication, type NodeContext } from './account';
import { envelopeOf, judge, slashRedirect, type Envelope, type HttpAnswer } from './answer';
import { apiError, isNotFound, statusOf } from './apiError';
import type { About, Failure, Said, Tried } from './errors';
import { exchange, type HttpRequest } from './exchange';
import { lost, NoAnswerError } from './noAnswer';
import { Pace } from './pace';
import { Queue } from './queue';
import { allowanceIn, askedToWait } from './rateLimit';
import { retryDelay, type Setback } from './retry';

export type { Authentication } from './account';

/** A request to the API, without the base URL and the credential. */
export interface Request {
	method: IHttpRequestMethods;
	/** Path below the base URL, with a leading slash, already encoded. */
	path: string;
	/** A list becomes one parameter for each of its values. */
	query?: Record<string, unknown>;
	body?: unknown;
	/** An answer without data is right too. For a change it always is. */
	mayBeEmpty?: boolean;
	/** Ends it, or keeps it from being sent. For reads only. */
	signal?: AbortSignal;
}

export interface RequestSettings {
	/** How many requests of one account may run in parallel; undefined learns it. */
	concurrency?: number;
	/** Time limit of one request, in ms. */
	timeout: number;
	/** How long one request may wait for its retries in total, in ms. */
	maxWait: number;
}

export const DEFAULT_REQUEST_SETTINGS: RequestSettings = {
	timeout: 60_000,
	maxWait: 120_000,
};

/** A session as one input item, or one poll, uses it. Stopping it does not stop the others. */
export interface Api {
	/** The address of the account. */
	readonly baseUrl: string;
	send(request: Request): Promise<Envelope>;
	/** The data of a record that may be missing; null if the API answers 404. */
	find(request: Request): Promise<unknown>;
	/** Waits so many ms. Fails if the execution, the session or this item is stopped meanwhile. */
	pause(ms: number): Promise<void>;
	/** Nothing more is sent for this item. Its requests under way end, and those that wait fail. */
	stop(): void;
	/** The error for the answer to a read if its envelope is right and its data is not. */
	malformed(what: string): NodeApiError;
	/** The error for the answer to a read that holds no record. */
	nothing(): NodeApiError;
}

/** For whom requests are sent. */
interface Caller {
	about: About;
	itemIndex?: number;
	/** Stops with the execution, the session or this caller. */
	stopped: AbortSignal;
}

/** What has become of one request so far. */
interface Tries {
	count: number;
	/** In ms; the time in the queue before the first one does not count. */
	startedAt: number | undefined;
	/** A change may have been carried out although its answer was lost. */
	mayHaveActed: boolean;
}

/** The outcome of sending a request once: an answer, a failure, or an answer that is a failure. */
type Outcome =
	| { sentAt: number; answer: HttpAnswer; failure: undefined }
	| { sentAt: number; answer?: HttpAnswer; failure: Failure };

/** While a request waits, a cancelled execution is noticed after this many ms at most. */
const SLICE_MS = 250;

/**
 * A session without an item.
 * @param advice sentence for a user whose credential needs an item
 * @throws NodeOperationError if the credential cannot be used; nothing is sent then
 */
export async function connect(
	context: NodeContext,
	authentication: Authentication,
	advice: string,
	settings = DEFAULT_REQUEST_SETTINGS,
): Promise<Session> {
	return new Session(context, await accountOf(context, authentication, { advice }), settings);
}

/** Limits the requests of all sessions that share it. */
export type SharedLimit = <T>(request: () => Promise<T>) => Promise<T>;

/**
 * The requests to one account. It limits how many run in parallel, and after a 429 it holds back all of
 * them. n8n itself does nothing about 429, 503 or Retry-After.
 *
 * Reference: "Authentication", "Errors" and "Limits".
 */
export class Session {
	private readonly context: NodeContext;

	private readonly account: Account;

	private readonly settings: RequestSettings;

	private readonly sharedLimit: SharedLimit;

	private readonly pace: Pace;

	private readonly queue: Queue;

	private readonly stopping = new AbortController();

	constructor(
		context: NodeContext,
		account: Account,
		settings: RequestSettings,
		sharedLimit: SharedLimit = async (request) => await request(),
	) {
		this.context = context;
		this.account = account;
		this.settings = settings;
		this.sharedLimit = sharedLimit;
		this.pace = new Pace(settings.concurrency);
		this.queue = new Queue(() => this.pace.size);
	}

	get baseUrl(): string {
		return this.account.baseUrl;
	}

	/** How long the server's rate limit has delayed this session so far, in ms. */
	heldBack(): number {
		return this.pace.heldBack();
	}

	/** Nothing more is sent for anyone, and requests under way end. */
	stop(): void {
		this.stopping.abort();
	}

	/** The session for one item. */
	api(about: About, itemIndex?: number): Api {
		const stopping = new AbortController();
		const { context } = this;
		const execution =
			'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
		const stopped = anyOf([execution, this.stopping.signal, stopping.signal]);
		const caller: Caller = { about, itemIndex, stopped };
		const send = async (request: Request) =>
			await this.send(request, { ...caller, stopped: anyOf([stopped, request.signal]) });
		const errorOfRead = (failure: Failure) =>
			apiError(this.context.getNode(), failure, {
				about,
				itemIndex,
				isOAuth: this.isOAuth,
				tried: { isRead: true },
			});
		return {
			baseUrl: this.baseUrl,
			send,
			find: async (request) =>
				await send(request).then(
					({ data }) => data,
					async (error: unknown) => (isNotFound(error) ? null : await Promise.reject(error)),
				),
			pause: async (ms) => await this.waitFor(ms, caller),
			stop: () => stopping.abort(),
			malformed: (what) => errorOfRead({ kind: 'malformed', status: 200, what }),
			nothing: () => errorOfRead({ kind: 'nothing', status: 404 }),
		};
	}

	/** Sends a request until it succeeds, or must not be sent again. */
	private async send(request: Request, caller: Caller): Promise<Envelope> {
		const tries: Tries = { count: 0, startedAt: undefined, mayHaveActed: false };
		const takeTurn = async () => await this.takeTurn(request, caller, tries);
		let envelope = await this.queue.run(takeTurn);
		// The rate limit may leave fewer places than before: a refused request gives up its own.
		while (envelope === undefined) envelope = await this.queue.run(takeTurn, true);
		return envelope;
	}

	/** @returns undefined if the server refused the request for now (429) */
	private async takeTurn(
		request: Request,
		caller: Caller,
		tries: Tries,
	): Promise<Envelope | undefined> {
		tries.startedAt ??= Date.now();
		for (;;) {
			await this.waitWhile(() => this.pace.wait(Date.now()), caller);
			const outcome = await this.sharedLimit(async () => {
				this.assertGoingOn(caller);
				return await this.attempt(request, caller);
			});
			tries.count++;
			const { failure, answer, sentAt } = outcome;
			if (failure === undefined) return envelopeOf(outcome.answer);

			const status = statusOf(failure);
			// A DELETE whose first answer was lost finds nothing left to delete.
			if (status === 404 && request.method === 'DELETE' && tries.mayHaveActed) {
				return { data: null };
			}

			const setback = setbackOf(failure, answer);
			const delay = setback && retryDelay(request.method, setback, tries.count, Math.random());
			const isPatient =
				delay !== undefined && Date.now() - tries.startedAt + delay <= this.settings.maxWait;
			const isRead = request.method === 'GET';
			const tried = { isRead, mayHaveActed: tries.mayHaveActed && !isRead };
			if (!isPatient) throw this.errorOf(failure, setback, delay, caller, tried);

			tries.mayHaveActed ||= setback === 'lost' || (status !== undefined && status >= 500);
			if (status === 429) {
				this.pace.refuse(Date.now(), delay, sentAt, this.queue.underWay);
				return undefined;
			}
			await this.waitFor(delay, caller);
		}
	}

	/** Sends a request once, and again if a redirect only adds or removes the slash at the end. */
	private async attempt(request: Request, { stopped }: Caller): Promise<Outcome> {
		const http = this.toHttp(request);
		const limits = { timeout: this.settings.timeout, stopped };
		const send = async (given: HttpRequest) =>
			await exchange(this.context, this.account, given, limits);
		const sentAt = Date.now();
		try {
			let answer = await send(http);
			const url = slashRedirect(answer, http);
			if (url !== undefined) answer = await send({ ...http, url });
			this.learnFrom(answer, sentAt);
			return { sentAt, answer, failure: judge(answer, request) } as Outcome;
		} catch (error) {
			// Whatever fails once a request is under way, the server may have acted.
			const isKnown = error instanceof NoAnswerError;
			const failure = isKnown ? error.failure : lost('the answer could not be read');
			return { sentAt, failure: await this.account.conceal(failure) };
		}
	}

	/** A refusal is learned from later, when it is clear how long to wait. */
	private learnFrom({ statusCode, headers }: HttpAnswer, sentAt: number): void {
		const now = Date.now();
		const allowance = allowanceIn(headers, now);
		if (allowance !== undefined) this.pace.allow(now, sentAt, allowance);
		if (statusCode !== 429) this.pace.accept(now, sentAt, this.queue.underWay);
	}

	/** @throws NodeOperationError if the path leads out of the API: the key must not go there */
	private toHttp({ method, path, query, body }: Request): HttpRequest {
		const url = this.baseUrl + path + queryString(query);
		if (!new URL(url).href.startsWith(`${this.baseUrl}/`)) {
			throw new NodeOperationError(
				this.context.getNode(),
				`The path ${path} leads out of the API. Correct the path and run again.`,
			);
		}
		return { method, url, body };
	}

	private async waitFor(ms: number, caller: Caller): Promise<void> {
		const until = Date.now() + ms;
		await this.waitWhile(() => until - Date.now(), caller);
	}

	/** Waits until `left` returns 0 ms. Fails if the execution, the session or the caller is stopped. */
	private async waitWhile(left: () => number, caller: Caller): Promise<void> {
		this.assertGoingOn(caller);
		for (let ms; (ms = left()) > 0; this.assertGoingOn(caller)) {
			await sleep(Math.min(ms, SLICE_MS));
		}
	}

	private assertGoingOn({ about, itemIndex, stopped }: Caller): void {
		if (!stopped.aborted) return;
		throw new NodeOperationError(
			this.context.getNode(),
			`${about.operation}: stopped before it was sent`,
			{ itemIndex },
		);
	}

	/** @param delay how long another attempt would have to wait, in ms; undefined if there must be none */
	private errorOf(
		failure: Failure,
		setback: Setback | undefined,
		delay: number | undefined,
		{ about, itemIndex }: Caller,
		tried: Tried,
	): NodeApiError {
		const isBusy = delay !== undefined && statusOf(failure) === 429;
		return apiError(this.context.getNode(), failure, {
			about,
			itemIndex,
			isOAuth: this.isOAuth,
			tried,
			reason: isBusy
				? {
						kind: 'patience',
						status: 429,
						capMs: this.settings.maxWait,
						askedMs: delay,
						said: failure as Said,
					}
				: failure,
			retryAfterMs: typeof setback === 'object' ? setback.retryAfterMs : undefined,
		});
	}

	private get isOAuth(): boolean {
		return this.account.authentication === 'oAuth2';
	}
}

const anyOf = (signals: Array<AbortSignal | undefined>) =>
	AbortSignal.any(signals.filter((signal) => signal !== undefined));

function queryString(query: Record<string, unknown> = {}): string {
	const pairs = new URLSearchParams();
	for (const [name, value] of Object.entries(query)) {
		for (const each of [value].flat()) {
			if (each !== undefined && each !== null) pairs.append(name, String(each));
		}
	}
	return pairs.size > 0 ? `?${pairs.toString()}` : '';
}

function setbackOf(failure: Failure, answer: HttpAnswer | undefined): Setback | undefined {
	if (failure.kind === 'connection') return failure.mayHaveActed ? 'lost' : 'unreached';
	if (failure.kind !== 'answer') return undefined;
	const retryAfterMs = answer && askedToWait(answer.headers, Date.now());
	return { status: failure.status, retryAfterMs };
}
