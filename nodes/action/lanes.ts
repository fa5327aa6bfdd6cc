import type { IExecuteFunctions } from 'n8n-workflow';

import type { Account } from '../api/account';
import type { About } from '../api/errors';
import { MOST_PARALLEL } from '../api/limiter';
import { Semaphore } from '../semaphore';
import { DEFAULT_REQUEST_SETTINGS, Session } from '../api/session';
import { READ_PERMISSION } from '../domain/access';
import type { RunContext } from '../table/operation';
import type { CommonOptions } from './chosen';
import { noteRun } from './onlyOnce';

/** What runs in one account. */
interface Lane {
	session: Session;
	/** For items that read. */
	reads: Semaphore;
	/** For items that change something. */
	changes: Semaphore;
	share: RunContext['share'];
}

/**
 * How many requests of all accounts run in parallel, because n8n opens a connection for each. They are
 * divided equally, so no account can take the places of another. Each account has one at least.
 */
const MOST_IN_ALL = 200;

/** The accounts of one execution. Each has a lane of its own, so a slow account delays no other. */
export class Lanes {
	/** Time limit of one request, in ms. */
	readonly timeout: number;

	readonly #lanes: Map<Account, Lane>;

	readonly #context: IExecuteFunctions;

	#note?: ReturnType<typeof noteRun>;

	/** For items of all accounts that take turns, in the order of the items. */
	readonly oneByOne = new Semaphore(1);

	/** Makes one object for the items of all accounts. */
	readonly shareInRun: RunContext['shareInRun'] = once(undefined);

	/** @param given the accounts of the items; one may come more than once */
	constructor(
		context: IExecuteFunctions,
		given: Account[],
		{ timeout, writes }: Pick<CommonOptions, 'timeout' | 'writes'>,
		about: About,
	) {
		this.timeout = timeout;
		this.#context = context;
		const accounts = [...new Set(given)];
		const portion = Math.max(1, Math.floor(MOST_IN_ALL / accounts.length));
		const concurrency = Math.min(portion, MOST_PARALLEL);
		const aboutReading: About = { ...about, permission: READ_PERMISSION, hints: undefined };
		const laneFor = (account: Account): Lane => {
			const session = new Session(context, account, {
				...DEFAULT_REQUEST_SETTINGS,
				timeout,
				concurrency,
			});
			return {
				session,
				reads: new Semaphore(MOST_PARALLEL),
				changes: new Semaphore(writes),
				share: once(session.api(aboutReading)),
			};
		};
		this.#lanes = new Map(accounts.map((account) => [account, laneFor(account)]));
	}

	of(account: Account): Lane {
		return this.#lanes.get(account)!;
	}

	/** Nothing more is sent in any account. */
	stop(): void {
		for (const { session } of this.#lanes.values()) session.stop();
	}

	/** Notes once, for all items, that this run does something that must never be done again. */
	async noteRun(): Promise<void> {
		await (this.#note ??= noteRun(this.#context));
	}

	/** Ends the run. The note of a run that did nothing is taken back. */
	async close(hasActed: boolean): Promise<void> {
		const takeBack = await this.#note?.catch(() => undefined);
		if (!hasActed) await takeBack?.();
	}
}

/** A function that makes an object of each name at the first call, and returns the same object later. */
function once<Given>(given: Given) {
	const made = new Map<string, unknown>();
	return <T>(name: string, make: (given: Given) => T): T => {
		if (!made.has(name)) made.set(name, make(given));
		return made.get(name) as T;
	};
}
