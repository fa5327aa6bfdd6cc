import { MODELS, type Model } from './platform.ts';
import { Random } from './random.ts';
import type { Readings } from './readings.ts';
import * as make from './records.ts';
import type { Agent, Call, Draw, OrderStatus, ToolConfig, Turn } from './records.ts';
import { Table, type KeyOf, type Row } from './table.ts';
import { iso, written } from './time.ts';
import { makeVoices, type Voice } from './voices.ts';
import * as words from './words.ts';

/** From which moment on the API shows a record, by the emulator's clock. */
export interface Visibility {
	visibleAt?: number;
}

/** A call is in the list first. Its detail, summary and transcript may come later, or never (null). */
export interface CallTiming extends Visibility {
	detailAt?: number;
	summaryAt?: number | null;
	transcriptAt?: number | null;
	summary?: string;
	turns?: Turn[];
}

/** What happens to a test call, in ms after the request. What is absent happens at once. */
export interface Course {
	/** When the call begins and is in the list. */
	beginsAfter?: number;
	endsAfter?: number;
	/** Its status at the end. */
	status?: Call['call_status'];
	summaryAfter?: number;
	transcriptAfter?: number;
}

export interface Placed {
	task_id: string;
	agent_id: string;
	phone_number: string;
	/** The call that it led to. */
	call_id?: string;
}

export interface Counts {
	calls?: number;
	orders?: number;
	contacts?: number;
	transactions?: number;
}

export interface StoreOptions {
	/** Organizations with other numbers share no ids. */
	number: number;
	now: () => number;
	readings: Readings;
	/** Where the files of voices are. */
	origin: string;
}

const DAY = 86_400_000;

/** The records of one organization, and its settings that tests can change. */
export class Store {
	readonly random: Random;
	readonly now: () => number;
	readonly organizationId: string;

	readonly models: Model[] = structuredClone([...MODELS]);
	readonly voices: Voice[];
	readonly agents = this.table<Agent>();
	/** The tools of each agent, by their names. */
	readonly tools = new Map<string, Record<string, ToolConfig>>();
	readonly contacts = this.table<make.Contact>();
	readonly contactLists = this.table<make.ContactList>();
	/** The ids of each contact list's contacts. */
	readonly members = new Map<string, Set<string>>();
	readonly calls = this.table<Call>();
	readonly callTimings = new Map<string, CallTiming>();
	readonly catalogues = this.table<make.Catalogue>();
	readonly items = this.table<make.Item>();
	readonly orders = this.table<make.Order>();
	readonly events = this.table<make.CalendarEvent>({
		schedule: ({ date, start_time }) => `${date}T${start_time}`,
	});
	readonly campaigns = this.table<make.Campaign>();
	readonly transactions = this.table<make.Transaction>();

	wallet: make.Wallet = { ...make.makeWallet(), balance: 0 };
	/** Null: no active plan, GET /usage answers 404. */
	usage: make.Usage | null = null;
	/** True: the portal check cannot be verified and answers 503. */
	portalFailing = false;
	readonly customFields = new Set(['loyalty_tier', 'birthday']);
	readonly verifiedNumbers = new Set<string>();
	/** The test calls that were placed. */
	readonly testCalls: Placed[] = [];
	/** What happens to the next test call. Null: no call begins. */
	testCallCourse: Course | null = {};
	/** Calls that are under way, and when they end. */
	private underWay: Array<{ id: string; endsAt: number; status: Call['call_status'] }> = [];

	private readonly readings: Readings;
	/** The number of the next record. */
	private made: number;

	constructor({ number, now, readings, origin }: StoreOptions) {
		this.random = new Random(number + 1);
		this.now = now;
		this.readings = readings;
		this.made = number * 1_000_000 + 7;
		this.organizationId = this.random.uuid();
		this.voices = makeVoices(origin);
	}

	private table<T extends Row>(keys?: Record<string, KeyOf<T>>): Table<T> {
		return new Table<T>(() => this.now(), keys);
	}

	addAgent(type: make.AgentType, partial: Partial<Agent> = {}): Agent {
		const { ai_provider: provider = 'base' } = partial;
		const voice = this.voices.find(({ ai_provider }) => ai_provider === provider);
		const drawn = make.makeAgent(this.draw(), type, provider, voice?.id);
		const agent = { ...drawn, organization_id: this.organizationId, ...partial };
		this.tools.set(agent.id, make.toolsFor(type));
		return this.agents.add(agent);
	}

	addContact(partial: Partial<make.Contact> = {}, { visibleAt }: Visibility = {}): make.Contact {
		return this.contacts.add({ ...make.makeContact(this.draw()), ...partial }, visibleAt);
	}

	removeContact(id: string): boolean {
		for (const members of this.members.values()) members.delete(id);
		return this.contacts.remove(id);
	}

	addContactList(
		partial: Partial<make.ContactList> = {},
		contactIds: Iterable<string> = [],
	): make.ContactList {
		const drawn = make.makeGroup('contact_list', this.draw(), 'Regulars');
		const list = this.contactLists.add({ ...drawn, ...partial });
		this.members.set(list.id, new Set(contactIds));
		return list;
	}

	addCall(partial: Partial<Call> = {}, timing: CallTiming = {}): Call {
		const { agent_id, call_status: status = 'Completed' } = partial;
		const agent = this.agents.find(({ id }) => agent_id === undefined || id === agent_id);
		const call = { ...make.makeCall(this.draw(), { agent, status }), ...partial };
		this.callTimings.set(call.id, timing);
		return this.calls.add(call, timing.visibleAt);
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
			summaryAt: now + (summaryAfter ?? endsAfter),
			transcriptAt: now + (transcriptAfter ?? endsAfter),
		});
		placed.call_id = id;
		if (endsAfter > 0) this.underWay.push({ id, endsAt: now + endsAfter, status });
	}

	/** Ends the calls whose time has come. */
	endCalls(): void {
		const ended = this.underWay.filter(({ endsAt }) => endsAt <= this.now());
		this.underWay = this.underWay.filter((call) => !ended.includes(call));
		for (const { id, status } of ended) {
			if (this.calls.get(id)) this.calls.change(id, { call_status: status });
		}
	}

	removeCall(id: string): boolean {
		this.callTimings.delete(id);
		return this.calls.remove(id);
	}

	addCatalogue(partial: Partial<make.Catalogue> = {}): make.Catalogue {
		return this.catalogues.add({ ...make.makeGroup('catalogue', this.draw(), 'Menu'), ...partial });
	}

	addItem(partial: Partial<make.Item> = {}): make.Item {
		return this.items.add({ ...make.makeItem(this.draw(), partial.category), ...partial });
	}

	addOrder(partial: Partial<make.Order> = {}, { visibleAt }: Visibility = {}): make.Order {
		const { status = 'pending', line_items } = partial;
		const drawn = make.makeOrder(this.draw(), { status, line_items });
		return this.orders.add({ ...drawn, ...partial }, visibleAt);
	}

	removeOrder(id: string): boolean {
		return this.orders.remove(id);
	}

	setOrderStatus(id: string, status: OrderStatus, reason: string | null = null): make.Order {
		return this.orders.change(id, { status, status_reason: reason, updated_at: iso(this.now()) });
	}

	addEvent(
		partial: Partial<make.CalendarEvent> = {},
		{ visibleAt }: Visibility = {},
	): make.CalendarEvent {
		return this.events.add({ ...make.makeEvent(this.draw()), ...partial }, visibleAt);
	}

	addCampaign(partial: Partial<make.Campaign> = {}, { visibleAt }: Visibility = {}): make.Campaign {
		const drawn = make.makeCampaign(this.draw(), partial.status);
		return this.campaigns.add({ ...drawn, ...partial }, visibleAt);
	}

	addTransaction(
		partial: Partial<make.Transaction> = {},
		{ visibleAt }: Visibility = {},
	): make.Transaction {
		const drawn = make.makeTransaction(this.draw(), partial.transaction_type);
		return this.transactions.add({ ...drawn, ...partial }, visibleAt);
	}

	setBalance(balance: number): void {
		this.wallet = { ...this.wallet, balance };
	}

	/** Adds many records, at random moments of the last 100 days, so that the last two months are full. Every 40th has the moment of the one before. */
	fill({ calls = 0, orders = 0, contacts = 0, transactions = 0 }: Counts): void {
		const { random } = this;
		this.contacts.load(this.spread(contacts).map((draw) => make.makeContact(draw)));
		const people = this.contacts.all();
		const phoneAgents = this.agents
			.all()
			.filter(({ agent_type: type }) => type === 'inbound' || type === 'outbound');
		const pick = <T>(rows: T[], share = 1) =>
			rows.length > 0 && random.chance(share) ? random.pick(rows) : undefined;
		const parties = () => ({ agent: pick(phoneAgents), contact: pick(people, 0.7) });
		this.calls.load(this.spread(calls).map((draw) => make.makeCall(draw, parties())));
		const answered = this.calls.all().filter((call) => call.call_status === 'Completed');
		const statusOf = (index: number) => make.ORDER_STATUSES[index % make.ORDER_STATUSES.length];
		const ordered = this.spread(orders).map((draw, index) =>
			make.makeOrder(draw, { call: pick(answered), status: statusOf(index) }),
		);
		this.orders.load(ordered);
		this.transactions.load(this.spread(transactions).map((draw) => make.makeTransaction(draw)));
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
		return {
			random,
			at,
			id: (kind) => {
				const number = this.made++;
				const uuid = random.uuid();
				const encoded = `${kind.slice(0, 3)}/${number} ü%`;
				return { uuid, encoded, 'whole number': String(number) }[readings.ids];
			},
			moment: () => {
				if (readings.fraction !== '6 digits') return iso(at);
				const micros = (this.made++ * 137) % 1_000;
				return written(at * 1_000 + micros, { zone: 'Z', fraction: '6 digits' });
			},
		};
	}

	private isReady(call: Call, at: number | null | undefined): boolean {
		return call.call_status === 'Completed' && at !== null && (at ?? 0) <= this.now();
	}

	private spread(count: number): Draw[] {
		const end = this.now();
		const moments = Array.from({ length: count }, () =>
			Math.floor(end - this.random.next() * 100 * DAY),
		).sort((a, b) => a - b);
		return moments.map((at, index) =>
			this.draw(index % 40 === 5 ? (moments[index - 1] ?? at) : at),
		);
	}
}

/** One of the texts, the same for a call each time. */
function phraseFor({ id }: Call, texts: readonly string[]): string {
	const sum = [...id].reduce((before, letter) => before + letter.charCodeAt(0), 0);
	return texts[sum % texts.length] ?? '';
}
