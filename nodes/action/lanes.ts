import type { IExecuteFunctions } from 'n8n-workflow';
import pLimit, { type Limit } from 'p-limit';

import type { Account } from '../api/account';
import type { About } from '../api/errors';
import { MAX_WINDOW } from '../api/pace';
import { Session, type RequestSettings } from '../api/session';
import { READ_PERMISSION } from '../domain/access';
import type { RunContext } from '../table/operation';
import type { Chosen } from './chosen';
import type { RequestOptions } from './requestOptions';

/** What runs in one account. */
interface Lane {
	session: Session;
	/** Limits how many items read in parallel. */
	reads: Limit;
	/** Limits how many items change something in parallel. */
	changes: Limit;
	share: RunContext['share'];
}

/** The accounts of one execution. Each has a lane of its own, so a slow account delays no other. */
export class Lanes {
	private readonly lanes: Map<Account, Lane>;

	/** Lets one item run at a time, whatever its account. */
	readonly oneByOne: Limit = pLimit(1);

	/** Makes one object for the items of all accounts. */
	readonly shareInRun: RunContext['shareInRun'] = once(undefined);

	/** @param accounts the accounts of the items; one may come more than once */
	constructor(
		context: IExecuteFunctions,
		accounts: Account[],
		options: RequestOptions,
		{ about }: Chosen,
	) {
		// One limit for all accounts, because n8n opens a connection for each request.
		const allRequests = pLimit(MAX_WINDOW);
		const settings = withRoomForWrites(options);
		const aboutReading: About = { ...about, permission: READ_PERMISSION, hints: undefined };
		const laneFor = (account: Account): Lane => {
			const session = new Session(context, account, settings, allRequests);
			return {
				session,
				reads: pLimit(options.concurrency ?? MAX_WINDOW),
				changes: pLimit(options.writes),
				share: once(session.api(aboutReading)),
			};
		};
		this.lanes = new Map([...new Set(accounts)].map((account) => [account, laneFor(account)]));
	}

	of(account: Account): Lane {
		return this.lanes.get(account)!;
	}

	/** Nothing more is sent in any account. */
	stop(): void {
		for (const { session } of this.lanes.values()) session.stop();
	}

	/** What the user should know about rate limits; undefined if none delayed anything. */
	notice(isWhole: boolean): string | undefined {
		const waits = [...this.lanes.values()]
			.map(({ session }) => session.heldBack())
			.filter((ms) => ms > 0);
		if (waits.length === 0) return undefined;
		const seconds = `${(Math.max(...waits) / 1000).toFixed(1)} seconds`;
		const whom =
			this.lanes.size === 1
				? `this node by ${seconds}`
				: `${waits.length} of ${this.lanes.size} accounts by up to ${seconds}`;
		return `The API's rate limit delayed ${whom}.${isWhole ? ' Everything was sent.' : ''}`;
	}
}

/** If the user sets a number of parallel requests, it leaves room for all parallel writes. */
function withRoomForWrites({ concurrency, writes, ...settings }: RequestOptions): RequestSettings {
	return { ...settings, concurrency: concurrency && Math.max(concurrency, writes) };
}

/** A function that makes an object at its first call, and returns the same object later. */
function once<Given>(given: Given) {
	let made: { it: unknown } | undefined;
	return <T>(make: (given: Given) => T) => (made ??= { it: make(given) }).it as T;
}
