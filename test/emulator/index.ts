import { EVERYTHING, KEYS, knownCallers, TOKENS } from './access.ts';
import { answer, listen } from './app.ts';
import { assumedOf } from './assumed.ts';
import type { Assumed } from './assumed.ts';
import { Faults } from './faults.ts';
import type { Fault } from './faults.ts';
import { keepFiles } from './files.ts';
import { Random } from './random.ts';
import { readingsOf } from './readings.ts';
import type { Readings } from './readings.ts';
import { notation } from './route.ts';
import { allRoutes } from './routes/index.ts';
import { seed } from './seed.ts';
import type { Data } from './seed.ts';
import type { Context, Listener, LoggedRequest } from './server.ts';
import { Store } from './store.ts';

export interface EmulatorOptions {
	/** Default 0: a free port. 'none': there is no server, and only `answer` reaches it. */
	port?: number | 'none';
	host?: string;
	/** How many records there are at the start; default small. */
	data?: Data;
	/** The clock, in milliseconds. */
	now?: () => number;
	/** Default true: answers carry the clock in their Date header. */
	dated?: boolean;
	/** Where it reads the reference in another way than usual. */
	readings?: Partial<Readings>;
}

export interface AddedOrganization {
	apiKey: string;
	store: Store;
	/** Makes the key invalid. */
	revoke(): void;
}

export interface Emulator {
	/** The base URL, which ends in /v1. */
	url: string;
	origin: string;
	keys: typeof KEYS;
	tokens: typeof TOKENS;
	readings: Readings;
	assumed: Assumed;
	store: Store;
	/** The records of another organization, with the key `otherOrg`. */
	otherStore: Store;
	/** Adds an organization with a key that may do everything. Default: with the small data. */
	addOrganization(data?: Data): AddedOrganization;
	/** Answers a GET without a server. */
	answer(url: string, headers: Record<string, string>): ReturnType<typeof answer>;
	requests: LoggedRequest[];
	/** Every route, in the reference's notation. */
	routes: string[];
	/** Requests to paths that the reference does not have. They were answered 501. */
	unknown: string[];
	faults: { add(fault: Fault): void; clear(): void };
	/** Calls the listener before each request is handled. The returned function removes it. */
	before(listener: Listener): () => void;
	/** Clears the log, the unknown routes and the faults. Records stay. */
	reset(): void;
	close(): Promise<void>;
}

export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
	const { port = 0, host = '127.0.0.1', data = 'small', now = Date.now, dated = true } = options;
	const readings = readingsOf(options.readings);
	const store = new Store(new Random(1), now, readings);
	seed(store, data);
	// Few tests need it, and making its records takes time.
	let other: Store | undefined;
	const otherStore = () => {
		if (other !== undefined) return other;
		other = new Store(new Random(2), now, readings, 900_001);
		seed(other, data === 'empty' ? 'empty' : 'small');
		keepFiles(other.voices, origin);
		return other;
	};

	const faults = new Faults();
	const context: Context = {
		stores: new Map([
			['own', () => store],
			['other', otherStore],
		]),
		callers: knownCallers(),
		readings,
		now,
		dated,
		faults,
		listeners: new Set(),
		requests: [],
		unknown: [],
	};
	const routes = allRoutes(readings);
	const { origin, close } =
		port === 'none'
			? { origin: 'https://emulator.test', close: async () => context.stores.clear() }
			: await listen(context, routes, { port, host });
	keepFiles(store.voices, origin);

	return {
		url: `${origin}/v1`,
		origin,
		readings,
		assumed: assumedOf(readings),
		keys: KEYS,
		tokens: TOKENS,
		store,
		get otherStore() {
			return otherStore();
		},
		addOrganization(records: Data = 'small') {
			const number = context.stores.size + 1;
			const added = new Store(new Random(number), now, readings, number * 1_000_000 + 1);
			seed(added, records);
			keepFiles(added.voices, origin);
			const organization = `organization_${number}`;
			const apiKey = `yk_emulator_${organization}`;
			context.stores.set(organization, () => added);
			context.callers.set(apiKey, { organization, permissions: EVERYTHING });
			return { apiKey, store: added, revoke: () => void context.callers.delete(apiKey) };
		},
		answer: async (url, headers) => await answer(context, routes, url, headers),
		requests: context.requests,
		routes: routes.map(notation),
		unknown: context.unknown,
		faults,
		before(listener) {
			context.listeners.add(listener);
			return () => void context.listeners.delete(listener);
		},
		reset() {
			context.requests.length = 0;
			context.unknown.length = 0;
			faults.clear();
		},
		close,
	};
}

export type { Assumed } from './assumed.ts';
export type { Fault, FaultKind, SeenRequest } from './faults.ts';
export type * from './records.ts';
export type { Readings } from './readings.ts';
export type { Data } from './seed.ts';
export type { Listener, LoggedRequest, Upcoming } from './server.ts';
export type { CallTiming, Counts, Store, Visibility } from './store.ts';
