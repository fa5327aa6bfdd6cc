import { textIn } from '../../json';
import { listAll } from '../../api/lists';
import { momentOf } from '../../api/moment';
import type { JsonObject } from '../../json';
import { shorten } from '../reading/record';
import { whatIn, type PollResult, type Watcher, type Watching } from '../watcher';
import { LackingError } from './judging';
import {
	after,
	BOUNDS,
	firstSight,
	isOfAll,
	movedIn,
	sightingsIn,
	statesIn,
	withGone,
	type Sighting,
	type Sightings,
} from './sightings';

/** A list without dates to ask from: it is read whole with each poll. */
export interface WatchedStates {
	path: string;
	/** What the API filters by. */
	query?: JsonObject;
	/** The records in the list's data, where they are not the data itself. */
	records?: (data: unknown) => unknown;
	/** Under which names a record shows its id. */
	ids?: readonly string[];
	/**
	 * What of a record is followed, the same for all where that is its being there. Null where it has
	 * none yet, undefined where it does not show it.
	 */
	stateOf(record: JsonObject): string | null | undefined;
	/** What that is called, where records may not show it. */
	shows?: string;
	/** Whether the API may change it for all records at once, by showing more of each. */
	isOfShape?: boolean;
	/** What fires; `before` is what it showed last, undefined where it is new. */
	itemOf(record: JsonObject, state: string, before: string | undefined): JsonObject;
}

interface Shown extends Sighting {
	record: JsonObject;
}

/**
 * Fires where a record shows another state than before, and where a new one shows its first. So all
 * that is ever learned comes with an item, and is saved with it.
 */
export class StatesWatcher implements Watcher<Sightings> {
	private readonly watched: WatchedStates;

	private readonly watching: Watching;

	constructor(watched: WatchedStates, watching: Watching) {
		this.watched = watched;
		this.watching = watching;
	}

	guard(raw: unknown): Sightings | undefined {
		const sightings = sightingsIn(raw);
		return whatIn(sightings) === whatIn(this.watching) ? sightings : undefined;
	}

	async begin(): Promise<PollResult<Sightings>> {
		const { scope } = this.watching;
		const { shown } = await this.read();
		const state = firstSight(scope, shown);
		return { commit: (live) => ({ state: live?.scope === scope ? live : state, emit: [] }) };
	}

	async poll(saved: Sightings): Promise<PollResult<Sightings> | undefined> {
		const { scope, limit } = this.watching;
		const { shown, notices } = await this.read();
		const states = statesIn(saved);
		const isOther = saved.scope !== scope && !shown.some(({ key }) => states.has(key));
		if (isOther && shown.length > 0) return undefined;
		const now = Math.floor(Date.now() / 1000);
		const isReshaped = this.watched.isOfShape === true && isOfAll(saved, shown, now);
		return {
			...(isReshaped && { error: new Error(RESHAPED) }),
			commit: (live = saved) => {
				const moved = movedIn(live, shown, now);
				const before = statesIn(live);
				const isNew = ({ key }: Shown) => !before.has(key);
				const fires = moved.filter((one) => !isReshaped || isNew(one)).sort(byDate);
				const emitted = fires.slice(0, limit);
				const seen = isReshaped ? moved.filter((one) => !isNew(one)) : [];
				const present = withGone(live, shown, now);
				const hasMoved = emitted.length + seen.length > 0;
				const known = hasMoved ? after(present, [...emitted, ...seen], now) : present;
				return {
					...(known !== live && { state: { ...known, scope } }),
					emit: emitted.map((one) => this.item(one, before.get(one.key))),
					notices: isReshaped ? [...notices, RESHAPED] : notices,
				};
			},
		};
	}

	async sample(): Promise<JsonObject | undefined> {
		const { shown } = await this.read();
		const [first, ...others] = shown;
		const newest = others.reduce((most, one) => (byDate(one, most!) > 0 ? one : most), first);
		return newest && this.item(newest);
	}

	private item = ({ record, state }: Shown, before?: string) =>
		this.watched.itemOf(record, state, before);

	/**
	 * Each record once. A list that holds one of them under several dates may show it in several
	 * states: of these always the same counts, in whichever order they come.
	 *
	 * @throws LackingError where no record shows what is watched
	 */
	private async read(): Promise<{ shown: Shown[]; notices: string[] }> {
		const { path, query, ids = ['id'], stateOf, shows } = this.watched;
		const { api } = this.watching;
		const request = { method: 'GET', path, query } as const;
		const records = await listAll(api, request, BOUNDS.most + 1, this.recordsIn);
		if (records.length > BOUNDS.most) {
			throw new Error(
				`The list holds more than ${BOUNDS.most} records, the most that the trigger can read with each poll. Narrow it by a filter, where the event has one, or use a schedule with Get Many in its place.`,
			);
		}
		const found = new Map<string, Shown>();
		let left = 0;
		for (const record of records) {
			const id = ids.map((name) => textIn(record[name])).find((text) => text !== undefined);
			const state = stateOf(record);
			if (id === undefined || state === undefined) left += 1;
			if (id === undefined || typeof state !== 'string') continue;
			const key = shorten(id);
			const other = found.get(key);
			if (other === undefined || state < other.state) found.set(key, { key, state, record });
		}
		const needed = shows === undefined ? ['id'] : [shows, 'id'];
		if (left > 0 && left === records.length) throw new LackingError(needed.join(' and '));
		const notice = `${left} left out, because they show no ${needed.join(' or no ')}.`;
		return { shown: [...found.values()], notices: left > 0 ? [notice] : [] };
	}

	private readonly recordsIn = (data: unknown): unknown => {
		if (Date.now() >= this.watching.deadline) {
			throw new Error(
				'The list is too long, or the API too slow, to be read whole in the time that n8n gives a poll. Use a schedule with Get Many in its place.',
			);
		}
		return this.watched.records?.(data) ?? data;
	};
}

const RESHAPED =
	"All records show something else than at the poll before, as where the API begins to show more of each: they count as seen, and did not fire. Where this comes again, name the field that changes by itself under 'Ignore Fields'.";

/** The oldest first, where records show when they were created; others as they come. */
const byDate = ({ record: one }: Shown, { record: other }: Shown): number =>
	(momentOf(one.created_at) ?? 0) - (momentOf(other.created_at) ?? 0);
