import { Pace } from '../../nodes/api/pace/index.ts';
import type { Allowance } from '../../nodes/api/rateLimit.ts';
import { retryDelay } from '../../nodes/api/retry.ts';

/** What a server does with a request. */
export interface Reaction {
	/** How long its answer takes, in ms. */
	takes: number;
	/** For a refused request: how long it has to wait, in ms; NaN if the server does not say. */
	refused?: number;
	/** What the headers say. */
	allowance?: Allowance;
}

/** A simulated server. `now` is simulated too, in ms. */
export interface Server {
	arrive(now: number, dice: () => number): Reaction;
	leave?(now: number): void;
}

export interface Course {
	done: number;
	refused: number;
	/** In ms. */
	took: number;
	/** The most that were under way at once. */
	most: number;
}

/** Random numbers in [0, 1) that are the same for one seed. */
export function seeded(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
		return state / 2 ** 32;
	};
}

/** Sends `count` requests as a session does: as many in parallel as the pace allows. */
export function simulate(server: Server, count: number, pace: Pace, dice: () => number): Course {
	const due: Array<{ at: number; go: () => void }> = [];
	const later = (at: number, go: () => void) => {
		const place = due.findLastIndex((entry) => entry.at <= at);
		due.splice(place + 1, 0, { at, go });
	};
	const course: Course = { done: 0, refused: 0, took: 0, most: 0 };
	const waiting = Array.from({ length: count }, () => ({ attempts: 0 }));
	let [now, underWay] = [0, 0];

	const fill = () => {
		while (underWay < pace.size && waiting.length > 0) {
			underWay++;
			course.most = Math.max(course.most, underWay);
			begin(waiting.shift()!);
		}
	};
	const leave = () => {
		underWay--;
		fill();
	};
	const begin = (request: { attempts: number }) => {
		const wait = pace.wait(now);
		// A timer is late, and never early.
		if (wait > 0) {
			later(now + Math.min(250, Math.ceil(wait)) + dice(), () => begin(request));
			return;
		}
		const sentAt = now;
		request.attempts++;
		const { takes, refused, allowance } = server.arrive(now, dice);
		later(now + takes, () => {
			if (allowance !== undefined) pace.allow(now, sentAt, allowance);
			if (refused === undefined) {
				server.leave?.(now);
				pace.accept(now, sentAt, underWay);
				course.done++;
				return leave();
			}
			course.refused++;
			const retryAfterMs = Number.isNaN(refused) ? undefined : refused;
			const setback = { status: 429, retryAfterMs };
			const delay = retryDelay('GET', setback, request.attempts, dice())!;
			pace.refuse(now, delay, sentAt, underWay);
			waiting.unshift(request);
			leave();
		});
	};
	fill();
	for (let next = due.shift(); next !== undefined; next = due.shift()) {
		now = next.at;
		next.go();
	}
	return { ...course, took: now };
}

/** Allows so many requests a second, and up to `burst` at once after a rest. */
export function bucket(perSecond: number, burst: number, latency: number, isTold: boolean): Server {
	let [tokens, at] = [burst, 0];
	return {
		arrive: (now) => {
			tokens = Math.min(burst, tokens + ((now - at) / 1000) * perSecond);
			at = now;
			if (tokens < 1) {
				return { takes: latency, refused: isTold ? Math.max(1000, 1000 / perSecond) : NaN };
			}
			tokens -= 1;
			return { takes: latency };
		},
	};
}

/** Allows so many requests in each second of its clock. If told, its headers say how many are left. */
export function fixedWindow(perSecond: number, latency: number, isTold = false): Server {
	let [second, used] = [-1, 0];
	return {
		arrive: (now) => {
			const present = Math.floor(now / 1000);
			if (present !== second) [second, used] = [present, 0];
			if (used >= perSecond) return { takes: latency, refused: 1000 };
			used++;
			const allowance = { remaining: perSecond - used, resetMs: 1000 - (now % 1000) };
			return { takes: latency, ...(isTold && { allowance }) };
		},
	};
}

/** Refuses requests beyond so many in parallel. */
export function connections(most: number, latency: number, refusesIn = 5): Server {
	let open = 0;
	return {
		arrive: () => {
			if (open >= most) return { takes: refusesIn, refused: 1000 };
			open++;
			return { takes: latency };
		},
		leave: () => void open--,
	};
}

/** Works on so many requests at once. The others wait, so answers get slower with the load. */
export function workers(count: number, latency: number): Server {
	const freeAt = Array.from({ length: count }, () => 0);
	return {
		arrive: (now) => {
			const first = freeAt.indexOf(Math.min(...freeAt));
			const at = Math.max(now, freeAt[first]!) + latency;
			freeAt[first] = at;
			return { takes: at - now };
		},
	};
}

/** Answers take up to three times as long, because others use the server from time to time. */
export function noisy(latency: number): Server {
	return {
		arrive: (now, dice) => ({
			takes: latency * (1 + dice() * 0.5) * (Math.sin(now / 3000) > 0.8 ? 2 : 1),
		}),
	};
}
