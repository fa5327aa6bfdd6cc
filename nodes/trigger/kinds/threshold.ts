import { isObject, type JsonObject } from '../../json';
import { inFront } from '../../domain/simplify';
import type { PollResult, Watcher, Watching } from '../watcher';

/** A value that fires once when it falls below a threshold, and again after it was above. */
export interface WatchedValue {
	path: string;
	threshold: number;
	/** The value in the answer; undefined where it has none. */
	valueOf(record: JsonObject): number | undefined;
	/** What is wrong with an answer that has none, such as "the wallet has no balance". */
	absent: string;
	/**
	 * Whether it was at or above the threshold since (ms, on the API's clock), though it is below now:
	 * n8n may drop what a poll without items stores, and with it the rise. `read` reads it once more.
	 */
	hasRisen?(since: number, read: () => Promise<number>): Promise<boolean>;
	/** The span of time that the value is of, as a short key; in another one it fires anew. */
	spanOf?(record: JsonObject): string;
	/** What an item says besides the record. */
	item: JsonObject;
}

/** Whether the alert has gone off and waits for the value to rise again. */
export interface Alert {
	v: 1;
	scope: string;
	fired: boolean;
	/** When this was so, in ms on the API's clock; 0 where that is not known. */
	at: number;
	/** The span of time that the value was of, where it has one. */
	span?: string;
}

const SECOND = 1000;

/** Follows a value. */
export class ThresholdWatcher implements Watcher<Alert> {
	private readonly value: WatchedValue;

	private readonly watching: Watching;

	constructor(value: WatchedValue, watching: Watching) {
		this.value = value;
		this.watching = watching;
	}

	guard(raw: unknown): Alert | undefined {
		if (!isObject(raw) || raw.v !== 1) return undefined;
		const { scope, formerScope } = this.watching;
		if (raw.scope !== scope && raw.scope !== formerScope) return undefined;
		const { fired, at, span } = raw;
		if (typeof fired !== 'boolean' || typeof at !== 'number') return undefined;
		if (!(Math.abs(at) <= 8.64e15)) return undefined;
		return { v: 1, scope, fired, at, ...(typeof span === 'string' && { span }) };
	}

	async begin(): Promise<PollResult<Alert>> {
		// A wrong key shows when the workflow is switched on.
		await this.read();
		const { scope } = this.watching;
		const state: Alert = { v: 1, scope, fired: false, at: 0 };
		return { commit: (live) => ({ state: live ?? state, emit: [] }) };
	}

	async poll(saved: Alert): Promise<PollResult<Alert>> {
		const { scope } = this.watching;
		const { record, value, at } = await this.read();
		const isBelow = value < this.value.threshold;
		const span = this.value.spanOf?.(record);
		const hasRisen = isBelow && saved.fired && (await this.hasRisen(saved));
		return {
			commit: (live = saved) => {
				if (at > 0 && at < live.at) return { emit: [] };
				const isWaiting = live.fired && live.span === span;
				const fires = isBelow && (!isWaiting || (hasRisen && live.at === saved.at));
				const now: Alert = { v: 1, scope, fired: isBelow, at, ...(span && { span }) };
				const state = fires || !isBelow ? now : live;
				return { state, emit: fires ? [this.item(record)] : [] };
			},
		};
	}

	async sample(): Promise<JsonObject> {
		return this.item((await this.read()).record);
	}

	private async hasRisen({ at }: Alert): Promise<boolean> {
		if (at === 0 || this.value.hasRisen === undefined) return false;
		// The alert's second is in part before it.
		return await this.value.hasRisen(at + SECOND, async () => (await this.read()).value);
	}

	private async read() {
		const { api } = this.watching;
		const { data, at = 0 } = await api.send({ method: 'GET', path: this.value.path });
		const record = isObject(data) ? data : {};
		const value = this.value.valueOf(record);
		if (value === undefined) throw api.malformed(this.value.absent);
		return { record, value, at };
	}

	private item = (record: JsonObject) =>
		inFront(...Object.keys(this.value.item))({ ...record, ...this.value.item });
}
