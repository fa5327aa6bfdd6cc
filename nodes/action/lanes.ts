import type { IExecuteFunctions } from 'n8n-workflow';
import pLimit, { type Limit } from 'p-limit';

import type { Account } from '../api/account';
import type { About } from '../api/errors';
import { MAX_WINDOW } from '../api/pace';
import { Session, type RequestSettings } from '../api/session';
import { READ_PERMISSION, type RunContext } from '../table/operation';

/** What is under way in one account. */
export interface Lane {
	session: Session;
	/** At most so many items that read. */
	reads: Limit;
	/** At most so many items that write. */
	changes: Limit;
	share: RunContext['share'];
}

/** The accounts of one execution, each in a lane of its own: none is held back by what another meets. */
export class Lanes {
	private readonly lanes: Map<Account, Lane>;

	/** What the items of all accounts have in common. */
	readonly shareInRun: RunContext['shareInRun'] = once(undefined);

	/**
	 * @param accounts whose lanes there are; one may come more than once
	 * @param most items of one account that may be under way at once
	 * @param about what runs in the lanes
	 */
	constructor(
		context: IExecuteFunctions,
		accounts: Account[],
		settings: RequestSettings,
		most: { reads: number; changes: number },
		{ operation, scope, hasRequestOptions }: About,
	) {
		// Of all accounts together: n8n opens a connection for each request.
		const wire = pLimit(MAX_WINDOW);
		const reading: About = { operation, permission: READ_PERMISSION, scope, hasRequestOptions };
		const laneFor = (account: Account): Lane => {
			const session = new Session(context, account, settings, wire);
			return {
				session,
				reads: pLimit(most.reads),
				changes: pLimit(most.changes),
				share: once(session.api(reading)),
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

	/** What the user should know of rate limits; undefined where none held anything back. */
	notice(isWhole: boolean): string | undefined {
		const waits = [...this.lanes.values()]
			.map(({ session }) => session.heldBack())
			.filter((ms) => ms > 0);
		if (waits.length === 0) return undefined;
		const seconds = `${(Math.max(...waits) / 1000).toFixed(1)} seconds`;
		const whom =
			this.lanes.size === 1
				? `this node back for ${seconds}`
				: `${waits.length} of ${this.lanes.size} accounts back, for ${seconds} at the most`;
		return `The API's rate limit held ${whom}.${isWhole ? ' Everything was sent all the same.' : ''}`;
	}
}

/** Makes what is shared when it is first asked for. */
function once<Given>(given: Given) {
	let made: { it: unknown } | undefined;
	return <T>(make: (given: Given) => T) => (made ??= { it: make(given) }).it as T;
}
