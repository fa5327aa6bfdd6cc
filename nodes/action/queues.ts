import type { IExecuteFunctions } from 'n8n-workflow';

import type { Account } from '../api/account';
import type { About } from '../api/errors';
import { MOST_IN_ALL, MOST_PARALLEL } from '../api/limiter';
import { TimeLimit } from '../api/timeLimit';
import { Semaphore, Stop } from '../semaphore';
import { DEFAULT_REQUEST_SETTINGS, Session } from '../api/session';
import { READ_PERMISSION } from '../domain/access';
import type { RowApi } from '../table/rowApi';
import type { CommonOptions } from './chosen';

interface AccountQueues {
	session: Session;
	reads: Semaphore;
	changes: Semaphore;
	share: RowApi['share'];
}

/** The accounts of one execution. Each has queues of its own, so a slow account delays no other. */
export class Queues {
	readonly time: TimeLimit;

	readonly stopping: Stop;

	readonly #queues: Map<Account, AccountQueues>;

	readonly #context: IExecuteFunctions;

	/** For items of all accounts that take turns, in the order of the items. */
	readonly oneByOne = new Semaphore(1);

	/** @param given the accounts of the items; one may come more than once */
	constructor(
		context: IExecuteFunctions,
		given: Account[],
		{ timeout, writes }: Pick<CommonOptions, 'timeout' | 'writes'>,
		about: About,
	) {
		this.time = new TimeLimit(timeout);
		this.stopping = new Stop(context.getExecutionCancelSignal());
		this.#context = context;
		const accounts = [...new Set(given)];
		// All begin at the same moment, so each gets its share from the start.
		const portion = Math.max(1, Math.floor(MOST_IN_ALL / accounts.length));
		const concurrency = Math.min(portion, MOST_PARALLEL);
		const aboutReading: About = { ...about, permission: READ_PERMISSION, hints: undefined };
		const queuesFor = (account: Account): AccountQueues => {
			const session = new Session(context, account, {
				...DEFAULT_REQUEST_SETTINGS,
				timeout,
				concurrency,
				stopping: this.stopping,
			});
			return {
				session,
				reads: new Semaphore(MOST_PARALLEL),
				changes: new Semaphore(writes),
				share: once(session.api(aboutReading)),
			};
		};
		this.#queues = new Map(accounts.map((account) => [account, queuesFor(account)]));
	}

	of(account: Account): AccountQueues {
		return this.#queues.get(account)!;
	}

	close(): void {
		this.#context.getExecutionCancelSignal()?.removeEventListener('abort', this.stopping.stop);
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
