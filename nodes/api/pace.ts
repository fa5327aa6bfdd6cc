/** How many requests may be under way at first, and at the most, where the user names no number. */
export const FIRST_WINDOW = 10;
export const MAX_WINDOW = 50;

/**
 * The answers of a round, for each request that may be under way: three, so that the window has not
 * grown yet when a server that allows 20 requests a second refuses the first.
 */
const ROUND = 3;

/** How much longer answers may take than at their best until they count as slower. */
const SLOWER = 1.8;

/** What n8n's own work may add to that, in ms: where it is busy, every answer is heard late. */
const OWN_WORK = 50;

/** What a level window grows by with each round. */
const GROWTH = 1.25;

/** How much of a size that was refused is not refused again, until a refusal says otherwise. */
const BORNE = 0.8;

/** The slowest interval that refusals are taken to ask for, in ms from one request to the next. */
const MAX_INTERVAL = 5000;

/** How much slower than the server's own pace, so that rounding does not run into it. */
const MARGIN = 1.03;

/** A turn this late, in ms, was late by a timer: the next one keeps to the schedule. */
const TIMER_ERROR = 20;

/**
 * How fast one account is asked: how many requests may be under way (`Window`), and when the next
 * may go (`Schedule`). Both learn from answers alone, because the reference shows no rate limit.
 * Times in ms; no clock of its own. Reference: "Limits".
 */
export class Pace {
	private readonly window: Window;

	private readonly schedule = new Schedule();

	/** @param fixed how many may be under way; undefined finds it out */
	constructor(fixed?: number) {
		this.window = new Window(fixed);
	}

	/** How many requests may be under way now. */
	get size(): number {
		return this.window.size;
	}

	/** How long a request that wants to go now has to wait; 0 takes the turn. */
	wait(now: number): number {
		return this.schedule.wait(now);
	}

	/** The server took a request that was sent at `sentAt`; `underWay` were by then, with that one. */
	accept(now: number, sentAt: number, underWay: number): void {
		if (this.schedule.accept(sentAt)) this.window.accept(now - sentAt, underWay);
	}

	/** A request that was sent at `sentAt` was refused (429), and may come again after `delay`. */
	refuse(now: number, delay: number, sentAt: number): void {
		if (this.schedule.refuse(now, delay, sentAt)) this.window.refuse();
	}

	/** For how long refusals, and the pace they asked for, held requests back so far. */
	heldBack(): number {
		return this.schedule.heldBack;
	}
}

/**
 * How many requests may be under way. While it is *rising* it doubles with each round of answers.
 * It is *level* from the first round of slower answers, or the first refusal, on: then it grows a
 * little with each round, but not to a size that was refused, shrinks as much as answers have become
 * slower, and by half with a refusal. One that the user *fixed* stays as it is.
 */
class Window {
	size: number;

	private state: 'fixed' | 'rising' | 'level';

	private most = MAX_WINDOW;

	/** How long each answer of this round took. */
	private round: number[] = [];

	/** How long a typical answer took in the best round. */
	private best = Infinity;

	constructor(fixed: number | undefined) {
		this.size = fixed ?? FIRST_WINDOW;
		this.state = fixed === undefined ? 'rising' : 'fixed';
	}

	accept(took: number, underWay: number): void {
		// A window that is not full says nothing of what the server bears.
		if (this.state === 'fixed' || underWay < this.size) return;
		this.round.push(took);
		if (this.round.length < this.size * ROUND) return;
		const typical = median(this.round);
		this.best = Math.min(this.best, typical);
		const isSlower = typical > SLOWER * this.best + OWN_WORK;
		if (isSlower) this.state = 'level';
		if (isSlower) this.resize((this.size * this.best) / typical);
		else this.resize(this.state === 'rising' ? this.size * 2 : this.size * GROWTH + 1);
	}

	refuse(): void {
		if (this.state === 'fixed') return;
		this.state = 'level';
		this.most = this.size * BORNE;
		this.resize(this.size / 2);
	}

	private resize(size: number): void {
		this.size = Math.max(1, Math.floor(Math.min(this.most, size)));
		this.round = [];
	}
}

/**
 * When requests may go. It is *open*, so that they go at once, until the first refusal: that holds
 * back all of them, and what the server accepted from one refusal to the next is the interval that
 * it bears, as at both it had nothing left to give. The first leaves a guess, as a server may bear
 * more at the start. An interval that held for twice as many requests as it is founded on is tested
 * by going faster, so that a refusal by chance does not slow the rest of the run; one that proves
 * right is tested more rarely.
 */
class Schedule {
	heldBack = 0;

	private opensAt = 0;

	private interval = 0;

	private next = 0;

	private beganAt: number | undefined;

	private refusedAt: number | undefined;

	/** Since the last refusal, of what was sent after it. */
	private accepted = 0;

	/** Acceptances on which the interval is founded. */
	private foundation = 0;

	/** The interval comes from a single refusal. */
	private isGuess = false;

	/** The interval that held until the present one put it to the test. */
	private held: number | undefined;

	/** Tests in turn that were refused. */
	private proofs = 0;

	private waitedSince: number | undefined;

	wait(now: number): number {
		const at = Math.max(this.opensAt, this.next);
		if (at > now) {
			this.waitedSince ??= now;
			return at - now;
		}
		this.heldBack += now - (this.waitedSince ?? now);
		this.waitedSince = undefined;
		this.beganAt ??= now;
		this.next = (now - at < TIMER_ERROR ? at : now) + this.interval;
		return 0;
	}

	/** Whether it says anything: what was sent before the last refusal does not. */
	accept(sentAt: number): boolean {
		if (this.isOld(sentAt)) return false;
		this.accepted++;
		if (this.interval > 0 && this.accepted >= this.foundation * 2 ** (1 + this.proofs)) {
			this.held = this.interval;
			this.interval /= this.isGuess ? 4 : 2;
			this.foundation = this.accepted;
		}
		return true;
	}

	/** Whether it says anything: all that were under way are refused together. */
	refuse(now: number, delay: number, sentAt: number): boolean {
		this.opensAt = Math.max(this.opensAt, now + delay);
		if (this.isOld(sentAt)) return false;
		const { refusedAt, accepted } = this;
		this.refusedAt = now;
		this.accepted = 0;
		const proven = accepted < 1.5 * this.foundation ? this.held : undefined;
		this.proofs = proven === undefined ? 0 : this.proofs + 1;
		this.held = undefined;
		this.isGuess = refusedAt === undefined;
		const span = refusedAt === undefined ? this.opensAt - (this.beganAt ?? now) : now - refusedAt;
		const borne = accepted > 0 ? (span / accepted) * MARGIN : Math.max(this.interval, delay);
		this.interval = Math.min(MAX_INTERVAL, borne, proven ?? Infinity);
		this.foundation = Math.max(1, accepted);
		return true;
	}

	private isOld(sentAt: number): boolean {
		return sentAt <= (this.refusedAt ?? -1);
	}
}

function median(values: number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
