import type { IDataObject } from 'n8n-workflow';

import { startEmulator, type Emulator } from '../emulator/index.ts';
import { SECOND } from '../../nodes/time.ts';
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
	options: { url: string; abortSignal: AbortSignal },
	more: { credentialsDecrypted: { data: { apiKey: string } } },
) => Promise<object>;

/** One poll, as seen from outside. */
export interface Poll {
	/** Whether answers take so long that it may have run out of time. */
	isSlow: boolean;
	/** What the names of the credential stood for when it began. */
	watched: ReadonlyMap<string, Watched>;
	/** Whether nothing happens while it reads, and no other poll runs. */
	isUndisturbed: boolean;
	/** The keys that it used, how many answers they still wait for, and the status of the first error. */
	asked: Map<string, { waiting: number; status?: number }>;
	send: Send;
}

/** An account under a name, as the trigger has to treat it. */
interface Watched {
	id: string;
	account: Account;
	expectations: Expectations;
	/** Whether a poll has read it whole, and whether n8n has stored that. */
	begun: 'no' | 'yes' | 'stored';
	/** The key and the name with which a poll has read it, and what the name stood for before. */
	apiKey?: string;
	name?: string;
	before?: Watched;
	/** The statuses that the user was told of since it was last well. */
	named: Set<number>;
	/** Whether the user must hear that it started again. */
	isOwed: boolean;
	/** How many polls in a row did not ask it. */
	left: number;
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

	/** The same in the last poll that n8n has stored. */
	private kept: ReadonlyMap<string, Watched> = new Map();

	/** Everything that was ever watched, by its ID. */
	private readonly everyone = new Map<string, Watched>();

	/** Names that were removed, of which the user must hear. */
	private readonly owed = new Set<string>();

	/** What ends by itself, on the clock of the history. */
	private timers: Array<{ at: number; controller: AbortController }> = [];

	/** Requests without an answer, those that are being answered, and all so far. */
	private readonly requests = { hanging: 0, answering: 0, sent: 0 };

	private isPassing = false;

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
		// Nor in the same second, if nothing but that tells two records apart.
		this.now += this.setup.accounts?.sharesIds ? SECOND : 1;
		if (change.kind === 'account') return this.changeAccount(change);
		this.changes += 1;
		const all = [...this.named.values()];
		const scattered = Math.imul(this.changes, 2654435761) >>> 3;
		all[scattered % all.length]!.change(change);
	}

	/** Lets the records go: a timer of the trigger may keep the rest for minutes. Nobody waits for requests any more. */
	async close(): Promise<void> {
		this.requests.hanging = 0;
		this.emulator.reset();
		await this.emulator.close();
		for (const names of [this.named, this.gone, this.watched, this.everyone]) names.clear();
	}

	/** Nothing fails any more. */
	settle(): void {
		for (const account of this.named.values()) {
			account.fails.until = -Infinity;
			account.hangsUntil = -Infinity;
		}
	}

	/** In place of AbortSignal.timeout. */
	timeout(ms: number): AbortSignal {
		const controller = new AbortController();
		this.timers.push({ at: this.now + ms, controller });
		return controller.signal;
	}

	/** A new poll. */
	poll({ during, latency }: Happening, gate: Gate, isAlone: boolean): Poll {
		const isUndisturbed = isAlone && during.length === 0 && latency < 100;
		let count = 0;
		const poll: Poll = {
			isSlow: latency >= 100,
			isUndisturbed,
			watched: new Map(),
			asked: new Map(),
			send: async (_type, { url, abortSignal }, more) => {
				const index = count++;
				// While another poll has its turn, this one looks at no account.
				if (index === 0) {
					this.moveNames();
					for (const [name, account] of this.named) this.watch(name, account, isUndisturbed);
					poll.watched = new Map(this.watched);
				}
				const { apiKey } = more.credentialsDecrypted.data;
				const asked = poll.asked.get(apiKey) ?? { waiting: 0 };
				poll.asked.set(apiKey, asked);
				asked.waiting += 1;
				this.requests.sent += 1;
				await gate(index);
				if ((this.accountOf(apiKey)?.hangsUntil ?? 0) > this.now) await this.hang(abortSignal);
				this.now += latency;
				const happens = during.filter(([at]) => at === index).map(([, event]) => event);
				for (const event of happens) if (event.kind !== 'fault') this.change(event);
				const isFault = happens.some(({ kind }) => kind === 'fault');
				this.requests.answering += 1;
				const answer = await this.answer(asked, url, apiKey, isFault ? 500 : undefined);
				this.requests.answering -= 1;
				asked.waiting -= 1;
				return answer;
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

	/**
	 * A poll did not fail. One that is part of an activation cannot say that an account starts again, so the next does.
	 * @param isFirst it is that of the first activation, which n8n's engines all store
	 */
	polled(poll: Poll, { isFirst = false, isActivation = false }): void {
		if (isFirst) this.kept = poll.watched;
		for (const [name, watched] of poll.watched) {
			const asked = poll.asked.get(watched.account.apiKey);
			const isRead = asked?.waiting === 0 && asked.status === undefined && !poll.isSlow;
			expectThat(!isFirst || asked !== undefined, `${name} did not begin with the others`);
			if (watched.begun === 'no') watched.expectations.mayBegin();
			const hasNewKey = ![undefined, watched.account.apiKey].includes(watched.apiKey);
			const beginsLater = watched.before || (hasNewKey && watched.begun === 'no');
			if (!isRead || (isActivation && beginsLater)) continue;
			if (watched.begun === 'no') watched.begun = isFirst ? 'stored' : 'yes';
			watched.apiKey = watched.account.apiKey;
			watched.name = name;
			delete watched.before;
			if (poll.isUndisturbed) watched.expectations.read();
		}
	}

	/** A poll failed or not. Whoever cannot be read, is gone or started again is named before anything else comes. */
	told(poll: Poll, error: Error | undefined): void {
		if (this.setup.accounts === undefined || poll.asked.size === 0) return;
		const isNamed = (name: string) =>
			[',', ':'].some((mark) => error?.message.includes(`${name}${mark} `));
		const complain = (name: string, why: string) =>
			expectThat(error !== undefined, `${name} ${why}, and nobody heard of it`);
		const hanging = [...this.named.values()].filter(({ hangsUntil }) => hangsUntil > this.now);
		const isFair = poll.isUndisturbed && this.setup.limitPerPoll >= this.named.size;
		for (const [name, watched] of poll.watched) {
			const asked = poll.asked.get(watched.account.apiKey);
			// Its name may have changed while the poll was running.
			if (asked && isNamed(name)) watched.isOwed = false;
			if (!this.named.has(name)) continue;
			watched.left = asked ? 0 : watched.left + 1;
			const isDelayed = isFair && hanging.length < 5 && watched.left > 1;
			expectThat(!isDelayed, `${name} was left out by ${watched.left} polls`);
			if (asked === undefined || asked.waiting > 0) continue;
			const { status } = asked;
			if (status === undefined) watched.named.clear();
			if (isNamed(name) && status !== undefined) watched.named.add(status);
			if (status === 401 || status === 403)
				if (!watched.named.has(status)) complain(name, `fails with ${status}`);
			if (watched.isOwed && status === undefined && !poll.isSlow) complain(name, 'started again');
		}
		for (const name of this.owed) {
			if (isNamed(name)) this.owed.delete(name);
			else complain(name, 'is gone');
		}
	}

	failed(error: Error): void {
		const hasStatus = Boolean((error as { httpCode?: string }).httpCode);
		expectThat(
			this.setup.accounts === undefined || !hasStatus,
			'n8n pauses all accounts for the status of one',
		);
	}

	/** n8n has stored everything that the trigger knows. */
	stored(poll: Poll): void {
		// Another poll had its turn.
		if (poll.asked.size === 0) return;
		this.kept = poll.watched;
		for (const watched of this.everyone.values()) {
			if (watched.begun === 'yes') watched.begun = 'stored';
		}
	}

	/** The trigger knows only what n8n has stored. An account whose beginning it did not store begins again. */
	forgotten(): void {
		// It knows the accounts by the names that they had then.
		const isKept = ({ account }: Watched) =>
			[...this.kept.values()].some((one) => one.account === account);
		for (const [name, watched] of this.watched) if (isKept(watched)) this.watched.delete(name);
		for (const [name, watched] of this.kept)
			if (!this.watched.has(name)) this.watched.set(name, watched);
		for (const name of this.owed) if (!this.kept.has(name)) this.owed.delete(name);
		for (const watched of this.everyone.values()) {
			delete watched.name;
			watched.expectations.forgotten();
			if (watched.begun === 'stored') continue;
			watched.begun = 'no';
			watched.expectations.mayBegin();
		}
	}

	/** How many calls in progress one account shows at most. Polls ask for them in turn. */
	inProgress(): number {
		return Math.max(...[...this.named.values()].map((account) => account.inProgress()));
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

	private accountOf(apiKey: string): Account | undefined {
		const all = [...this.named.values(), ...this.gone.values()];
		return all.find((one) => one.apiKey === apiKey);
	}

	/** Does not answer. As soon as nothing else happens, time passes until something ends by itself. */
	private async hang(signal: AbortSignal): Promise<never> {
		// A poll whose answer was held may be over.
		signal.throwIfAborted();
		this.requests.hanging += 1;
		void this.passTime();
		return await new Promise((_resolve, reject) => {
			signal.addEventListener('abort', () => {
				this.requests.hanging -= 1;
				reject(new Error('nobody waits any more'));
			});
		});
	}

	private async passTime(): Promise<void> {
		if (this.isPassing) return;
		this.isPassing = true;
		while (this.requests.hanging > 0) {
			const { sent } = this.requests;
			for (let turns = 0; turns < 30; turns += 1)
				await new Promise<void>((resolve) => void setImmediate(resolve));
			if (this.requests.sent !== sent || this.requests.answering > 0) continue;
			const next = this.timers.reduce((least, { at }) => Math.min(least, at), Infinity);
			expectThat(next < Infinity, 'A request hangs for ever');
			this.now = Math.max(this.now, next);
			const over = this.timers.filter(({ at }) => at <= this.now).sort((a, b) => a.at - b.at);
			this.timers = this.timers.filter(({ at }) => at > this.now);
			for (const { controller } of over) controller.abort();
		}
		this.isPassing = false;
	}

	private async answer(
		asked: { status?: number },
		url: string,
		apiKey: string,
		fault?: number,
	): Promise<object> {
		const account = this.accountOf(apiKey);
		const path = url.slice(this.emulator.url.length);
		account?.endCalls();
		const status = fault ?? (account ? account.failure : 401);
		const broken = account?.isBroken(path) ? 500 : undefined;
		asked.status ??= status;
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

	/** An account that has another name now goes on under it. */
	private moveNames(): void {
		for (const [old, watched] of [...this.watched]) {
			if (this.named.has(old)) continue;
			const [name] = [...this.named].find(([, account]) => account === watched.account) ?? [];
			if (name === undefined || this.watched.has(name)) continue;
			this.watched.delete(old);
			this.watched.set(name, watched);
			// No poll has read it under the old name.
			if (watched.begun === 'no') watched.isOwed = false;
			this.owed.delete(old);
		}
	}

	/** Notes at the start of a poll what a name stands for. */
	private watch(name: string, account: Account, isUndisturbed: boolean): void {
		const before = this.watched.get(name);
		if (before?.account === account) {
			// With another key, the trigger has to know one of its records.
			const isNewKey = before.apiKey !== undefined && before.apiKey !== account.apiKey;
			const isSure = isUndisturbed && before.expectations.isSurelyKnown();
			if (isNewKey && !isSure) before.begun = 'no';
			if (before.begun === 'no') before.expectations.mayBegin();
			return;
		}
		// No poll has read what the name stood for meanwhile, so the trigger may go on.
		if (before?.begun === 'no' && before.before?.account === account) {
			const again = before.before;
			again.begun = 'no';
			again.isOwed = false;
			again.expectations.mayBegin();
			this.watched.set(name, again);
			return;
		}
		const id = `${name}/${this.everyone.size}`;
		const expectations = expectationsOf(this.setup, account);
		expectations.begun();
		const isOwed = before?.begun === 'stored' && before.name === name;
		const watched: Watched = {
			id,
			account,
			expectations,
			begun: 'no',
			before,
			named: new Set(),
			isOwed,
			left: 0,
		};
		this.watched.set(name, watched);
		this.everyone.set(id, watched);
	}

	private newAccount(): Account {
		const number = (this.accounts += 1);
		const { initial, accounts } = this.setup;
		const own = accounts ? initial.slice(number % (initial.length + 1)) : initial;
		const before = accounts?.sharesIds ? 0 : number * 10_000;
		const of = { ...this.setup, initial: own };
		const account = new Account(of, this.emulator, before, number * 7 * SECOND);
		account.apiKey = `yk_${number}`;
		return account;
	}

	private come(account = this.newAccount(), old?: string): void {
		this.names += 1;
		// A name that n8n and the trigger must not take for anything else.
		const name = ['__proto__', 'Client 1', 'Joe’s {a}'][this.names] ?? `Client ${this.names}`;
		this.named.set(this.setup.accounts ? (old ?? name) : ALONE, account);
	}

	private changeAccount({ what, index, ms, status }: AccountChange): void {
		const [name, account] = [...this.named][index % this.named.size]!;
		if (what === 'fails') account.fails = { until: this.now + ms, status };
		if (what === 'comes' && this.named.size < 80) this.come();
		if (what === 'comesBack') {
			const isAway = ([, one]: [string, Account]) => ![...this.named.values()].includes(one);
			for (const [again, one] of [...this.gone].filter(isAway).slice(0, 1)) {
				this.gone.delete(again);
				this.owed.delete(again);
				this.named.set(again, one);
			}
		}
		if (what === 'hangs') account.hangsUntil = this.now + ms;
		// Without another account, no account would be left.
		if (what === 'goes' && this.named.size > 1) {
			this.named.delete(name);
			this.gone.set(name, account);
			if (this.watched.get(name)?.begun === 'stored') this.owed.add(name);
		}
		if (what === 'isRenamed' || what === 'getsOldName') {
			const isFree = (old: string) => !this.named.has(old);
			const old = what === 'isRenamed' ? undefined : [...this.gone.keys()].find(isFree);
			this.named.delete(name);
			this.gone.set(name, account);
			this.come(account, old);
		}
		if (what === 'getsAnotherKey') account.apiKey += 'x';
		if (what === 'isReplaced') this.named.set(name, this.newAccount());
		if (what === 'isSwapped') {
			const [other, its] = [...this.named][(index + 1) % this.named.size]!;
			this.named.set(name, its);
			this.named.set(other, account);
		}
	}
}
