import { isObject, type JsonObject } from '../json';
import { inFront } from '../domain/simplify';
import { isNewPeriod } from '../domain/usage';
import type { PollResult, Watcher, Watching } from './watcher';

/** A value that starts the workflow once when it falls below a threshold, and again after it was above. */
interface WatchedValue {
	path: string;
	threshold: number;
	/** Undefined if the answer does not have it. */
	valueOf(record: JsonObject): number | undefined;
	/** The error if the answer does not have it, for example "the wallet has no balance". */
	absent: string;
	/** The period that the value belongs to, as a short text. In a new period it may start the workflow again. */
	periodOf?(record: JsonObject): string;
	/** Fields that the item has besides the record. */
	item: JsonObject;
}

interface Alert {
	account: string;
	/** Whether it has started the workflow and has not risen since. */
	fired: boolean;
	/** The period in which it did, or '' if that is not known. */
	period: string;
}

export class ThresholdWatcher implements Watcher {
	private readonly value: WatchedValue;

	private readonly watching: Watching;

	constructor(watching: Watching, value: WatchedValue) {
		this.value = value;
		this.watching = watching;
	}

	async poll(state?: unknown): Promise<PollResult> {
		const { account } = this.watching;
		const { record, value } = await this.read();
		if (!isAlert(state) || state.account !== account) {
			const first: Alert = { account, fired: false, period: '' };
			return { state: first, emit: [], notices: [], isBeginning: true };
		}
		const isBelow = value < this.value.threshold;
		const period = this.value.periodOf?.(record) ?? '';
		const fires = isBelow && (!state.fired || isNewPeriod(state.period, period));
		const next: Alert = { account, fired: isBelow, period: fires ? period : state.period };
		return { state: next, emit: fires ? [this.item(record)] : [], notices: [] };
	}

	async sample(): Promise<JsonObject> {
		return this.item((await this.read()).record);
	}

	private async read(): Promise<{ record: JsonObject; value: number }> {
		const { api } = this.watching;
		const { data } = await api.send({ method: 'GET', path: this.value.path });
		const record = isObject(data) ? data : {};
		const value = this.value.valueOf(record);
		if (value === undefined) throw api.malformed(this.value.absent);
		return { record, value };
	}

	private readonly item = (record: JsonObject) =>
		inFront(...Object.keys(this.value.item))({ ...record, ...this.value.item });
}

const isAlert = (raw: unknown): raw is Alert =>
	isObject(raw) && typeof raw.fired === 'boolean' && typeof raw.period === 'string';
