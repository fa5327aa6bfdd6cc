import { FullRecord } from '../domain/simplify';
import { isNewPeriod } from '../domain/usage';
import { isObject, type JsonObject } from '../json';
import { mayBeOfOther } from './watcher';
import type { Watcher, Watching } from './watcher';

/** A value that starts the workflow once when it falls below a threshold, and again after it was above. */
interface WatchedValue {
	path: string;
	threshold: number;
	/** Undefined if the answer does not have it. */
	valueOf(record: JsonObject): number | undefined;
	/** The error if the answer does not have it. */
	absent: string;
	/** The period that the value belongs to, as a short text. In a new period it may start the workflow again. */
	periodOf?(record: JsonObject): string;
	/** Fields that the item has besides the record. */
	item: JsonObject;
}

interface Alert {
	account: string;
	key: string;
	/** Whether it has started the workflow and has not risen since. */
	fired: boolean;
	/** '' if it is not known. */
	period: string;
}

/** Watches one value. One that is low at the beginning, or with a new key, has to rise before it starts the workflow. */
export function thresholdWatcher(watching: Watching, watched: WatchedValue): Watcher {
	const { api, account, key } = watching;
	const { path, threshold, periodOf = () => '', item } = watched;
	const read = async () => {
		const { data } = await api.send({ method: 'GET', path });
		const record = isObject(data) ? data : {};
		const value = watched.valueOf(record);
		if (value === undefined) throw api.malformed(watched.absent);
		const alert = new FullRecord({ ...item, ...record, ...item });
		return { alert, isBelow: value < threshold, period: periodOf(record) };
	};
	return {
		async poll(state) {
			const { alert, isBelow, period } = await read();
			if (!isAlert(state) || mayBeOfOther(state, watching)) {
				const first: Alert = { account, key, fired: isBelow, period: isBelow ? period : '' };
				return { state: first, records: [], notices: [], isBeginning: true };
			}
			const fires = isBelow && (!state.fired || isNewPeriod(state.period, period));
			const next: Alert = { account, key, fired: isBelow, period: fires ? period : state.period };
			return { state: next, records: fires ? [alert] : [], notices: [] };
		},
		sample: async () => (await read()).alert,
	};
}

const isAlert = (raw: unknown): raw is Alert =>
	isObject(raw) && typeof raw.fired === 'boolean' && typeof raw.period === 'string';
