/**
 * The API, written from its reference alone: it shares no code with the nodes. Where things are added:
 * - an endpoint, or a filter, sort or search of a list: a line in `routes/`, in the file of its resource;
 * - a field of a record: `records.ts`; what a body may hold: `body` of its route, with the rules of `checks.ts`;
 * - a fault: `INSTEAD` or `CHANGES` in `faults.ts`;
 * - another reading of the reference: a line in `readings.ts`, and where it shows: `wire.ts` for the form of a
 *   record, else where the name of the trait is used.
 */
import { EVERYTHING, KEYS, knownCallers, TOKENS } from './access.ts';
import { Faults } from './faults.ts';
import { readingsOf, type Readings } from './readings.ts';
import { allRoutes } from './routes/index.ts';
import { seed, type Data } from './seed.ts';
import { directlyOf, listen, type Context, type Listener } from './server.ts';
import { Store } from './store.ts';

export interface EmulatorOptions {
	/** Default 0: a free port. 'none': there is no server, and only `answer` reaches it. */
	port?: number | 'none';
	/** How many records there are at the start; default small. */
	data?: Data;
	/** The clock, in milliseconds. */
	now?: () => number;
	/** Where it reads the reference in another way than usual. */
	readings?: Partial<Readings>;
}

let started = 0;

export async function startEmulator(options: EmulatorOptions = {}) {
	const { port = 0, data = 'small', now = Date.now } = options;
	const readings = { ...readingsOf('usual'), ...options.readings };
	const stores = new Map<string, Store>();
	// Few tests need a second organization, and making its records takes time.
	const storeOf = (organization: string) => stores.get(organization) ?? addStore(organization);
	const context: Context = {
		storeOf,
		callers: knownCallers(),
		routes: allRoutes(readings),
		readings,
		now,
		faults: new Faults(),
		listeners: new Set(),
		requests: [],
		unknown: [],
	};
	const { requests, unknown, faults, listeners, callers, routes } = context;
	const { origin, close } =
		port === 'none'
			? { origin: `https://emulator-${++started}.test`, close: async () => stores.clear() }
			: await listen(context, port);
	const addStore = (organization: string, size: Data = data === 'empty' ? data : 'small') => {
		const store = new Store(stores.size, now, readings, origin);
		stores.set(organization, store);
		seed(store, size);
		return store;
	};
	return {
		/** The base URL, which ends in /v1. */
		url: `${origin}/v1`,
		origin,
		readings,
		keys: KEYS,
		tokens: TOKENS,
		store: addStore('own', data),
		/** The records of another organization, with the key `otherOrg`. */
		get otherStore() {
			return storeOf('other');
		},
		/** Adds an organization with a key that may do everything. Default: with the small data. */
		addOrganization(records: Data = 'small') {
			const organization = `organization_${stores.size}`;
			const apiKey = `yk_emulator_${organization}`;
			callers.set(apiKey, { organization, permissions: EVERYTHING });
			const store = addStore(organization, records);
			/** Makes the key invalid. */
			const revoke = () => void callers.delete(apiKey);
			return { apiKey, store, revoke };
		},
		/** Answers a GET without a server. */
		answer: directlyOf(context),
		requests,
		routes,
		/** Requests to paths that the reference does not have. */
		unknown,
		faults,
		/** Calls the listener before each request is handled. The returned function removes it. */
		before(listener: Listener) {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
		/** Clears the log, the unknown paths and the faults. Records stay. */
		reset() {
			requests.length = 0;
			unknown.length = 0;
			faults.clear();
		},
		close,
	};
}

export type Emulator = Awaited<ReturnType<typeof startEmulator>>;
export type AddedOrganization = ReturnType<Emulator['addOrganization']>;

export type { Fault, FaultKind } from './faults.ts';
export type * from './records.ts';
export type { Readings } from './readings.ts';
export type { Data } from './seed.ts';
export type { LoggedRequest } from './server.ts';
export type { Counts, Store } from './store.ts';
