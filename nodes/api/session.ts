import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
	ILoadOptionsFunctions,
	INode,
	IPollFunctions,
	JsonObject,
} from 'n8n-workflow';
import { NodeApiError, NodeOperationError, sleep } from 'n8n-workflow';
import pLimit from 'p-limit';

import {
	answerInError,
	connectionFailure,
	judge,
	unsent,
	type Envelope,
	type HttpAnswer,
} from './answer';
import { normalizeBaseUrl } from './baseUrl';
import { explain, type About, type Explanation, type Failure } from './errors';
import { Gate } from './gate';
import { isObject, mapTexts } from '../json';
import { parseRetryAfter, retryDelay, type Setback } from './retry';

export type Context = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

export interface Request {
	method: IHttpRequestMethods;
	/** Below the base URL, with a leading slash, already encoded. */
	path: string;
	/** A list is sent as one parameter for each of its values. */
	query?: Record<string, unknown>;
	body?: unknown;
}

export interface Settings {
	/** Requests under way at once. */
	concurrency: number;
	/** One request's time limit in milliseconds. */
	timeout: number;
	/** How long one request may wait for its retries altogether, in milliseconds. */
	maxWait: number;
}

export const DEFAULT_SETTINGS: Settings = { concurrency: 10, timeout: 60_000, maxWait: 120_000 };

/** One user of a session, such as one input item; stopping it leaves the others running. */
export interface Api {
	send(request: Request): Promise<Envelope>;
	/** The data of a record that may be missing: null where the API answers 404. */
	find(request: Request): Promise<unknown>;
	/** Nothing more is sent for this user; what waits for its turn fails. */
	stop(): void;
	/** The error for an answer whose envelope is right and whose data is not. */
	malformed(what: string): NodeApiError;
}

export interface Session {
	baseUrl: string;
	api(about: About, itemIndex?: number): Api;
	/** Nothing more is sent for anyone. */
	stop(): void;
	/** Milliseconds for which the server's rate limit held this session back so far. */
	heldBack(): number;
}

export type Authentication = 'apiKey' | 'oAuth2';

/** How long a cancelled execution may go unnoticed while a request waits. */
const SLICE_MS = 250;

/**
 * A session against one account: it bounds the requests under way, and a 429 holds back all of
 * them, not only the one that met it. n8n itself does nothing about 429, 503 or Retry-After.
 *
 * Reference: "Authentication", "Errors" and "Limits".
 * @throws NodeOperationError when the credential cannot be used, before anything is sent
 */
export async function connect(
	context: Context,
	authentication: Authentication,
	settings: Settings = DEFAULT_SETTINGS,
): Promise<Session> {
	const node = context.getNode();
	const oauth = authentication === 'oAuth2';
	const credentialType = oauth ? 'ykVoiceOAuth2Api' : 'ykVoiceApi';
	const { base, concealer } = await accountOf(context, credentialType);
	const signal =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	const slots = pLimit(settings.concurrency);
	const gate = new Gate();

	/** The answer, or why there is none. */
	async function attempt(request: Request): Promise<HttpAnswer | Failure> {
		const url = base + request.path + queryString(request.query);
		if (!new URL(url).href.startsWith(`${base}/`)) {
			throw new NodeOperationError(node, `The path ${request.path} leads out of the API`);
		}
		try {
			return await context.helpers.httpRequestWithAuthentication.call(context, credentialType, {
				method: request.method,
				url,
				body: request.body as IDataObject | undefined,
				json: true,
				timeout: settings.timeout,
				returnFullResponse: true,
				// With OAuth2 a thrown 401 makes n8n refresh the token; n8n 1 knows no exceptions here.
				// With the API key n8n would send the request a second time, a POST too.
				ignoreHttpStatusErrors: !oauth,
				disableFollowRedirect: true,
			});
		} catch (error) {
			return answerInError(error) ?? connectionFailure(error) ?? unsent(error);
		}
	}

	async function send(
		request: Request,
		about: About,
		itemIndex: number | undefined,
		isStopped: () => boolean,
	): Promise<Envelope> {
		const startedAt = Date.now();
		const assertGoingOn = () => {
			if (signal?.aborted || isStopped()) {
				throw new NodeOperationError(node, `${about.operation}: stopped before it was sent`, {
					itemIndex,
				});
			}
		};
		const waitWhile = async (left: () => number) => {
			assertGoingOn();
			for (let ms; (ms = left()) > 0; assertGoingOn()) await sleep(Math.min(ms, SLICE_MS));
		};

		let mayHaveActed = false;
		for (let count = 1; ; count++) {
			await waitWhile(() => gate.wait(Date.now()));
			const sentAt = Date.now();
			const result = await attempt(request);
			const failure = 'kind' in result ? result : judge(result);
			const status = failure && 'status' in failure ? failure.status : undefined;
			if ('statusCode' in result && status !== 429) gate.accept(sentAt);
			if (failure === undefined) return envelopeOf(result as HttpAnswer);

			// A DELETE whose first answer was lost finds nothing left to delete.
			if (status === 404 && request.method === 'DELETE' && mayHaveActed) return { data: null };

			const setback = setbackOf(failure, result);
			const delay = setback && retryDelay(request.method, setback, count, Math.random());
			const waited = Date.now() - startedAt;
			if (delay === undefined || waited + delay > settings.maxWait) {
				const isImpatient = delay !== undefined && status === 429;
				const cause: Failure = isImpatient
					? { kind: 'patience', status, capMs: settings.maxWait, askedMs: delay }
					: failure;
				const conceal = await concealer();
				throw errorOf(node, conceal(failure), {
					...conceal(explain(about, cause, oauth)),
					httpCode: status === undefined ? undefined : String(status),
					itemIndex,
					failure: declare(failure, setback),
				});
			}
			mayHaveActed ||= setback === 'lost' || (status !== undefined && status >= 500);
			const resumeAt = Date.now() + delay;
			if (status === 429) gate.refuse(Date.now(), delay, sentAt);
			else await waitWhile(() => resumeAt - Date.now());
		}
	}

	let isSessionStopped = false;
	return {
		baseUrl: base,
		heldBack: gate.heldBack,
		stop: () => {
			isSessionStopped = true;
		},
		api(about, itemIndex) {
			let isApiStopped = false;
			const isStopped = () => isApiStopped || isSessionStopped;
			const sendInTurn = async (request: Request) =>
				await slots(async () => await send(request, about, itemIndex, isStopped));
			return {
				stop: () => {
					isApiStopped = true;
				},
				send: sendInTurn,
				find: async (request) =>
					await sendInTurn(request).then(
						({ data }) => data,
						async (error: unknown) => (isNotFound(error) ? null : await Promise.reject(error)),
					),
				malformed: (what) => {
					const failure: Failure = { kind: 'malformed', status: 200, what };
					return errorOf(node, failure, { ...explain(about, failure, oauth), itemIndex });
				},
			};
		},
	};
}

const isNotFound = (error: unknown) => error instanceof NodeApiError && error.httpCode === '404';

/** Where the account is, and how its secrets are kept out of what a server may echo into an error. */
async function accountOf(context: Context, credentialType: string) {
	const secrets = new Set<string>();
	const read = async () => {
		const credentials = await context.getCredentials(credentialType);
		const { apiKey, clientSecret, oauthTokenData } = credentials;
		const { access_token, refresh_token } = isObject(oauthTokenData) ? oauthTokenData : {};
		for (const held of [apiKey, clientSecret, access_token, refresh_token]) {
			const secret = String(held ?? '').trim();
			secrets.add(secret).add(encodeURIComponent(secret));
		}
		secrets.delete('');
		return credentials;
	};
	const { baseUrl } = await read();
	/** Made when it is needed, because n8n may have fetched another token by then. */
	const concealer = async () => {
		await read();
		const conceal = (text: string) =>
			[...secrets].reduce((left, secret) => left.replaceAll(secret, '[secret]'), text);
		return <T>(value: T) => mapTexts(value, conceal);
	};
	try {
		return { base: normalizeBaseUrl(baseUrl), concealer };
	} catch (error) {
		throw new NodeOperationError(context.getNode(), error as Error);
	}
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

function envelopeOf({ body, headers }: HttpAnswer): Envelope {
	const { data, meta } = body as Envelope;
	const at = Date.parse(String(headers.date));
	return { data, meta, ...(!Number.isNaN(at) && { at }) };
}

function setbackOf(failure: Failure, result: HttpAnswer | Failure): Setback | undefined {
	if (failure.kind === 'connection') return failure.mayHaveActed ? 'lost' : 'unreached';
	if (failure.kind !== 'answer' || 'kind' in result) return undefined;
	const retryAfterMs = parseRetryAfter(result.headers['retry-after'], Date.now());
	return { status: failure.status, retryAfterMs };
}

/**
 * n8n's error, with the failure in its data for the user to inspect. Its message is set once more:
 * where n8n finds a code such as ENOENT or EEXIST in it, be it inside a word, it puts its own there.
 */
function errorOf(
	node: INode,
	failure: Failure,
	options: NonNullable<ConstructorParameters<typeof NodeApiError>[2]> & Explanation,
): NodeApiError {
	const error = new NodeApiError(node, { ...failure } as unknown as JsonObject, options);
	error.message = options.message;
	return error;
}

/** The cause in n8n's own terms: its polling engine backs off by it (n8n 2.36 and later). */
function declare(failure: Failure, setback: Setback | undefined) {
	if (failure.kind === 'unsent') return undefined;
	const status = 'status' in failure ? failure.status : undefined;
	if (status === 429) {
		const retryAfterMs = typeof setback === 'object' ? setback.retryAfterMs : undefined;
		return { cause: 'rate-limited' as const, retryAfterMs };
	}
	if (status === 401) return { cause: 'credential-invalid' as const };
	if (status === undefined || status >= 500) return { cause: 'temporarily-unavailable' as const };
	return undefined;
}
