import type { IDataObject } from 'n8n-workflow';

import { startEmulator, type Emulator } from '../emulator/index.ts';
import { Account, START } from './account.ts';
import { expectationsOf, expectThat, type Expectations } from './expectations.ts';
import type { AccountChange, Change, Happening, Setup } from './history.ts';

// The accounts of one credential, which come, go, fail and change their names and keys, or its only one. The
// trigger has to treat each by itself.

/** Waits before an answer is sent, if the answer with this number is to be held. */
export type Gate = (index: number) => Promise<void>;

/** The answer of an account, as n8n hands it over. */
type Send = (
	type: string,
	options: { url: string },
	more: { credentialsDecrypted: { data: { apiKey: string } } },
) => Promise<object>;

/** One poll, as seen from outside. */
export interface Poll {
	/** Whether answers take so long that it may have run out of time. */
	isSlow: boolean;
	/** What the names of the credential stood for when it began. */
	watched: ReadonlyMap<string, Watched>;
	/** The keys that it used, and whether an answer was an error. */
	asked: Map<string, { hasFailed: boolean }>;
	send: Send;
}

/** An account under a name, as the trigger has to treat it. */
interface Watched {
	id: string;
	account: Account;
	expectations: Expectations;
	/** Whether a poll has read it whole, and whether n8n has stored that. */
	begun: 'no' | 'yes' | 'stored';
}

/** The name of the only account, if there are not several. */
const ALONE = '';

const FAILURES = [401, 403, 500];

export class Accounts {
	now = START;

	private readonly setup: Setup;

	private readonly emulator: Emulator;

	/** The credential: name → account. */
	private readonly named = new Map<string, Account>();

	/** Names that were taken out of the credential, and what they stood for. */
	private readonly gone = new Map<string, Account>();

	/** Name → what it stood for in the last poll. */
	private readonly watched = new Map<string, Watched>();

	/** Everything that was ever watched, by its ID. */
	private readonly everyone = new Map<string, Watched>();

	private accounts = 0;

	private names = 0;

	private changes = 0;

	/** Starts the emulator and adds the accounts. */
	static async open(setup: Setup): Promise<Accounts> {
		const { isInclusive, isCoarse, order, pageCap } = setup;
		const clock = { now: () => START };
		const emulator = await startEmulator({
			port: 'none',
			data: 'empty',
			now: () => clock.now(),
			readings: {
				bound: isInclusive ? 'inclusive' : 'exclusive',
				grain: isCoarse ? 'second' : 'finest',
				order,
				pageCap,
			},
		});
		for (const status of FAILURES)
			emulator.faults.add({
				kind: 'status',
				status,
				times: Infinity,
				match: ({ headers }) => headers.fails === String(status),
			});
		const accounts = new Accounts(setup, emulator);
		clock.now = () => accounts.now;
		const count = setup.accounts?.count ?? 1;
		for (let n = 0; n < count; n += 1) accounts.come();
		return accounts;
	}

	private constructor(setup: Setup, emulator: Emulator) {
		this.setup = setup;
		this.emulator = emulator;
	}

	/** The fields of the credential. */
	get credential(): object {
		const baseUrl = this.emulator.url;
		const keys = [...this.named].map(([name, { apiKey }]) => [name, apiKey]);
		return this.setup.accounts
			? { baseUrl, accounts: JSON.stringify(Object.fromEntries(keys)) }
			: { baseUrl, apiKey: keys[0]![1] };
	}

	change(change: Change | AccountChange): void {
		// No two changes happen at the same moment, so that their order is known.
		this.now += 1;
		if (change.kind === 'account') return this.changeAccount(change);
		this.changes += 1;
		const all = [...this.named.values()];
		const scattered = Math.imul(this.changes, 2654435761) >>> 3;
		all[scattered % all.length]!.change(change);
	}

	/** Lets the records go: a timer of the trigger may keep the rest for minutes. */
	async close(): Promise<void> {
		this.emulator.reset();
		await this.emulator.close();
		for (const names of [this.named, this.gone, this.watched, this.everyone]) names.clear();
	}

	/** Nothing fails any more. */
	settle(): void {
		for (const { fails } of this.named.values()) fails.until = -Infinity;
	}

	/** A new poll. */
	poll({ during, latency }: Happening, gate: Gate): Poll {
		for (const [name, account] of this.named) this.watch(name, account);
		let count = 0;
		const poll: Poll = {
			isSlow: latency >= 100,
			watched: new Map(this.watched),
			asked: new Map(),
			send: async (_type, { url }, more) => {
				const index = count++;
				const { apiKey } = more.credentialsDecrypted.data;
				const asked = poll.asked.get(apiKey) ?? { hasFailed: false };
				poll.asked.set(apiKey, asked);
				await gate(index);
				this.now += latency;
				const happens = during.filter(([at]) => at === index).map(([, event]) => event);
				for (const event of happens) if (event.kind !== 'fault') this.change(event);
				const isFault = happens.some(({ kind }) => kind === 'fault');
				return await this.answer(poll, url, apiKey, isFault ? 500 : undefined);
			},
		};
		return poll;
	}

	/** Checks the items of a poll, and returns the key of each. */
	keysOf(items: IDataObject[], poll: Poll): string[] {
		const nameIn = ({ account = ALONE }: IDataObject) => String(account);
		return [...new Set(items.map(nameIn))].flatMap((name) => {
			const watched = poll.watched.get(name);
			expectThat(watched !== undefined, `There is no account ${name}`);
			const own = items.filter((item) => nameIn(item) === name);
			return watched!.expectations.keysOf(own).map((key) => `${watched!.id}|${key}`);
		});
	}

	/** A poll did not fail. @param isFirst it is that of the first activation, which n8n's engines all store */
	polled(poll: Poll, isFirst: boolean): void {
		for (const watched of poll.watched.values()) {
			if (watched.begun !== 'no') continue;
			watched.expectations.mayBegin();
			const asked = poll.asked.get(watched.account.apiKey);
			if (asked?.hasFailed === false && !poll.isSlow) watched.begun = isFirst ? 'stored' : 'yes';
		}
	}

	failed(error: Error, { asked }: Poll): void {
		const areAllFailed = [...asked.values()].every(({ hasFailed }) => hasFailed);
		const hasStatus = Boolean((error as { httpCode?: string }).httpCode);
		const isOne = this.setup.accounts === undefined;
		expectThat(
			isOne || !hasStatus || areAllFailed,
			'n8n polls less often, although not all accounts fail',
		);
	}

	/** n8n has stored everything that the trigger knows. */
	stored(): void {
		for (const watched of this.everyone.values()) {
			if (watched.begun === 'yes') watched.begun = 'stored';
		}
	}

	/** The trigger knows only what n8n has stored. An account whose beginning it did not store begins again. */
	forgotten(): void {
		for (const watched of this.everyone.values()) {
			if (watched.begun === 'stored') continue;
			watched.begun = 'no';
			watched.expectations.mayBegin();
		}
	}

	/** What n8n did with the items of these keys. */
	tell(what: 'started' | 'mayRepeat' | 'lost', keys: string[]): void {
		for (const key of keys) {
			const [id, own] = key.split('|') as [string, string];
			this.everyone.get(id)!.expectations[what](own);
		}
	}

	/** Checks what the trigger promises. @param isWhole whether nothing has to wait any longer */
	check(settledAt: number, isWhole: boolean): void {
		for (const name of this.named.keys())
			this.watched.get(name)!.expectations.check(settledAt, isWhole);
	}

	private async answer(poll: Poll, url: string, apiKey: string, fault?: number): Promise<object> {
		const all = [...this.named.values(), ...this.gone.values()];
		const account = all.find((one) => one.apiKey === apiKey);
		const path = url.slice(this.emulator.url.length);
		account?.endCalls();
		const status = fault ?? (account ? account.failure : 401);
		const broken = account?.isBroken(path) ? 500 : undefined;
		if (status !== undefined) poll.asked.get(apiKey)!.hasFailed = true;
		const answer = await this.emulator.answer(url, {
			authorization: `Bearer ${account?.key}`,
			fails: String(status ?? broken),
		});
		/** A stream that holds one piece. */
		const on = (event: string, listener: (piece?: Buffer) => void) => {
			if (event === 'data') listener(Buffer.from(answer.body));
			if (event === 'end') listener();
		};
		return { statusCode: answer.status, headers: answer.headers, body: { on, destroy() {} } };
	}

	/** Notes at the start of a poll what a name stands for. */
	private watch(name: string, account: Account): void {
		const before = this.watched.get(name);
		if (before?.account === account) {
			if (before.begun === 'no') before.expectations.mayBegin();
			return;
		}
		const id = `${name}/${this.everyone.size}`;
		const expectations = expectationsOf(this.setup, account);
		// A name that stood for another account may go on: that is known if it has shown no record yet.
		if (before === undefined) expectations.begun();
		else expectations.mayBegin();
		const watched: Watched = { id, account, expectations, begun: 'no' };
		this.watched.set(name, watched);
		this.everyone.set(id, watched);
	}

	private newAccount(): Account {
		const number = (this.accounts += 1);
		const { initial, accounts } = this.setup;
		const own = accounts ? initial.slice(number % (initial.length + 1)) : initial;
		const before = accounts?.sharesIds ? 0 : number * 10_000;
		const account = new Account({ ...this.setup, initial: own }, this.emulator, before);
		account.apiKey = `yk_${number}`;
		return account;
	}

	private come(account = this.newAccount()): void {
		this.names += 1;
		// A name that n8n and the trigger must not take for anything else.
		const name = ['__proto__', 'Client 1', 'Joe’s {a}'][this.names] ?? `Client ${this.names}`;
		this.named.set(this.setup.accounts ? name : ALONE, account);
	}

	private changeAccount({ what, index, ms, status }: AccountChange): void {
		const [name, account] = [...this.named][index % this.named.size]!;
		if (what === 'fails') account.fails = { until: this.now + ms, status };
		if (what === 'comes' && this.named.size < 80) this.come();
		if (what === 'comesBack') {
			const isAway = ([, one]: [string, Account]) => ![...this.named.values()].includes(one);
			for (const [again, one] of [...this.gone].filter(isAway).slice(0, 1)) {
				this.gone.delete(again);
				this.named.set(again, one);
			}
		}
		// Without another account, no account would be left.
		if ((what === 'goes' || what === 'isRenamed') && this.named.size > 1) {
			this.named.delete(name);
			this.gone.set(name, account);
			if (what === 'isRenamed') this.come(account);
		}
		// The trigger knows an account by its records.
		if (what === 'getsAnotherKey' && !account.hasRemoved) account.apiKey += 'x';
		if (what === 'isReplaced' && !this.setup.accounts?.sharesIds)
			this.named.set(name, this.newAccount());
	}
}
