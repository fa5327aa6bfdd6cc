import type { IDataObject } from 'n8n-workflow';

import { FakeApi, START, type Gate, type Requests } from './trigger-api.ts';
import {
	expectationsOf,
	expectThat,
	type Expectations,
	type Poll,
} from './trigger-expectations.ts';
import type { AccountChange, Change, PollStep, Setup } from './trigger-histories.ts';

// Several accounts of one credential, which come, go, fail and change their names and keys. Each has an API and
// expectations of its own.

/** What the model of n8n needs of the accounts. */
export interface World {
	now: number;
	/** The fields of the credential, without the Base URL. */
	readonly credential: object;
	change(change: Change | AccountChange): void;
	requests(step: Pick<PollStep, 'during' | 'latency'>, gate: Gate): Requests;
	/** Nothing fails any more. */
	settle?(): void;
}

/** What the model of n8n tells, and what it asks. */
export type Expected = Pick<
	Expectations,
	| 'keysOf'
	| 'begun'
	| 'polled'
	| 'stored'
	| 'forgotten'
	| 'started'
	| 'mayRepeat'
	| 'lost'
	| 'checkOthers'
	| 'checkAll'
> & {
	/** A poll failed. */
	failed?(error: Error, poll: Poll): void;
};

/** An account, as somebody else than its name knows it. */
interface Organization {
	api: FakeApi;
	apiKey: string;
	/** Until when its key fails, and with which status. */
	fails: { until: number; status: number };
	hasRemoved: boolean;
}

/** An organization under a name, as the trigger has to treat it. */
interface Watched {
	id: string;
	organization: Organization;
	expectations: Expectations;
	/** Whether a poll has read it whole, and whether n8n has stored that. */
	begun: 'no' | 'yes' | 'stored';
}

/** What a poll asked of each account, by its key, and whether an answer was an error. */
type Asked = Map<string, { requests: Requests; hasFailed: boolean }>;

type Several = NonNullable<Setup['accounts']>;

export class FakeAccounts implements World, Expected {
	private readonly setup: Setup;

	private readonly several: Several;

	private readonly clock = { now: START };

	/** The credential: name → organization. */
	private readonly named = new Map<string, Organization>();

	/** Names that were taken out of the credential, and what they stood for. */
	private readonly gone = new Map<string, Organization>();

	/** Name → what it stood for in the last poll. */
	private readonly watched = new Map<string, Watched>();

	/** Everything that was ever watched, by its ID. */
	private readonly everyone = new Map<string, Watched>();

	/** What the names stand for when a poll begins, and what it asked. */
	private readonly polls = new WeakMap<
		Requests,
		{ watched: ReadonlyMap<string, Watched>; asked: Asked; latency: number }
	>();

	private organizations = 0;

	private names = 0;

	private changes = 0;

	constructor(setup: Setup, several: Several) {
		this.setup = setup;
		this.several = several;
		for (let n = 0; n < several.count; n += 1) this.come();
	}

	get now(): number {
		return this.clock.now;
	}

	set now(now: number) {
		this.clock.now = now;
	}

	get credential(): object {
		const keys = [...this.named].map(([name, { apiKey }]) => [name, apiKey]);
		return { apiKey: '', accounts: JSON.stringify(Object.fromEntries(keys)) };
	}

	change(change: Change | AccountChange): void {
		if (change.kind === 'account') return this.changeAccount(change);
		this.changes += 1;
		const all = [...this.named.values()];
		const organization = all[Math.imul(this.changes, 2654435761) >>> (3 % all.length)] ?? all[0]!;
		if (change.kind === 'remove') organization.hasRemoved = true;
		organization.api.change(change);
	}

	settle(): void {
		for (const organization of this.named.values()) organization.fails.until = -Infinity;
	}

	requests({ during, latency }: Pick<PollStep, 'during' | 'latency'>, gate: Gate): Requests {
		for (const [name, organization] of this.named) this.watch(name, organization);
		const quiet = { during: [], latency: 0 };
		const asked: Asked = new Map();
		const requests: Requests = {
			count: 0,
			levels: [],
			send: async (credential, options, more) => {
				const index = requests.count++;
				const { apiKey } = more.credentialsDecrypted.data;
				const all = [...this.named.values(), ...this.gone.values()];
				const organization = all.find((one) => one.apiKey === apiKey);
				const { api, fails } = organization ?? all[0]!;
				const own = asked.get(apiKey) ?? {
					requests: api.requests(quiet, async () => {}),
					hasFailed: false,
				};
				asked.set(apiKey, own);
				await gate(index);
				this.now += latency;
				const happens = (during as Array<[number, Change | { kind: 'fault' }]>)
					.filter(([at]) => at === index)
					.map(([, event]) => event);
				for (const event of happens) if (event.kind !== 'fault') this.change(event);
				const isFault = happens.some(({ kind }) => kind === 'fault');
				if (!isFault && organization !== undefined && fails.until <= this.now)
					return await own.requests.send(credential, options, more);
				own.hasFailed = true;
				return api.fault(isFault ? 500 : organization === undefined ? 401 : fails.status);
			},
		};
		this.polls.set(requests, { watched: new Map(this.watched), asked, latency });
		return requests;
	}

	keysOf(items: IDataObject[], poll: Poll): string[] {
		const { watched: all } = this.polls.get(poll.requests)!;
		const names = [...new Set(items.map(({ account }) => String(account)))];
		return names.flatMap((name) => {
			const watched = all.get(name);
			expectThat(watched !== undefined, `There is no account ${name}`);
			const own = items.filter(({ account }) => account === name);
			return watched!.expectations.keysOf(own, poll).map((key) => `${watched!.id}|${key}`);
		});
	}

	begun(): void {}

	polled({ requests }: Poll): void {
		const { asked, latency, watched: all } = this.polls.get(requests)!;
		for (const watched of all.values()) {
			if (watched.begun !== 'no') continue;
			watched.expectations.mayBegin();
			const own = asked.get(watched.organization.apiKey);
			// If answers take long, it may have run out of time.
			if (own?.hasFailed === false && latency < 100) watched.begun = 'yes';
		}
	}

	failed(error: Error, { requests }: Poll): void {
		const { asked } = this.polls.get(requests)!;
		const areAllFailed = [...asked.values()].every(({ hasFailed }) => hasFailed);
		const hasStatus = Boolean((error as { httpCode?: string }).httpCode);
		expectThat(!hasStatus || areAllFailed, 'n8n polls less often, although not all accounts fail');
	}

	stored(): void {
		for (const watched of this.everyone.values())
			if (watched.begun === 'yes') watched.begun = 'stored';
	}

	/** An account whose beginning n8n did not store begins again. */
	forgotten(): void {
		for (const watched of this.everyone.values()) {
			if (watched.begun === 'stored') continue;
			watched.begun = 'no';
			watched.expectations.mayBegin();
		}
	}

	started = (keys: string[]) => this.each(keys, (one, own) => one.started(own));

	mayRepeat = (keys: string[]) => this.each(keys, (one, own) => one.mayRepeat(own));

	lost = (keys: string[]) => this.each(keys, (one, own) => one.lost(own));

	checkOthers(settledAt: number): void {
		for (const { expectations } of this.current) expectations.checkOthers(settledAt);
	}

	checkAll(settledAt: number): void {
		for (const { expectations } of this.current) expectations.checkAll(settledAt);
	}

	private get current(): Watched[] {
		return [...this.named.keys()].map((name) => this.watched.get(name)!);
	}

	private each(keys: string[], tell: (one: Expectations, keys: string[]) => void): void {
		const split = keys.map((key) => key.split('|') as [string, string]);
		for (const id of new Set(split.map(([own]) => own)))
			tell(
				this.everyone.get(id)!.expectations,
				split.filter(([own]) => own === id).map(([, key]) => key),
			);
	}

	/** Notes at the start of a poll what a name stands for. */
	private watch(name: string, organization: Organization): void {
		const before = this.watched.get(name);
		if (before?.organization === organization) {
			if (before.begun === 'no') before.expectations.mayBegin();
			return;
		}
		const { api } = organization;
		const id = `${name}/${this.everyone.size}`;
		const expectations = expectationsOf(this.setup, api);
		// A name that stood for another account may go on: that is known if it has shown no record yet.
		if (before === undefined) expectations.begun();
		else expectations.mayBegin();
		const watched: Watched = { id, organization, expectations, begun: 'no' };
		this.watched.set(name, watched);
		this.everyone.set(id, watched);
	}

	private organization(): Organization {
		const number = (this.organizations += 1);
		const { initial } = this.setup;
		const setup = { ...this.setup, initial: initial.slice(number % (initial.length + 1)) };
		const before = this.several.sharesIds ? 0 : number * 10_000;
		return {
			api: new FakeApi(setup, this.clock, before),
			apiKey: `yk_${number}`,
			fails: { until: -Infinity, status: 500 },
			hasRemoved: false,
		};
	}

	private come(organization = this.organization()): void {
		this.names += 1;
		// A name that n8n and the trigger must not take for anything else.
		const name = ['__proto__', 'Client 1', 'Joe’s {a}'][this.names] ?? `Client ${this.names}`;
		this.named.set(name, organization);
	}

	private changeAccount({ what, index, ms, status }: AccountChange): void {
		const [name, organization] = [...this.named][index % this.named.size]!;
		if (what === 'fails') organization.fails = { until: this.now + ms, status };
		if (what === 'comes' && this.named.size < 80) this.come();
		if (what === 'comesBack') {
			const isAway = ([, one]: [string, Organization]) => ![...this.named.values()].includes(one);
			for (const [again, one] of [...this.gone].filter(isAway).slice(0, 1)) {
				this.gone.delete(again);
				this.named.set(again, one);
			}
		}
		// Without another account, no account would be left.
		if ((what === 'goes' || what === 'isRenamed') && this.named.size > 1) {
			this.named.delete(name);
			this.gone.set(name, organization);
			if (what === 'isRenamed') this.come(organization);
		}
		// The trigger knows an account by its records.
		if (what === 'getsAnotherKey' && !organization.hasRemoved) organization.apiKey += 'x';
		if (what === 'isReplaced' && !this.several.sharesIds) {
			this.named.set(name, this.organization());
		}
	}
}
