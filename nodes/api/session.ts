import type {
	IAdditionalCredentialOptions,
	IDataObject,
	IHttpRequestMethods,
	NodeApiError,
} from 'n8n-workflow';
import { NodeOperationError, sleep } from 'n8n-workflow';

import { accountOf, type Account, type Authentication, type NodeContext } from './account';
import {
	answerInError,
	connectionFailure,
	envelopeOf,
	judge,
	slashRedirect,
	unsent,
	type Envelope,
	type HttpAnswer,
} from './answer';
import { apiError, isNotFound, statusOf } from './apiError';
import type { About, Failure, Said, Tried } from './errors';
import { Pace } from './pace';
import { Queue } from './queue';
import { allowanceIn, askedToWait } from './rateLimit';
import { retryDelay, type Setback } from './retry';

export type { Authentication } from './account';

export interface Request {
	method: IHttpRequestMethods;
	/** Below the base URL, with a leading slash, already encoded. */
	path: string;
	/** A list is sent as one parameter for each of its values. */
	query?: Record<string, unknown>;
	body?: unknown;
	/** There may be nothing to read: then the data is null. A change may always be answered so. */
	mayBeEmpty?: boolean;
}

export interface RequestSettings {
	/** Requests of one account under way at once; undefined finds out how many it bears. */
	concurrency?: number;
	/** One request's time limit in milliseconds. */
	timeout: number;
	/** How long one request may wait for its retries altogether, in milliseconds. */
	maxWait: number;
}

export const DEFAULT_REQUEST_SETTINGS: RequestSettings = {
	timeout: 60_000,
	maxWait: 120_000,
};

/** One user of a session, such as one input item; stopping it leaves the others running. */
export interface Api {
	/** Where the account is. */
	readonly baseUrl: string;
	send(request: Request): Promise<Envelope>;
	/** The data of a record that may be missing: null where the API answers 404. */
	find(request: Request): Promise<unknown>;
	/** Waits so many ms; fails where the execution, the session or this user is stopped meanwhile. */
	pause(ms: number): Promise<void>;
	/** Nothing more is sent for this user; what waits for its turn fails. */
	stop(): void;
	/** The error for the answer to a read if its envelope is right and its data is not. */
	malformed(what: string): NodeApiError;
	/** The error for the answer to a read that holds no record. */
	nothing(): NodeApiError;
}

/** On whose behalf requests are sent. */
interface Caller {
	about: About;
	itemIndex?: number;
	isStopped: boolean;
}

/** What has become of one request so far. */
interface Tries {
	count: number;
	/** In ms; the time in the queue before the first one does not count. */
	startedAt: number | undefined;
	/** A change may have been carried out although its answer was lost. */
	mayHaveActed: boolean;
}

/** What came of sending a request once: an answer, a failure, or an answer that is a failure. */
type Outcome =
	| { sentAt: number; answer: HttpAnswer; failure: undefined }
	| { sentAt: number; answer?: HttpAnswer; failure: Failure };

/** How long a cancelled execution may go unnoticed while a request waits. */
const SLICE_MS = 250;

/**
 * A session where there is no item.
 * @param advice what to do where the credential needs an item, as a sentence
 * @throws NodeOperationError when the credential cannot be used, before anything is sent
 */
export async function connect(
	context: NodeContext,
	authentication: Authentication,
	advice: string,
	settings = DEFAULT_REQUEST_SETTINGS,
): Promise<Session> {
	return new Session(context, await accountOf(context, authentication, { advice }), settings);
}

/** What bounds the requests on the wire, of all sessions that share it. */
export type SharedLimit = <T>(request: () => Promise<T>) => Promise<T>;

/**
 * A session against one account: it bounds the requests under way, and a 429 holds back all of
 * them, not only the one that met it. n8n itself does nothing about 429, 503 or Retry-After.
 *
 * Reference: "Authentication", "Errors" and "Limits".
 */
export class Session {
	private readonly context: NodeContext;

	private readonly account: Account;

	private readonly settings: RequestSettings;

	private readonly wire: SharedLimit;

	private readonly credential: IAdditionalCredentialOptions | undefined;

	private readonly pace: Pace;

	private readonly queue: Queue;

	private isStopped = false;

	constructor(
		context: NodeContext,
		account: Account,
		settings: RequestSettings,
		wire: SharedLimit = async (request) => await request(),
	) {
		this.context = context;
		this.account = account;
		this.settings = settings;
		this.wire = wire;
		this.credential = credentialFor(context, account);
		this.pace = new Pace(settings.concurrency);
		this.queue = new Queue(() => this.pace.size);
	}

	get baseUrl(): string {
		return this.account.baseUrl;
	}

	/** Milliseconds for which the server's rate limit held this session back so far. */
	heldBack(): number {
		return this.pace.heldBack();
	}

	/** Nothing more is sent for anyone. */
	stop(): void {
		this.isStopped = true;
	}

	/** The session as one user has it. */
	api(about: About, itemIndex?: number): Api {
		const caller: Caller = { about, itemIndex, isStopped: false };
		const send = async (request: Request) => await this.send(request, caller);
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
			stop: () => {
				caller.isStopped = true;
			},
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
			const outcome = await this.wire(async () => {
				this.assertGoingOn(caller);
				return await this.attempt(request);
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
			if (!isPatient) throw await this.errorOf(failure, setback, delay, caller, tried);

			tries.mayHaveActed ||= setback === 'lost' || (status !== undefined && status >= 500);
			if (status === 429) {
				this.pace.refuse(Date.now(), delay, sentAt, this.queue.underWay);
				return undefined;
			}
			await this.waitFor(delay, caller);
		}
	}

	/** Sends a request once, or once more to the same place with or without a slash at its end. */
	private async attempt(request: Request): Promise<Outcome> {
		const options = this.toHttp(request);
		const sentAt = Date.now();
		try {
			let answer = await this.exchange(options);
			const url = slashRedirect(answer, options);
			if (url !== undefined) answer = await this.exchange({ ...options, url });
			this.learnFrom(answer, sentAt);
			return { sentAt, answer, failure: judge(answer, request) } as Outcome;
		} catch (error) {
			return { sentAt, failure: connectionFailure(error) ?? unsent(error) };
		}
	}

	/** A refusal is learned from later, when it is clear how long to wait. */
	private learnFrom({ statusCode, headers }: HttpAnswer, sentAt: number): void {
		const now = Date.now();
		const allowance = allowanceIn(headers, now);
		if (allowance !== undefined) this.pace.allow(now, sentAt, allowance);
		if (statusCode !== 429) this.pace.accept(now, sentAt, this.queue.underWay);
	}

	/** @throws what n8n's request helper throws where there is no answer */
	private async exchange(options: ReturnType<Session['toHttp']>): Promise<HttpAnswer> {
		const { httpRequestWithAuthentication } = this.context.helpers;
		const { credentialType } = this.account;
		return await httpRequestWithAuthentication
			.call(this.context, credentialType, options, this.credential)
			.catch(async (error: unknown) => answerInError(error) ?? (await Promise.reject(error)));
	}

	/** @throws NodeOperationError where the path leads out of the API, which the key must not */
	private toHttp({ method, path, query, body }: Request) {
		const url = this.baseUrl + path + queryString(query);
		if (!new URL(url).href.startsWith(`${this.baseUrl}/`)) {
			throw new NodeOperationError(this.context.getNode(), `The path ${path} leads out of the API`);
		}
		return {
			method,
			url,
			body: body as IDataObject | undefined,
			json: true,
			timeout: this.settings.timeout,
			returnFullResponse: true,
			// With OAuth2 a thrown 401 makes n8n refresh the token; n8n 1 knows no exceptions here.
			// With the API key n8n would send the request a second time, a POST too.
			ignoreHttpStatusErrors: !this.account.mayRenewToken,
			disableFollowRedirect: true,
		};
	}

	private async waitFor(ms: number, caller: Caller): Promise<void> {
		const until = Date.now() + ms;
		await this.waitWhile(() => until - Date.now(), caller);
	}

	/** Waits until `left` says 0 ms, as long as the execution, the session and the caller go on. */
	private async waitWhile(left: () => number, caller: Caller): Promise<void> {
		this.assertGoingOn(caller);
		for (let ms; (ms = left()) > 0; this.assertGoingOn(caller)) {
			await sleep(Math.min(ms, SLICE_MS));
		}
	}

	private assertGoingOn({ about, itemIndex, isStopped }: Caller): void {
		const { context } = this;
		const signal =
			'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
		if (!signal?.aborted && !this.isStopped && !isStopped) return;
		throw new NodeOperationError(
			context.getNode(),
			`${about.operation}: stopped before it was sent`,
			{ itemIndex },
		);
	}

	/** @param delay what another attempt would have to wait, in ms; undefined where there may be none */
	private async errorOf(
		failure: Failure,
		setback: Setback | undefined,
		delay: number | undefined,
		{ about, itemIndex }: Caller,
		tried: Tried,
	): Promise<NodeApiError> {
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
			conceal: await this.account.concealer(),
			retryAfterMs: typeof setback === 'object' ? setback.retryAfterMs : undefined,
		});
	}

	private get isOAuth(): boolean {
		return this.account.authentication === 'oAuth2';
	}
}

/** The account's own fields, so that n8n does not resolve the credential for another item. */
function credentialFor(
	context: NodeContext,
	{ credentialType: type, fields }: Account,
): IAdditionalCredentialOptions | undefined {
	if (fields === undefined) return undefined;
	const { id, name = '' } = context.getNode().credentials?.[type] ?? {};
	return { credentialsDecrypted: { id: id ?? '', name, type, data: fields } };
}

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
