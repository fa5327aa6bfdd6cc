import { MODELS, VOICES } from './platform.ts';
import type { Model, Voice } from './platform.ts';
import type { Random } from './random.ts';
import * as make from './records.ts';
import type {
	Agent,
	AgentType,
	CalendarEvent,
	Call,
	Campaign,
	Catalogue,
	Contact,
	ContactList,
	Draw,
	Item,
	Numbered,
	Order,
	OrderStatus,
	ToolConfig,
	Transaction,
	Turn,
	Usage,
	Wallet,
} from './records.ts';
import { Table } from './table.ts';
import type { KeyOf, Row } from './table.ts';
import { readingsOf } from './readings.ts';
import type { Readings } from './readings.ts';
import { iso, written } from './time.ts';
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

const DAY = 86_400_000;

/** The id of a new record, if the reference does not show its form. */
const IDS: Record<Readings['ids'], (kind: Numbered, uuid: string, number: number) => string> = {
	uuid: (_kind, uuid) => uuid,
	encoded: (kind, _uuid, number) => `${kind.slice(0, 3)}/${number} ü%`,
	'whole number': (_kind, _uuid, number) => String(number),
};

/** The records of one organization, and its settings that tests can change. */
export class Store {
	readonly organizationId: string;
	readonly random: Random;
	readonly now: () => number;

	readonly models: Model[] = structuredClone([...MODELS]);
	readonly voices: Voice[] = structuredClone(VOICES);
	readonly agents = this.table<Agent>();
	/** The tools of each agent, by their names. */
	readonly tools = new Map<string, Record<string, ToolConfig>>();
	readonly contacts = this.table<Contact>();
	readonly contactLists = this.table<ContactList>();
	/** The ids of each contact list's contacts. */
	readonly members = new Map<string, Set<string>>();
	readonly calls = this.table<Call>();
	readonly callTimings = new Map<string, CallTiming>();
	readonly catalogues = this.table<Catalogue>();
	readonly items = this.table<Item>();
	readonly orders = this.table<Order>();
	readonly events = this.table<CalendarEvent>({
		schedule: ({ date, start_time }) => `${date}T${start_time}`,
	});
	readonly campaigns = this.table<Campaign>();
	readonly transactions = this.table<Transaction>();

	wallet: Wallet = {
		balance: 0,
		currency: 'EUR',
		auto_topup_enabled: false,
		auto_topup_threshold: null,
		auto_topup_amount: null,
	};
	/** Null: no active plan, GET /usage answers 404. */
	usage: Usage | null = null;
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

	/** @param first the number of the first record; organizations must not share numbers */
	constructor(random: Random, now: () => number, readings = readingsOf(), first = 7) {
		this.random = random;
		this.now = now;
		this.readings = readings;
		this.made = first;
		this.organizationId = random.uuid();
	}

	private table<T extends Row>(keys?: Record<string, KeyOf<T>>): Table<T> {
		return new Table<T>(() => this.now(), keys);
	}

	addAgent(type: AgentType, partial: Partial<Agent> = {}): Agent {
		const drawn = make.makeAgent(this.draw(), type, partial.ai_provider);
		const agent = { ...drawn, organization_id: this.organizationId, ...partial };
		this.tools.set(agent.id, make.toolsFor(type));
		return this.agents.add(agent);
	}

	addContact(partial: Partial<Contact> = {}, { visibleAt }: Visibility = {}): Contact {
		return this.contacts.add({ ...make.makeContact(this.draw()), ...partial }, visibleAt);
	}

	removeContact(id: string): boolean {
		for (const members of this.members.values()) members.delete(id);
		return this.contacts.remove(id);
	}

	addContactList(
		partial: Partial<ContactList> = {},
		contactIds: Iterable<string> = [],
	): ContactList {
		const list = this.contactLists.add({ ...make.makeContactList(this.draw()), ...partial });
		this.members.set(list.id, new Set(contactIds));
		return list;
	}

	addCall(partial: Partial<Call> = {}, timing: CallTiming = {}): Call {
		const agent = this.agents.find(
			(candidate) => partial.agent_id === undefined || candidate.id === partial.agent_id,
		);
		const { call_status: status = 'Completed' } = partial;
		const call = { ...make.makeCall(this.draw(), { agent, status }), ...partial };
		this.callTimings.set(call.id, timing);
		return this.calls.add(call, timing.visibleAt);
	}

	/** Adds the call of a test call, as `testCallCourse` says. */
	placeTestCall(placed: Placed): void {
		this.testCalls.push(placed);
		if (this.testCallCourse === null) return;
		const { agent_id, phone_number } = placed;
		const {
			beginsAfter = 0,
			endsAfter = beginsAfter,
			status = 'Completed',
			summaryAfter = endsAfter,
			transcriptAfter = endsAfter,
		} = this.testCallCourse;
		const now = this.now();
		const { id } = this.addCall(
			{
				agent_id,
				phone_number,
				call_status: endsAfter > 0 ? 'In Progress' : status,
				created_at: iso(now + beginsAfter),
				...(this.readings.callTask === 'task_id' && { task_id: placed.task_id }),
			},
			{
				visibleAt: now + beginsAfter,
				summaryAt: now + summaryAfter,
				transcriptAt: now + transcriptAfter,
			},
		);
		placed.call_id = id;
		if (endsAfter > 0) this.underWay.push({ id, endsAt: now + endsAfter, status });
	}

	/** Ends the calls whose time has come. */
	endCalls(): void {
		const hasEnded = ({ endsAt }: { endsAt: number }) => endsAt <= this.now();
		for (const { id, status } of this.underWay.filter(hasEnded)) {
			if (this.calls.get(id)) this.calls.change(id, { call_status: status });
		}
		this.underWay = this.underWay.filter((call) => !hasEnded(call));
	}

	removeCall(id: string): boolean {
		this.callTimings.delete(id);
		return this.calls.remove(id);
	}

	addCatalogue(partial: Partial<Catalogue> = {}): Catalogue {
		return this.catalogues.add({ ...make.makeCatalogue(this.draw()), ...partial });
	}

	/** Removing a catalogue leaves its items standalone. */
	removeCatalogue(id: string): boolean {
		for (const item of this.items.all())
			if (item.catalogue_id === id) this.items.change(item.id, { catalogue_id: null });
		return this.catalogues.remove(id);
	}

	addItem(partial: Partial<Item> = {}): Item {
		return this.items.add({ ...make.makeItem(this.draw(), partial.category), ...partial });
	}

	addOrder(partial: Partial<Order> = {}, { visibleAt }: Visibility = {}): Order {
		const { status = 'pending', line_items } = partial;
		const drawn = make.makeOrder(this.draw(), { status, line_items });
		return this.orders.add({ ...drawn, ...partial }, visibleAt);
	}

	removeOrder(id: string): boolean {
		return this.orders.remove(id);
	}

	setOrderStatus(id: string, status: OrderStatus, reason: string | null = null): Order {
		return this.orders.change(id, { status, status_reason: reason, updated_at: iso(this.now()) });
	}

	addEvent(partial: Partial<CalendarEvent> = {}, { visibleAt }: Visibility = {}): CalendarEvent {
		return this.events.add({ ...make.makeEvent(this.draw()), ...partial }, visibleAt);
	}

	addCampaign(partial: Partial<Campaign> = {}, { visibleAt }: Visibility = {}): Campaign {
		const drawn = make.makeCampaign(this.draw(), partial.status);
		return this.campaigns.add({ ...drawn, ...partial }, visibleAt);
	}

	addTransaction(partial: Partial<Transaction> = {}, { visibleAt }: Visibility = {}): Transaction {
		return this.transactions.add(
			{ ...make.makeTransaction(this.draw(), partial.transaction_type), ...partial },
			visibleAt,
		);
	}

	setBalance(balance: number): Wallet {
		this.wallet = { ...this.wallet, balance };
		return this.wallet;
	}

	/** Adds many records, at random moments of the last 60 days. Every 40th has the moment of the one before. */
	fill({ calls = 0, orders = 0, contacts = 0, transactions = 0 }: Counts): void {
		const { random } = this;
		this.contacts.load(this.spread(contacts).map((draw) => make.makeContact(draw)));
		const people = this.contacts.all();
		const agents = this.agents
			.all()
			.filter(({ agent_type }) => agent_type === 'inbound' || agent_type === 'outbound');
		const some = <T>(rows: T[], share = 1) =>
			rows.length > 0 && random.chance(share) ? random.pick(rows) : undefined;
		const parties = () => ({ agent: some(agents), contact: some(people, 0.7) });
		this.calls.load(this.spread(calls).map((draw) => make.makeCall(draw, parties())));
		const answered =
			orders > 0 ? this.calls.all().filter((call) => call.call_status === 'Completed') : [];
		this.orders.load(
			this.spread(orders).map((draw) => make.makeOrder(draw, { call: some(answered) })),
		);
		this.transactions.load(this.spread(transactions).map((draw) => make.makeTransaction(draw)));
	}

	/** The summary text; undefined if there is none, or not yet. */
	summaryOf(call: Call): string | undefined {
		const timing = this.callTimings.get(call.id) ?? {};
		if (!this.isReady(call, timing.summaryAt)) return undefined;
		return timing.summary ?? words.SUMMARIES[this.pickFor(call, words.SUMMARIES)];
	}

	/** The turns of the talk; undefined if there are none, or not yet. */
	turnsOf(call: Call): Turn[] | undefined {
		const timing = this.callTimings.get(call.id) ?? {};
		if (!this.isReady(call, timing.transcriptAt)) return undefined;
		const say = (role: Turn['role'], texts: string[], part: number): Turn => ({
			role,
			text: texts[this.pickFor(call, texts)] ?? '',
			at_seconds: Math.floor(call.duration_seconds * part),
		});
		return (
			timing.turns ?? [
				say('agent', words.OPENINGS, 0),
				say('caller', words.REPLIES, 0.2),
				say('agent', words.ANSWERS, 0.5),
				say('agent', words.CLOSINGS, 0.9),
			]
		);
	}

	/** What a new record is drawn from. */
	draw(at = this.now()): Draw {
		const { random, readings } = this;
		const number = () => this.made++;
		return {
			random,
			at,
			id: (kind) => IDS[readings.ids](kind, random.uuid(), number()),
			moment: () => {
				const finer = readings.fraction === '6 digits' ? (number() * 137) % 1_000 : 0;
				return finer === 0
					? iso(at)
					: written(at * 1_000 + finer, { zone: 'Z', fraction: '6 digits' });
			},
		};
	}

	private isReady(call: Call, at: number | null | undefined): boolean {
		return call.call_status === 'Completed' && at !== null && (at ?? 0) <= this.now();
	}

	private pickFor(call: Call, texts: readonly string[]): number {
		const sum = [...call.id].reduce((before, letter) => before + letter.charCodeAt(0), 0);
		return sum % texts.length;
	}

	private spread(count: number): Draw[] {
		const end = this.now();
		const moments = Array.from({ length: count }, () =>
			Math.floor(end - this.random.next() * 60 * DAY),
		).sort((a, b) => a - b);
		return moments.map((at, index) =>
			this.draw(index % 40 === 5 ? (moments[index - 1] ?? at) : at),
		);
	}
}
