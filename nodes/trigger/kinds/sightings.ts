import { isObject } from '../../json';
import { KEY } from '../reading/record';

const MINUTE = 60;

/**
 * Spans (s) and sizes (records) that bound what is remembered of a list that is read whole.
 *
 * `most`: how many records are watched, and how many that are gone are remembered besides. `gone`: how
 * long a record must be missing to be new when it comes again. `stale`: how far behind an answer may
 * be, such as that of a replica. `all`: from how many records on a change of all of them at once is
 * none of theirs.
 */
export const BOUNDS = { most: 5000, gone: 24 * 60 * MINUTE, stale: 5 * MINUTE, all: 10 };

/** One record of an answer: the key of its id, and what of it is followed. */
export interface Sighting {
	key: string;
	state: string;
}

/** What is stored of a list that is read whole, as plain JSON. Times in s since 1970 on n8n's clock. */
export interface Sightings {
	v: 1;
	/** What is watched, and in which account: two short keys with a colon between them. */
	scope: string;
	/** Of each record its key, and what it showed last. */
	known: string[];
	/** Since when known ones are missing, by key. */
	gone: Record<string, number>;
	/** Key and state of what records showed before, and until when. */
	former: Record<string, number>;
}

/** All that an answer shows counts as known. */
export const firstSight = (scope: string, shown: Sighting[]): Sightings => ({
	v: 1,
	scope,
	known: shown.map(({ key, state }) => key + state),
	gone: {},
	former: {},
});

/** What each record showed last, by its key. */
export const statesIn = ({ known }: Sightings): Map<string, string> =>
	new Map(known.map((one) => [one.slice(0, KEY), one.slice(KEY)]));

/**
 * Which records of an answer are new, or show another state than last. A state that a record has just
 * left is an answer that is out of date, unless it outlasts that.
 *
 * @param shown each key once
 * @param now in s
 */
export function movedIn<S extends Sighting>(sightings: Sightings, shown: S[], now: number): S[] {
	const states = statesIn(sightings);
	return shown.filter(
		({ key, state }) =>
			states.get(key) !== state && !isWithin(BOUNDS.stale, sightings.former[key + state], now),
	);
}

/** Whether an answer shows so many known records, and all of them in another state, that none of them moved. */
export function isOfAll(sightings: Sightings, shown: Sighting[], now: number): boolean {
	const states = statesIn(sightings);
	const isKnown = ({ key }: Sighting) => states.has(key);
	const known = shown.filter(isKnown).length;
	return known >= BOUNDS.all && movedIn(sightings, shown, now).filter(isKnown).length === known;
}

/** What is remembered once these have moved. */
export function after(sightings: Sightings, moved: Sighting[], now: number): Sightings {
	const states = statesIn(sightings);
	const former = new Map(
		Object.entries(sightings.former).filter(([, since]) => isWithin(BOUNDS.stale, since, now)),
	);
	for (const { key, state } of moved) {
		if (states.has(key)) former.set(key + states.get(key)!, now);
		states.set(key, state);
	}
	const known = [...states].map(([key, state]) => key + state);
	return { ...sightings, known, former: Object.fromEntries(former) };
}

/**
 * The same with what is missing from an answer. It stays known for long, so that an answer that omits
 * it for once does not make it new.
 *
 * @returns the very same where nothing has changed
 */
export function withGone(sightings: Sightings, shown: Sighting[], now: number): Sightings {
	const present = new Set(shown.map(({ key }) => key));
	const missing = [...statesIn(sightings).keys()].filter((key) => !present.has(key));
	const gone = missing
		.map((key) => [key, sightings.gone[key] ?? now] as const)
		.filter(([, since]) => now - since < BOUNDS.gone)
		.sort(([, one], [, other]) => other - one)
		.slice(0, BOUNDS.most);
	const isSame =
		gone.length === Object.keys(sightings.gone).length &&
		gone.every(([key]) => Object.hasOwn(sightings.gone, key));
	if (isSame) return sightings;
	const kept = new Set([...present, ...gone.map(([key]) => key)]);
	const known = sightings.known.filter((one) => kept.has(one.slice(0, KEY)));
	return { ...sightings, known, gone: Object.fromEntries(gone) };
}

/** A stored value as what is remembered; undefined where it is missing, damaged or of another kind. */
export function sightingsIn(raw: unknown): Sightings | undefined {
	if (!isObject(raw) || raw.v !== 1 || typeof raw.scope !== 'string') return undefined;
	const { scope, known, gone, former } = raw;
	if (!Array.isArray(known) || !known.every(isEntry)) return undefined;
	if (!isTimes(gone) || !isTimes(former)) return undefined;
	return { v: 1, scope, known: [...known], gone: { ...gone }, former: { ...former } };
}

const isWithin = (span: number, since: number | undefined, now: number) =>
	since !== undefined && now >= since && now - since < span;

const isEntry = (raw: unknown): raw is string => typeof raw === 'string' && raw.length >= KEY;

const isTimes = (raw: unknown): raw is Record<string, number> =>
	isObject(raw) && Object.values(raw).every(Number.isSafeInteger);
