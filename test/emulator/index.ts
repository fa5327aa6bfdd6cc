import { EVERYTHING, KEYS, knownCallers, TOKENS } from './access.ts';
import { assumedOf, type Assumed } from './assumed.ts';
import { Faults, type Fault } from './faults.ts';
import { readingsOf, type Readings } from './readings.ts';
import { notation } from './route.ts';
import { allRoutes } from './routes/index.ts';
import { seed, type Data } from './seed.ts';
import { answererOf, listen, type Context, type Listener, type LoggedRequest } from './server.ts';
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
	answer: ReturnType<typeof answererOf>;
	requests: LoggedRequest[];
	/** Every route, in the reference's notation. */
	routes: string[];
	/** Requests to paths that the reference does not have. */
	unknown: string[];
	faults: { add(fault: Fault): void; clear(): void };
	/** Calls the listener before each request is handled. The returned function removes it. */
	before(listener: Listener): () => void;
	/** Clears the log, the unknown paths and the faults. Records stay. */
	reset(): void;
	close(): Promise<void>;
}

export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
	const { port = 0, host = '127.0.0.1', data = 'small', now = Date.now, dated = true } = options;
	const readings = readingsOf(options.readings);
	const stores = new Map<string, Store>();
	// Few tests need a second organization, and making its records takes time.
	const storeOf = (organization: string) => stores.get(organization) ?? addStore(organization);
	const context: Context = {
		storeOf,
		callers: knownCallers(),
		readings,
		now,
		dated,
		faults: new Faults(),
		listeners: new Set(),
		requests: [],
		unknown: [],
	};
	const { requests, unknown, faults, listeners, callers } = context;
	const routes = allRoutes(readings);
	const { origin, close } =
		port === 'none'
			? { origin: 'https://emulator.test', close: async () => stores.clear() }
			: await listen(context, routes, { port, host });
	const addStore = (organization: string, size: Data = data === 'empty' ? data : 'small') => {
		const store = new Store({ number: stores.size, now, readings, origin });
		stores.set(organization, store);
		seed(store, size);
		return store;
	};
	return {
		url: `${origin}/v1`,
		origin,
		readings,
		assumed: assumedOf(readings),
		keys: KEYS,
		tokens: TOKENS,
		store: addStore('own', data),
		get otherStore() {
			return storeOf('other');
		},
		addOrganization(records: Data = 'small') {
			const organization = `organization_${stores.size}`;
			const apiKey = `yk_emulator_${organization}`;
			callers.set(apiKey, { organization, permissions: EVERYTHING });
			const store = addStore(organization, records);
			return { apiKey, store, revoke: () => void callers.delete(apiKey) };
		},
		answer: answererOf(context, routes),
		requests,
		routes: routes.map(notation),
		unknown,
		faults,
		before(listener) {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
		reset() {
			requests.length = 0;
			unknown.length = 0;
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
