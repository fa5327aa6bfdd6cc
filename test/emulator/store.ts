import { MODELS } from './platform.ts';
import { Random } from './random.ts';
import type { Readings } from './readings.ts';
import * as make from './records.ts';
import type { Agent, Call, Contact, Draw, Order, ToolConfig, Turn } from './records.ts';
import { Table, type Row } from './table.ts';
import { iso, written } from './time.ts';
import { makeVoices, type Voice } from './voices.ts';
import * as words from './words.ts';

/** A call is in the list first. Its detail, summary and transcript may come later, or never (null). */
interface CallTiming {
	/** From which moment on the API shows it, by the emulator's clock. */
	visibleAt?: number;
	detailAt?: number;
	summaryAt?: number | null;
	transcriptAt?: number | null;
	summary?: string;
	turns?: Turn[];
	/** When it ends, and its status then. */
	ends?: { at: number; status: string };
}

/** What happens to a test call, in ms after the request. What is absent happens at once. */
interface Course {
	/** When the call begins and is in the list. */
	beginsAfter?: number;
	endsAfter?: number;
	/** Its status at the end. */
	status?: string;
	summaryAfter?: number;
	transcriptAfter?: number;
}

interface Placed {
	task_id: string;
	agent_id: string;
	phone_number: string;
	/** The call that it led to. */
	call_id?: string;
}

export type Counts = Partial<Record<'calls' | 'orders' | 'contacts' | 'transactions', number>>;

/** The records of one organization, and its settings that tests can change. */
export class Store {
	readonly random: Random;
	readonly now: () => number;
	readonly organizationId: string;

	readonly models = structuredClone(MODELS);
	readonly voices: Voice[];
	readonly agents = this.table<Agent>();
	/** The tools of each agent, by their names. */
	readonly tools = new Map<string, Record<string, ToolConfig>>();
	readonly contacts = this.table<Contact>();
	readonly contactLists = this.table<make.ContactList>();
	/** The ids of each contact list's contacts. */
	readonly members = new Map<string, Set<string>>();
	readonly calls = this.table<Call>();
	readonly callTimings = new Map<string, CallTiming>();
	readonly catalogues = this.table<make.Catalogue>();
	readonly items = this.table<make.Item>();
	readonly orders = this.table<Order>();
	readonly events = this.table<make.CalendarEvent>();
	readonly campaigns = this.table<make.Campaign>();
	readonly transactions = this.table<make.Transaction>();

	readonly addContact = this.adder(this.contacts, make.makeContact);
	readonly addCatalogue = this.adder(this.catalogues, make.makeCatalogue);
	readonly addItem = this.adder(this.items, make.makeItem);
	readonly addOrder = this.adder(this.orders, (draw, { status, line_items }) =>
		make.makeOrder(draw, status, undefined, line_items),
	);
	readonly addEvent = this.adder(this.events, (draw) => make.makeEvent(draw));
	readonly addCampaign = this.adder(this.campaigns, (draw, { status }) =>
		make.makeCampaign(draw, status),
	);
	readonly addTransaction = this.adder(this.transactions, (draw, { transaction_type }) =>
		make.makeTransaction(draw, transaction_type),
	);

	wallet: make.Wallet = make.makeWallet(0);
	/** Null: no active plan, GET /usage answers 404. */
	usage: make.Usage | null = null;
	readonly customFields = new Set(['loyalty_tier', 'birthday']);
	readonly verifiedNumbers = new Set<string>();
	/** The test calls that were placed. */
	readonly testCalls: Placed[] = [];
	/** What happens to the next test call. Null: no call begins. */
	testCallCourse: Course | null = {};

	private readonly readings: Readings;
	/** The number of the next record. Two organizations may be given the same. */
	made: number;

	/**
	 * @param number organizations with other numbers share no ids
	 * @param origin where the files of voices are
	 */
	constructor(number: number, now: () => number, readings: Readings, origin: string) {
		this.random = new Random(number + 1);
		this.now = now;
		this.readings = readings;
		this.made = number * 1_000_000 + 7;
		this.organizationId = this.random.uuid();
		this.voices = makeVoices(origin);
	}

	private table<T extends Row>(): Table<T> {
		return new Table<T>(() => this.now());
	}

	/** Adds a record with these fields. The others are drawn. */
	private adder<T extends Row>(table: Table<T>, makeOne: (draw: Draw, given: Partial<T>) => T) {
		return (given: Partial<T> = {}, { visibleAt }: { visibleAt?: number } = {}) =>
			table.add({ ...makeOne(this.draw(), given), ...given }, visibleAt);
	}

	addAgent(type: make.AgentType, partial: Partial<Agent> = {}): Agent {
		const { ai_provider: provider = 'base' } = partial;
		const voice = this.voices.find(({ ai_provider }) => ai_provider === provider);
		const own = { organization_id: this.organizationId, selected_voice: voice?.id ?? null };
		const agent = { ...make.makeAgent(this.draw(), type), ...own, ...partial };
		this.tools.set(agent.id, make.toolsFor(type));
		return this.agents.add(agent);
	}

	addContactList(partial: Partial<make.ContactList> = {}, contactIds: Iterable<string> = []) {
		const drawn = make.makeContactList(this.draw());
		const list = this.contactLists.add({ ...drawn, ...partial });
		this.members.set(list.id, new Set(contactIds));
		return list;
	}

	addCall(partial: Partial<Call> = {}, timing: CallTiming = {}): Call {
		const { agent_id, call_status = 'Completed' } = partial;
		const agent = this.agents.find(({ id }) => agent_id === undefined || id === agent_id);
		const drawn = make.makeCall(this.draw(), agent, undefined, call_status);
		const call = this.calls.add({ ...drawn, ...partial }, timing.visibleAt);
		this.callTimings.set(call.id, timing);
		return call;
	}

	/** Adds the call of a test call, as `testCallCourse` says. */
	placeTestCall(placed: Placed): void {
		this.testCalls.push(placed);
		if (this.testCallCourse === null) return;
		const { task_id, agent_id, phone_number } = placed;
		const { beginsAfter = 0, endsAfter = beginsAfter, ...course } = this.testCallCourse;
		const { status = 'Completed', summaryAfter, transcriptAfter } = course;
		const now = this.now();
		const call = {
			agent_id,
			phone_number,
			call_status: endsAfter > 0 ? 'In Progress' : status,
			created_at: iso(now + beginsAfter),
			...(this.readings.callTask === 'task_id' && { task_id }),
		};
		const { id } = this.addCall(call, {
			visibleAt: now + beginsAfter,
			ends: { at: now + endsAfter, status },
			summaryAt: now + (summaryAfter ?? endsAfter),
			transcriptAt: now + (transcriptAfter ?? endsAfter),
		});
		placed.call_id = id;
	}

	/** Ends the calls whose time has come. */
	endCalls(): void {
		for (const [id, timing] of this.callTimings) {
			if (!timing.ends || timing.ends.at > this.now()) continue;
			if (this.calls.get(id)) this.calls.change(id, { call_status: timing.ends.status });
			delete timing.ends;
		}
	}

	setOrderStatus(id: string, status: make.OrderStatus, reason: string | null = null): Order {
		return this.orders.change(id, { status, status_reason: reason, updated_at: iso(this.now()) });
	}

	setBalance(balance: number): void {
		this.wallet = { ...this.wallet, balance };
	}

	/** Adds many records, at random moments of the last 100 days, so that the last two months are full. Every 40th has the moment of the one before. */
	fill({ calls = 0, orders = 0, contacts = 0, transactions = 0 }: Counts): void {
		const { random } = this;
		this.contacts.load(this.spread(contacts, make.makeContact));
		const people = this.contacts.all();
		const agents = this.agents.all().filter(({ agent_type: type }) => /bound/.test(type));
		const pick = <T>(rows: T[], share = 1) =>
			rows.length > 0 && random.next() < share ? random.pick(rows) : undefined;
		// In the many calls of a demo, agents and days differ as they do in a restaurant.
		const isDemo = calls > 1000;
		const busy = () => agents[Math.floor(random.next() ** 1.7 * agents.length)];
		const agentOf = () => (isDemo ? busy() : pick(agents));
		this.calls.load(
			this.spread(
				calls,
				(draw) => make.makeCall(draw, agentOf(), pick(people, 0.7)),
				isDemo ? (at) => this.towardsWeekend(at) : undefined,
			),
		);
		const answered = this.calls.all().filter((call) => call.call_status === 'Completed');
		const statusOf = (index: number) => make.ORDER_STATUSES[index % make.ORDER_STATUSES.length];
		this.orders.load(
			this.spread(orders, (draw, index) => make.makeOrder(draw, statusOf(index), pick(answered))),
		);
		this.transactions.load(this.spread(transactions, (draw) => make.makeTransaction(draw)));
	}

	/** The summary text; undefined if there is none, or not yet. */
	summaryOf(call: Call): string | undefined {
		const { summary, summaryAt } = this.callTimings.get(call.id) ?? {};
		if (!this.isReady(call, summaryAt)) return undefined;
		return summary ?? phraseFor(call, words.SUMMARIES);
	}

	/** The turns of the talk; undefined if there are none, or not yet. */
	turnsOf(call: Call): Turn[] | undefined {
		const { turns, transcriptAt } = this.callTimings.get(call.id) ?? {};
		if (!this.isReady(call, transcriptAt)) return undefined;
		if (turns) return turns;
		return words.TALK.map(({ role, texts, part }) => ({
			role,
			text: phraseFor(call, texts),
			at_seconds: Math.floor(call.duration_seconds * part),
		}));
	}

	/** What a new record is drawn from. */
	draw(at = this.now()): Draw {
		const { random, readings } = this;
		const keepsMicros = readings.fraction === '6 digits';
		const micros = (this.made * 137) % 1000;
		return {
			random,
			at,
			id: (kind) => {
				const number = this.made++;
				if (readings.ids === 'uuid') return random.uuid();
				return readings.ids === 'encoded' ? `${kind.slice(0, 3)}/${number} ü%` : String(number);
			},
			created_at: keepsMicros ? written(at * 1000 + micros, { ...readings, zone: 'Z' }) : iso(at),
		};
	}

	private isReady(call: Call, at: number | null | undefined): boolean {
		return call.call_status === 'Completed' && at !== null && (at ?? 0) <= this.now();
	}

	/** Moves some moments of Monday to Wednesday to Friday or Saturday. */
	private towardsWeekend(at: number): number {
		const day = new Date(at).getUTCDay();
		const isMoved = day >= 1 && day <= 3 && this.random.next() < 0.4;
		const moved = at + (5 + this.random.integer(0, 1) - day) * 86_400_000;
		return isMoved && moved < this.now() ? moved : at;
	}

	private spread<T>(
		count: number,
		makeOne: (draw: Draw, index: number) => T,
		move = (at: number) => at,
	): T[] {
		const end = this.now();
		const moments = Array.from({ length: count }, () =>
			move(Math.floor(end - this.random.next() * 100 * 86_400_000)),
		).sort((a, b) => a - b);
		return moments.map((at, index) =>
			makeOne(this.draw(index % 40 === 5 ? (moments[index - 1] ?? at) : at), index),
		);
	}
}

/** One of the texts, the same for a call each time. */
function phraseFor({ id }: Call, texts: readonly string[]): string {
	const sum = [...id].reduce((before, letter) => before + letter.charCodeAt(0), 0);
	return texts[sum % texts.length]!;
}
