import { listAll } from '../../api/lists';
import { isObject, type JsonObject } from '../../json';
import { idOf, shorten } from '../reading/record';
import { scopeOf, STARTED_ANEW, type PollResult, type Watcher, type Watching } from '../watcher';
import { LackingError } from './judging';

/** A list without dates to ask from: it is read whole with each poll. */
export interface WatchedStates {
	path: string;
	/** What a record's state is, in the API's own words; undefined where it shows none. */
	stateOf(record: JsonObject): string | undefined;
	/** The most records that are watched: beyond it the trigger refuses. */
	most: number;
}

/** What each record last showed, by the key of its id. */
export interface States {
	v: 1;
	scope: string;
	states: Record<string, string>;
}

interface Shown {
	key: string;
	state: string;
	record: JsonObject;
}

/**
 * Fires where a record shows another state than before, and where a new one shows its first. So all
 * that is ever learned comes with an item, and is saved with it. A record that is gone stays known: an
 * answer that omits it for once does not make it new.
 */
export class StatesWatcher implements Watcher<States> {
	private readonly watched: WatchedStates;

	private readonly watching: Watching;

	private readonly scope: string;

	constructor(watched: WatchedStates, watching: Watching) {
		this.watched = watched;
		this.watching = watching;
		this.scope = scopeOf(watching);
	}

	guard(raw: unknown): States | undefined {
		if (!isObject(raw) || raw.v !== 1 || typeof raw.scope !== 'string') return undefined;
		if (raw.scope.split(':')[0] !== this.watching.what) return undefined;
		const { scope, states } = raw;
		if (!isObject(states) || !Object.values(states).every((one) => typeof one === 'string'))
			return undefined;
		return { v: 1, scope, states: { ...(states as Record<string, string>) } };
	}

	async begin(): Promise<PollResult<States>> {
		const { shown } = await this.read();
		const states = Object.fromEntries(shown.map(({ key, state }) => [key, state]));
		return {
			commit: (live) => ({
				state: live?.scope === this.scope ? live : { v: 1, scope: this.scope, states },
				emit: [],
			}),
		};
	}

	async poll(saved: States): Promise<PollResult<States>> {
		const { shown, notices } = await this.read();
		const isKnown = ({ key }: Shown) => Object.hasOwn(saved.states, key);
		// None of its records is known: it is not the account that was watched.
		if (saved.scope !== this.scope && shown.length > 0 && !shown.some(isKnown))
			return await this.beginAnew();
		return {
			commit: (live = saved) => {
				const moved = shown
					.filter(({ key, state }) => live.states[key] !== state)
					.slice(0, this.watching.limit);
				if (moved.length === 0) return { emit: [], notices };
				const now = Object.fromEntries(moved.map(({ key, state }) => [key, state]));
				const states = { ...live.states, ...now };
				const emit = moved.map((one) => itemOf(one, live.states[one.key]));
				return { state: { v: 1, scope: this.scope, states }, emit, notices };
			},
		};
	}

	async sample(): Promise<JsonObject | undefined> {
		const { shown } = await this.read();
		return shown[0] && itemOf(shown[0]);
	}

	private async beginAnew(): Promise<PollResult<States>> {
		const { commit } = await this.begin();
		return {
			isAnew: true,
			commit: (live) => ({ ...commit(live), notices: [STARTED_ANEW] }),
		};
	}

	/** @throws LackingError where no record shows what is watched */
	private async read(): Promise<{ shown: Shown[]; notices: string[] }> {
		const { path, stateOf, most } = this.watched;
		const records = await listAll(this.watching.api, { method: 'GET', path }, most + 1);
		if (records.length > most) {
			throw new Error(
				`The list holds more than ${most} records, the most that the trigger can read with each poll. Use a schedule with Get Many in its place.`,
			);
		}
		const shown = records.flatMap((record) => {
			const [id, state] = [idOf(record), stateOf(record)];
			return id === undefined || state === undefined ? [] : [{ key: shorten(id), state, record }];
		});
		if (shown.length === 0 && records.length > 0) throw new LackingError('status and id');
		const left = records.length - shown.length;
		return {
			shown,
			notices: left > 0 ? [`${left} left out, because they show no id or no status.`] : [],
		};
	}
}

const itemOf = ({ record, state }: Shown, before?: string): JsonObject => ({
	...record,
	previous_status: before ?? null,
	new_status: state,
});
