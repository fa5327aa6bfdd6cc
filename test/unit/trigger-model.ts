import fc from 'fast-check';
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

/** What is under test, so that a mutant can stand in for it. */
export interface Subject {
	poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null>;
	/** Bounds of the state, to be reached by histories of a bearable length. */
	LIMITS: { done: number; open: number };
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2026, 0, 15, 9);
const LOOK_BACK = 3 * HOUR;

/** The events of the model, each with what makes it different from the others. */
export const MODELLED = ['newTransaction', 'newOrder', 'newCall', 'callReady'] as const;

interface Row {
	id: string | number;
	at: number;
	visible: number;
	/** When a call has ended and has its summary. */
	ready: number;
	isWanted: boolean;
	/** What the API shows as its date. */
	created_at: unknown;
	isUsable: boolean;
}

const lag = fc.constantFrom(0, 0, 0, MINUTE, 20 * MINUTE, 2 * HOUR, LOOK_BACK, 5 * HOUR);
const add = fc.record({
	kind: fc.constant('add' as const),
	count: fc.oneof(
		{ weight: 30, arbitrary: fc.integer({ min: 1, max: 12 }) },
		{ weight: 1, arbitrary: fc.integer({ min: 300, max: 1500 }) },
	),
	lag,
	wait: fc.constantFrom(0, 0, 0, MINUTE, 40 * MINUTE, 2 * HOUR, 9 * HOUR),
	spread: fc.constantFrom(0, 0, 1, 250, SECOND, 5 * MINUTE),
});
const remove = fc.record({ kind: fc.constant('remove' as const), index: fc.nat(60) });
const future = fc.record({
	kind: fc.constant('future' as const),
	ahead: fc.constantFrom(MINUTE, 9 * MINUTE, 2 * HOUR, 9 * 24 * HOUR),
});
const bad = fc.record({
	kind: fc.constant('bad' as const),
	of: fc.constantFrom('id', 'null', 'number', 'day', 'none', 'february'),
});
const fault = fc.record({ kind: fc.constant('fault' as const) });
const during = fc.array(fc.tuple(fc.nat(6), fc.oneof(add, remove, remove, fault, fault)), {
	maxLength: 3,
});
const poll = fc.record({
	kind: fc.constant('poll' as const),
	during: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 2, arbitrary: during }),
	/** How long an answer takes. */
	latency: fc.constantFrom(10, 10, 10, 10, 800, 3 * SECOND, 9 * SECOND),
	/** Whether other things happen before its first answer. */
	isHeld: fc.constant(false),
	/**
	 * What becomes of the items. `lost`, `doubled` and `neither` are crashes between n8n's savings;
	 * `refused`: a transaction of the durable cursors fails, and the process lives on.
	 */
	fate: fc.constantFrom(
		...Array<'no'>(9).fill('no'),
		'lost' as const,
		'doubled' as const,
		'neither' as const,
		'refused' as const,
	),
});
const step = fc.oneof(
	{ weight: 7, arbitrary: add },
	{ weight: 1, arbitrary: remove },
	{ weight: 1, arbitrary: future },
	{ weight: 1, arbitrary: bad },
	{ weight: 9, arbitrary: poll },
	{
		weight: 4,
		arbitrary: fc.record({
			kind: fc.constant('wait' as const),
			ms: fc.constantFrom(SECOND, MINUTE, 10 * MINUTE, 40 * MINUTE, 2 * HOUR, 4 * HOUR),
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			kind: fc.constantFrom(
				'codeNode' as const,
				'release' as const,
				'kill' as const,
				'reactivate' as const,
				'rename' as const,
			),
		}),
	},
);
const setup = fc
	.record({
		event: fc.constantFrom(...MODELLED),
		engine: fc.constantFrom('legacy' as const, 'scheduler' as const, 'durable' as const),
		order: fc.constantFrom(
			'newestFirst' as const,
			'newestFirst' as const,
			'oldestFirst' as const,
			'none' as const,
		),
		ties: fc.constantFrom(1, -1),
		inclusive: fc.boolean(),
		/** created_after is compared in seconds. */
		coarse: fc.boolean(),
		meta: fc.constantFrom('full' as const, 'full' as const, 'total' as const, 'none' as const),
		/** The most that the server puts on a page. */
		cap: fc.constantFrom(100, 100, 50, 7, 4),
		dated: fc.boolean(),
		skew: fc.constantFrom(0, 0, 4 * MINUTE, -4 * MINUTE, 5 * HOUR, -5 * HOUR),
		done: fc.constantFrom(10_000, 10_000, 10_000, 8),
		limit: fc.constantFrom(500, 500, 1, 3, 20),
		filtered: fc.boolean(),
		numeric: fc.boolean(),
		initial: fc.array(fc.tuple(fc.integer({ min: 0, max: 300 }), lag), { maxLength: 15 }),
	})
	.map((given) => ({
		...given,
		// A clock that is far off and never corrected shuts out what the look-back's margin does not bear.
		skew: given.dated || Math.abs(given.skew) <= 4 * MINUTE ? given.skew : 0,
		// Calls and orders run as they are documented to; a page of one date shows nothing.
		order: given.event === 'newTransaction' ? given.order : ('newestFirst' as const),
	}));

/** One random life of a trigger. */
export const history = fc.record({
	setup,
	steps: fc.array(step, { minLength: 4, maxLength: 30, size: 'max' }),
});
export type History = typeof history extends fc.Arbitrary<infer T> ? T : never;
type Step = History['steps'][number];
type Change = Extract<Step, { kind: 'add' | 'remove' | 'future' | 'bad' }>;
type During = ReadonlyArray<readonly [number, Change | { kind: 'fault' }]>;
type Fate = Extract<Step, { kind: 'poll' }>['fate'];

export interface Stats {
	polls: number;
	requests: number;
	emitted: number;
	/** Of what is stored, in bytes. */
	largest: number;
}

/** A promise to the user that was not kept. */
export class Broken extends Error {}

const promise = (isKept: boolean, what: () => string): void => {
	if (!isKept) throw new Broken(what());
};

/** What n8n stores, as JSON: the workflow's data with each node's under its name, and the cursor. */
interface Saved {
	staticData: string;
	cursor?: string;
}

interface Box {
	owns: Record<string, IDataObject>;
	global: IDataObject;
}

/** A poll that has begun and not ended. */
interface Held {
	done: Promise<void>;
	release(): void;
}

let processes = 0;

/** Plays a history with the code that production runs, in what the three engines do to it. */
export async function play({ setup: given, steps }: History, subject: Subject): Promise<Stats> {
	const stats: Stats = { polls: 0, requests: 0, emitted: 0, largest: 0 };
	const clock = Date.now;
	const bounds = { ...subject.LIMITS };
	subject.LIMITS.done = given.done;
	const world = new World(given);
	Date.now = () => world.now + given.skew;
	try {
		await new Life(given, world, subject, stats).run(steps);
	} finally {
		Date.now = clock;
		Object.assign(subject.LIMITS, bounds);
	}
	return stats;
}

/** The workflow, n8n around it, and the promises that are kept to its user. */
class Life {
	private process = 0;

	private saved: Saved = { staticData: JSON.stringify({ owns: {}, global: {} }) };

	/** What the legacy engine holds besides. */
	private memory: Box | undefined;

	private lastPolled = 0;

	private name = 'one';

	private context: IPollFunctions | undefined;

	private readonly copies: string[] = [];

	private readonly old = new Set<string>();

	private readonly maybeOld = new Set<string>();

	private readonly delivered = new Map<string, number>();

	/** What n8n lost between its two savings, or started without saving it. */
	private readonly lost = new Set<string>();

	private readonly repeatable = new Set<string>();

	/** Whether a Code node put back what a process that dies has no memory of. */
	private isPutBack = false;

	/** What shows up late, dated before this, may be left out: the user was told so. */
	private shortened = -Infinity;

	private hasToldBad = false;

	private hasBegun = false;

	private isOwnSaved = false;

	private readonly held: Held[] = [];

	private readonly setup: History['setup'];

	private readonly world: World;

	private readonly subject: Subject;

	private readonly stats: Stats;

	constructor(given: History['setup'], world: World, subject: Subject, stats: Stats) {
		this.setup = given;
		this.world = world;
		this.subject = subject;
		this.stats = stats;
		this.process = processes += 1;
	}

	async run(steps: readonly Step[]): Promise<void> {
		await this.activate('activate');
		for (const one of steps) {
			this.world.now += SECOND;
			await this.take(one);
		}
		await this.releaseAll();
		await this.settle();
	}

	private async take(one: Step): Promise<void> {
		const { world } = this;
		if (one.kind === 'wait') world.now += one.ms;
		else if (one.kind === 'poll') await this.begin(one);
		else if (one.kind === 'codeNode') this.putBack();
		else if (one.kind === 'release') await this.releaseAll();
		else if (one.kind === 'kill') await this.die().then(async () => await this.activate('init'));
		else if (one.kind === 'reactivate') await this.activate('activate');
		else if (one.kind === 'rename') {
			this.name = this.name === 'one' ? 'two' : 'one';
			await this.activate('update');
		} else world.change(one as Change);
	}

	/** Polls until nothing more comes, twice: at once, and when all that waits has waited long enough. */
	private async settle(): Promise<void> {
		const { world, stats } = this;
		let settled = 0;
		for (const pause of [MINUTE, 10 * HOUR]) {
			world.now += pause;
			if (settled === 0) settled = world.now;
			for (let quiet = 0, polls = 0; quiet < 3; polls += 1) {
				const before = stats.emitted;
				world.now += MINUTE;
				await this.tick({ during: [], latency: 10, fate: 'no' });
				quiet = stats.emitted === before ? quiet + 1 : 0;
				promise(polls < 3000, () => 'Never comes to rest');
			}
		}
		for (const row of world.listed()) {
			const id = String(row.id);
			const late = row.visible - row.at;
			const isDue =
				row.isUsable &&
				row.isWanted &&
				row.visible <= settled &&
				!this.old.has(id) &&
				!this.maybeOld.has(id) &&
				late <= LOOK_BACK &&
				(late <= 0 || row.at >= this.shortened);
			promise(!isDue || this.delivered.has(id) || this.lost.has(id), () => `${id} missed`);
		}
		for (const [id, times] of this.delivered)
			promise(times === 1 || this.repeatable.has(id), () => `${id} came ${times} times`);
		promise(!world.hasShownBad || this.hasToldBad, () => 'A bad record was left out in silence');
	}

	/** A workflow is switched on, or n8n starts: its first poll is part of it, except in the scheduler. */
	private async activate(mode: 'activate' | 'init' | 'update'): Promise<void> {
		this.context = undefined;
		this.memory = undefined;
		const isFirstPoll = this.setup.engine === 'legacy' || mode === 'activate' || !this.hasBegun;
		if (isFirstPoll) await this.tick({ during: [], latency: 10, fate: 'no', mode });
	}

	private async begin(one: Extract<Step, { kind: 'poll' }>): Promise<void> {
		if (!one.isHeld) return await this.tick(one);
		let release = () => {};
		const opened = new Promise<void>((resolve) => (release = resolve));
		let arrive = () => {};
		const arrival = new Promise<void>((resolve) => (arrive = resolve));
		const gate = async () => {
			arrive();
			await opened;
		};
		const done = this.tick({ ...one, gate });
		done.catch(() => {});
		this.held.push({ done, release });
		await Promise.race([arrival, done]);
	}

	private async releaseAll(): Promise<void> {
		const held = this.held.splice(0);
		for (const { release } of held) release();
		for (const { done } of held) await done;
	}

	private async tick({ during: events, latency, fate, gate, mode }: Tick): Promise<void> {
		const { world, stats, setup: given } = this;
		stats.polls += 1;
		const { process } = this;
		const isActivation = mode !== undefined;
		const box = this.boxFor();
		const cursor = given.engine === 'durable' ? this.cursorFor(box) : undefined;
		const requests = world.requests(events, latency, gate);
		const context = this.contextFor(box, cursor, requests, mode ?? 'update');
		const before = new Set(world.listed().map(({ id }) => String(id)));
		let items: IDataObject[] = [];
		let isNull = true;
		try {
			const output = await this.subject.poll(context);
			isNull = output === null;
			items = (output ?? []).flat().map(({ json }) => json);
		} catch (error) {
			stats.requests += requests.count;
			this.listen(error as Error);
			if (process !== this.process || isActivation) return;
			// Thrown, the scheduler drops what is in memory.
			return;
		}
		stats.requests += requests.count;
		if (process !== this.process) return;
		if (!this.hasBegun) {
			promise(items.length === 0, () => 'Emitted by the first activation');
			this.hasBegun = true;
			for (const id of before) this.old.add(id);
			for (const { id } of world.listed()) this.maybeOld.add(String(id));
		}
		this.lastPolled = process;
		this.check(items);
		this.keep(box, cursor, items, isNull, isActivation, fate);
		if (['lost', 'doubled', 'neither'].includes(fate) && !isActivation) {
			await this.die();
			await this.activate('init');
		}
	}

	private check(items: IDataObject[]): void {
		const { world, setup: given } = this;
		promise(items.length <= given.limit, () => `${items.length} emitted`);
		items.forEach((item, at) => {
			const row = world.rowOf(item.id as string);
			promise(row.isUsable && row.isWanted, () => `${row.id} is not wanted`);
			promise(!this.old.has(String(row.id)), () => `${row.id} is old`);
			const last = at > 0 ? world.rowOf(items[at - 1]!.id as string) : undefined;
			promise(!last || last.at <= row.at, () => 'Not oldest first');
			const isCall = given.event === 'callReady';
			const isComplete = item.ready === true || world.now >= row.at + 2 * HOUR;
			promise(!isCall || isComplete, () => `${row.id} came too early`);
			if (typeof item.trigger_notice === 'string') this.hear(item.trigger_notice);
		});
	}

	/** The saving rules of the three engines: what is in the database after a poll. */
	private keep(
		box: Box,
		cursor: IDataObject | undefined,
		items: IDataObject[],
		isNull: boolean,
		isActivation: boolean,
		fate: Fate,
	): void {
		const { engine } = this.setup;
		const ids = items.map(({ id }) => String(id));
		const before = this.saved.staticData;
		const json = JSON.stringify(box);
		this.stats.largest = Math.max(this.stats.largest, json.length);
		this.stats.emitted += items.length;
		const deliver = () => {
			for (const id of ids) this.delivered.set(id, (this.delivered.get(id) ?? 0) + 1);
		};
		if (isNull) {
			if (isActivation) this.saved.staticData = json;
			else if (engine === 'durable') {
				this.saveCursor(cursor!);
				// From then on it shows that the cursor is kept apart.
				const { global } = JSON.parse(this.saved.staticData) as Box;
				this.isOwnSaved ||= countIn(cursor!.saved) !== countIn(global['ykVoiceTrigger:node']);
			}
		} else if (fate === 'no' || (fate === 'refused' && engine !== 'durable')) {
			this.saved.staticData = json;
			this.isPutBack = false;
			if (cursor !== undefined) this.saveCursor(cursor);
			deliver();
		} else if (engine === 'durable') {
			// The workflow's data is saved beside the transaction; before the first one a node cannot tell.
			if (fate === 'lost' && this.isOwnSaved) this.saved.staticData = json;
			if (fate === 'refused' && !this.isOwnSaved) for (const id of ids) this.lost.add(id);
		} else if (fate === 'lost') {
			this.saved.staticData = json;
			for (const id of ids) this.lost.add(id);
		} else if (fate === 'doubled') {
			deliver();
			for (const id of ids) this.repeatable.add(id);
		}
		// No execution of the workflow began before it was active.
		if (this.saved.staticData !== before && before.includes('saved')) this.copies.push(before);
	}

	private saveCursor(cursor: IDataObject): void {
		this.saved.cursor = JSON.stringify(cursor);
	}

	/** A Code node that ends saves the workflow's data as it was when its execution began. */
	private putBack(): void {
		const copy = this.copies.at(-1);
		if (copy === undefined || this.setup.engine === 'durable') return;
		const { owns, global } = JSON.parse(copy) as Box;
		this.saved.staticData = JSON.stringify({
			owns,
			global: { ...global, visits: this.stats.polls },
		});
		this.isPutBack = true;
		if (this.lastPolled !== this.process) this.forgetDelivered();
	}

	private async die(): Promise<void> {
		this.process = processes += 1;
		await this.releaseAll();
		if (this.isPutBack) this.forgetDelivered();
	}

	/** An old copy was put back, and no process knows better: README says so. */
	private forgetDelivered(): void {
		for (const id of this.delivered.keys()) this.repeatable.add(id);
	}

	private boxFor(): Box {
		const load = () => JSON.parse(this.saved.staticData) as Box;
		if (this.setup.engine !== 'legacy') return load();
		return (this.memory ??= load());
	}

	private cursorFor(box: Box): IDataObject {
		const { cursor } = this.saved;
		return cursor === undefined
			? structuredClone(box.owns[this.name] ?? {})
			: (JSON.parse(cursor) as IDataObject);
	}

	private contextFor(
		box: Box,
		cursor: IDataObject | undefined,
		requests: Requests,
		mode: string,
	): IPollFunctions {
		const { setup: given, process } = this;
		const own = () => cursor ?? (box.owns[this.name] ??= {});
		const helpers = { httpRequestWithAuthentication: requests.send };
		const state = { own, global: box.global, helpers };
		if (given.engine === 'legacy' && this.context !== undefined) {
			Object.assign(this.context, { helpers });
			return this.context;
		}
		const options = { pollLimit: given.limit };
		const filters = given.filtered
			? { newOrder: { status: ['pending'] }, newTransaction: {} }
			: { newOrder: {}, newTransaction: {} };
		const isOfCalls = given.event === 'newCall' || given.event === 'callReady';
		const parameters: IDataObject = {
			authentication: 'apiKey',
			event: given.event,
			waitMinutes: 120,
			options,
			filters: isOfCalls
				? given.filtered
					? { call_status: ['Completed'] }
					: {}
				: filters[given.event as 'newOrder'],
		};
		const context = {
			getMode: () => 'trigger',
			getActivationMode: () => mode,
			getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
			getNode: () => ({ id: 'node', name: this.name, credentials: { ykVoiceApi: { id: '1' } } }),
			getWorkflow: () => ({ id: `process-${process}` }),
			getWorkflowStaticData: (type: string) => (type === 'node' ? state.own() : state.global),
			getCredentials: async () => ({ apiKey: 'yk_model', baseUrl: 'https://api.test/v1' }),
			getTimezone: () => 'UTC',
			getPollBudgetMs: () => (given.engine === 'legacy' ? 300_000 : 36_000),
			logger: { warn: () => {}, error: () => {}, info: () => {}, debug: () => {} },
			helpers,
		} as unknown as IPollFunctions;
		if (given.engine === 'legacy') this.context = context;
		return context;
	}

	/** What an error of a poll tells its user. */
	private listen(error: Error): void {
		if (error instanceof Broken) throw error;
		const isExpected = /a fault|ran out of time|left out|no longer fire|began anew/.test(
			error.message,
		);
		if (!isExpected) throw error;
		this.hear(error.message);
	}

	private hear(notice: string): void {
		if (/no id or no created_at/.test(notice)) this.hasToldBad = true;
		const [, date] = /created before (\S+) no longer/.exec(notice) ?? [];
		if (date !== undefined) this.shortened = Math.max(this.shortened, Date.parse(date));
		if (/in a row/.test(notice)) this.shortened = this.world.now;
	}
}

const countIn = (saved: unknown) => (saved as { count?: number } | undefined)?.count;

interface Tick {
	during: During;
	latency: number;
	fate: Fate;
	/** Waited for before the first answer. */
	gate?: () => Promise<void>;
	mode?: string;
}

interface Requests {
	count: number;
	send(credential: string, options: { url: string }): Promise<unknown>;
}

/** The API: lists in which records appear, vanish and shift while they are read. */
class World {
	now = START;

	/** Whether a record without a usable id or date stood in an answer since the first activation. */
	hasShownBad = false;

	private born = 0;

	private rows: Row[] = [];

	private readonly byId = new Map<string, Row>();

	private readonly setup: History['setup'];

	constructor(given: History['setup']) {
		this.setup = given;
		for (const [minutes, late] of given.initial) {
			const at = START - minutes * MINUTE;
			this.insert(at, at + late, at);
		}
		this.sort();
	}

	rowOf = (id: unknown): Row => this.byId.get(String(id))!;

	listed = (): Row[] => this.rows.filter(({ visible }) => visible <= this.now);

	change(one: Change): void {
		if (one.kind === 'remove') {
			const gone = this.listed().at(-1 - one.index);
			this.rows = this.rows.filter((row) => row !== gone);
		} else if (one.kind === 'future') {
			// A clock that is fast and never corrected cannot tell the present from the future.
			if (this.setup.dated || this.setup.skew <= 0)
				this.insert(this.now + one.ahead, this.now, this.now);
		} else if (one.kind === 'bad') this.insertBad(one.of);
		else {
			// Bursts page by page and item by item would take hours.
			const isSlow = this.setup.cap < 50 || this.setup.limit < 20;
			const count = isSlow ? Math.min(one.count, 12) : one.count;
			for (let i = 0; i < count; i += 1) {
				const at = this.now - i * one.spread;
				const visible = Math.max(this.now, at + one.lag);
				this.insert(at, visible, Math.max(visible, at + one.wait));
			}
		}
		this.sort();
	}

	private insert(at: number, visible: number, ready: number): Row {
		const n = (this.born += 1);
		const text = `${(Math.imul(n, 2654435761) >>> 0).toString(16)}-${n}`;
		const row: Row = {
			id: this.setup.numeric ? n : text,
			at,
			visible,
			ready,
			isWanted: !this.setup.filtered || this.setup.event === 'newTransaction' || n % 3 > 0,
			created_at: written(at),
			isUsable: true,
		};
		this.rows.push(row);
		this.byId.set(String(row.id), row);
		return row;
	}

	private insertBad(of: string): void {
		const row = this.insert(this.now, this.now, this.now);
		row.isUsable = false;
		if (of === 'id') row.id = '' as string;
		if (of === 'null') row.created_at = null;
		if (of === 'number') row.created_at = this.now;
		if (of === 'day') row.created_at = new Date(this.now).toISOString().slice(0, 10);
		if (of === 'none') row.created_at = undefined;
		if (of === 'february') row.created_at = '2026-02-30T09:00:00Z';
	}

	private sort(): void {
		const { ties } = this.setup;
		this.rows.sort((a, b) => a.at - b.at || (String(a.id) < String(b.id) ? -ties : ties));
	}

	requests(events: During, latency: number, gate?: () => Promise<void>): Requests {
		const requests: Requests = {
			count: 0,
			send: async (_credential, { url }) => {
				const index = requests.count++;
				if (index === 0) await gate?.();
				this.now += latency;
				for (const [at, event] of events) {
					if (at !== index) continue;
					if (event.kind === 'fault')
						return this.answer(500, { ok: false, error: { message: 'a fault' } });
					this.change(event);
				}
				return this.respond(new URL(url));
			},
		};
		return requests;
	}

	private answer(statusCode: number, body: object) {
		const date = new Date(this.now - (this.now % SECOND)).toUTCString();
		return { statusCode, headers: this.setup.dated ? { date } : {}, body };
	}

	private respond({ pathname, searchParams }: URL) {
		const [, , list, id, part] = pathname.split('/');
		if (list === 'call-history' && id !== undefined) {
			const row = this.rows.find((one) => String(one.id) === decodeURIComponent(id));
			const isThere = row !== undefined && (part === undefined || row.ready <= this.now);
			if (!isThere) return this.answer(404, { ok: false, error: { code: 'NOT_FOUND' } });
			const data = part === 'summary' ? { summary: `Of ${row.id}` } : this.shown(row);
			return this.answer(200, { ok: true, data });
		}
		const found = this.after(searchParams.get('created_after'));
		const [offset, asked] = [Number(searchParams.get('offset')), Number(searchParams.get('limit'))];
		const limit = Math.min(asked, this.setup.cap);
		const page = found.slice(offset, offset + limit);
		if (page.some(({ isUsable, at }) => !isUsable && at > START)) this.hasShownBad = true;
		const { meta } = this.setup;
		return this.answer(200, {
			ok: true,
			data: page.map((row) => this.shown(row)),
			meta:
				meta === 'none'
					? null
					: { total_items: found.length, ...(meta === 'full' && { limit, offset }) },
		});
	}

	private after(text: string | null): Row[] {
		const { inclusive, coarse, order } = this.setup;
		const from = text === null ? -Infinity : Date.parse(text);
		const point = (at: number) => (coarse ? Math.floor(at / SECOND) * SECOND : at);
		const found = this.listed().filter(({ at }) =>
			inclusive ? point(at) >= from : point(at) > from,
		);
		if (order === 'newestFirst') found.reverse();
		if (order === 'none') found.sort((a, b) => scattered(a) - scattered(b));
		return found;
	}

	private shown(row: Row) {
		const isOver = row.ready <= this.now || row.ready > row.visible + HOUR;
		return {
			...(row.id !== '' && { id: row.id }),
			...(row.created_at !== undefined && { created_at: row.created_at }),
			call_status: isOver ? (row.isWanted ? 'Completed' : 'Busy') : 'In Progress',
			status: row.isWanted ? 'pending' : 'confirmed',
		};
	}
}

const scattered = ({ at, id }: Row) =>
	Math.imul(Number(String(id).split('-').at(-1)) + at, 2654435761);

/** A time as APIs write it: in ms or finer, in any offset, or in UTC without saying so. */
function written(at: number): string {
	const form = Math.floor(at / SECOND) % 4;
	if (form === 0) return new Date(at).toISOString().replace('Z', '456');
	if (form === 1) return new Date(at + 2 * HOUR).toISOString().replace('Z', '789+02:00');
	return new Date(at).toISOString();
}
