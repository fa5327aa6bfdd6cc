import { Queue, type Stop } from '../semaphore';
import { MINUTE } from '../time';
import type { Failure } from './errors';

/** How many requests of an account run in parallel at first, and at most. */
const FIRST_PARALLEL = 10;
export const MOST_PARALLEL = 50;

/**
 * How many requests of all accounts run in parallel, because n8n opens a connection for each. The accounts
 * that send at the same time share them equally, so none takes the places of another. Each has at least one.
 */
export const MOST_IN_ALL = 200;

/** After a refusal, the number grows by one with so many answers. */
const ANSWERS_PER_STEP = 50;

/** So many of the requests that are refused together count. */
const COUNTED_REFUSALS = 2;

const KEPT_FOR = 10 * MINUTE;

type Refusal = Failure & { kind: 'answer' };

interface Waiting {
	hasPlace: boolean;
	isStopped: boolean;
	end?(): void;
}

/** The requests of one session: an execution, a poll or a list of the editor. */
export class SessionQueue {
	readonly waiting = new Queue<Waiting>();

	underWay = 0;

	isInTurn = false;

	readonly most: number;

	readonly isFirst: boolean;

	constructor(most = MOST_PARALLEL, isFirst = false) {
		this.most = most;
		this.isFirst = isFirst;
	}
}

/** How many accounts have requests under way. */
let busyAccounts = 0;

/**
 * Limits the requests of one account. The reference shows no limits, so the number of parallel requests
 * follows from the answers: it doubles with each round of them. If the server refuses a request (429 or 503),
 * all wait as long as it asks, and the number is halved. From then on it grows slowly.
 *
 * Sessions take turns, so that a long execution delays no other. Polls and the editor go before them.
 *
 * All times are in ms since 1970. Reference: "Limits".
 */
export class Limiter {
	refusal?: Refusal;

	#most = FIRST_PARALLEL;

	#underWay = 0;

	readonly #turns = { first: new Queue<SessionQueue>(), others: new Queue<SessionQueue>() };

	#usedAt = Date.now();

	#opensAt = 0;

	/** When the first of the last refusals came. */
	#refusedAt: number | undefined;

	#counted = 0;

	/** Answers since the number of places changed. */
	#answers = 0;

	/**
	 * @param isAgain it was sent before, and goes before the others of its session
	 * @param stopping each of them ends the wait at once
	 * @returns to be called when the request has ended
	 */
	async take(
		session: SessionQueue,
		isAgain: boolean,
		stopping: readonly Stop[],
	): Promise<() => void> {
		const request: Waiting = {
			hasPlace: false,
			isStopped: stopping.some(({ isStopped }) => isStopped),
		};
		this.#usedAt = Date.now();
		session.waiting[isAgain ? 'addFirst' : 'add'](request);
		this.#waitForTurn(session);
		this.#fill();
		if (!request.hasPlace && !request.isStopped) await ended(request, stopping);
		return () => {
			if (!request.hasPlace) return;
			this.#usedAt = Date.now();
			session.underWay--;
			this.#underWay--;
			if (this.#underWay === 0) busyAccounts--;
			this.#waitForTurn(session);
			this.#fill();
		};
	}

	/** How long requests have to wait because of a refusal, in ms. */
	wait(now: number): number {
		return Math.max(0, this.#opensAt - now);
	}

	accept(sentAt: number): void {
		if (this.#isOld(sentAt)) return;
		const isFirstPhase = this.#refusedAt === undefined;
		if (++this.#answers < (isFirstPhase ? this.#most : ANSWERS_PER_STEP)) return;
		this.#allow(isFirstPhase ? this.#most * 2 : this.#most + 1);
	}

	refuse(refusal: Refusal, sentAt: number, now: number, ms: number): void {
		this.refusal = refusal;
		this.#opensAt = Math.max(this.#opensAt, now + ms);
		if (!this.#isOld(sentAt)) {
			this.#refusedAt = now;
			this.#counted = 0;
		}
		if (this.#counted++ < COUNTED_REFUSALS) this.#allow(this.#most / 2);
	}

	/** Whether what is known of the account may be forgotten. */
	isOver(now: number): boolean {
		return this.#underWay === 0 && Math.max(this.#usedAt + KEPT_FOR, this.#opensAt) < now;
	}

	/** Whether a request was sent before the last refusal, so that its answer says nothing new. */
	#isOld(sentAt: number): boolean {
		return this.#refusedAt !== undefined && sentAt <= this.#refusedAt;
	}

	#allow(count: number): void {
		this.#answers = 0;
		this.#most = Math.max(1, Math.min(MOST_PARALLEL, Math.floor(count)));
		this.#fill();
	}

	#waitForTurn(session: SessionQueue): void {
		if (session.isInTurn || session.waiting.isEmpty || session.underWay >= session.most) return;
		session.isInTurn = true;
		this.#turns[session.isFirst ? 'first' : 'others'].add(session);
	}

	/** Lets requests in while there are places: one of each session in turn. */
	#fill(): void {
		const share = Math.max(1, Math.floor(MOST_IN_ALL / Math.max(1, busyAccounts)));
		while (this.#underWay < Math.min(this.#most, share)) {
			const session = this.#turns.first.take() ?? this.#turns.others.take();
			if (session === undefined) return;
			session.isInTurn = false;
			const request = session.waiting.take()!;
			if (!request.isStopped) {
				session.underWay++;
				if (this.#underWay++ === 0) busyAccounts++;
				request.hasPlace = true;
				request.end?.();
			}
			this.#waitForTurn(session);
		}
	}
}

async function ended(request: Waiting, stopping: readonly Stop[]): Promise<void> {
	await new Promise<void>((resolve) => {
		request.end = resolve;
		for (const { listeners } of stopping) listeners.add(resolve);
	});
	for (const { listeners } of stopping) listeners.delete(request.end!);
	request.isStopped = !request.hasPlace;
}

/** The limiters of this process. Each worker of n8n's queue mode is a process. */
const limiters = new Map<string, Limiter>();

/**
 * The limiter that all sessions of an account share.
 * @param account a digest of what tells the account from others: the key itself is not kept
 */
export function limiterOf(account: string): Limiter {
	const now = Date.now();
	for (const [key, limiter] of limiters) if (limiter.isOver(now)) limiters.delete(key);
	const limiter = limiters.get(account) ?? new Limiter();
	limiters.set(account, limiter);
	return limiter;
}
