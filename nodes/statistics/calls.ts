import { firstOf, type JsonObject } from '../json';
import { ASSUMED } from '../domain/assumed';
import { callStatusOf } from '../domain/call';
import { plainStatus } from '../domain/status';
import { decimalOf, dividedBy, plus, times, toJson, ZERO, type Decimal } from './decimal';
import { average, percent, type Figure } from './figures';
import type { Subject } from './report';

/** The units that the length of a call may have. */
export const DURATION_UNITS = {
	milliseconds: 'Milliseconds',
	minutes: 'Minutes',
	seconds: 'Seconds',
} as const;

type DurationUnit = keyof typeof DURATION_UNITS;

/** How many seconds a unit has. */
const SECONDS: Readonly<Record<DurationUnit, Decimal>> = {
	milliseconds: { units: 1n, scale: 3 },
	minutes: { units: 60n, scale: 0 },
	seconds: { units: 1n, scale: 0 },
};

/** The statuses that have a column, by their plain form. Reference: "Call status (filter values)". */
const STATUS_COLUMNS: Readonly<Record<string, string>> = {
	completed: 'completed',
	notanswered: 'not_answered',
	rejected: 'rejected',
	failed: 'failed',
	busy: 'busy',
	voicemail: 'voicemail',
	endedinqueue: 'ended_in_queue',
	inprogress: 'in_progress',
	cancelled: 'cancelled',
};

/** What is known of the calls that were counted so far. */
export interface CallTally {
	calls: number;
	seconds: Decimal;
	/** Calls that show their length. */
	timed: number;
	/** Column → number of calls. `other_status`: a status without a column. `without_status`: none shown. */
	statuses: Record<string, number>;
	transferred: number;
	transferKnown: number;
	fallback: number;
	fallbackKnown: number;
}

/** The field that holds the length of a call, and its unit. Without a name, the assumed fields are tried. */
interface DurationField {
	name?: string;
	unit?: DurationUnit;
}

/**
 * Counts calls. Whether a call was transferred is known only if it has the field transfer_time, even if
 * it is null: the reference shows the field on the detail alone.
 * Reference: "Other records named in the interface", call history record.
 */
export function callSubject(duration: DurationField): Subject<CallTally> {
	return {
		empty: () => ({
			calls: 0,
			seconds: ZERO,
			timed: 0,
			statuses: {},
			transferred: 0,
			transferKnown: 0,
			fallback: 0,
			fallbackKnown: 0,
		}),
		count(tally, call) {
			tally.calls += 1;
			const seconds = secondsOf(call, duration);
			if (seconds !== undefined) {
				tally.seconds = plus(tally.seconds, seconds);
				tally.timed += 1;
			}
			const status = statusColumn(call);
			tally.statuses[status] = (tally.statuses[status] ?? 0) + 1;
			const { transfer_time: transfer, ai_provider_fallback_used: fallback } = call;
			if (transfer !== undefined) tally.transferKnown += 1;
			if (transfer) tally.transferred += 1;
			if (typeof fallback === 'boolean') tally.fallbackKnown += 1;
			if (fallback === true) tally.fallback += 1;
		},
		figures: callFigures,
	};
}

function callFigures(tally: CallTally): Record<string, Figure> {
	const { calls, seconds, timed, statuses, transferKnown, fallbackKnown } = tally;
	const { in_progress: underWay = 0, without_status: unclear = 0 } = statuses;
	const { completed = 0 } = statuses;
	const isTimed = calls === 0 || timed > 0;
	return {
		calls,
		minutes: isTimed ? toJson(dividedBy(seconds, SECONDS.minutes, 2)) : null,
		average_seconds: average(seconds, timed, 1),
		completion_rate: percent(completed, calls - underWay - unclear),
		...Object.fromEntries(
			Object.values(STATUS_COLUMNS).map((column) => [column, statuses[column] ?? 0]),
		),
		other_status: statuses.other_status ?? 0,
		without_status: unclear,
		transferred: calls === 0 || transferKnown > 0 ? tally.transferred : null,
		transfer_rate: percent(tally.transferred, transferKnown),
		transfer_unknown: calls - transferKnown,
		fallback_used: calls === 0 || fallbackKnown > 0 ? tally.fallback : null,
		fallback_rate: percent(tally.fallback, fallbackKnown),
		fallback_unknown: calls - fallbackKnown,
		without_duration: calls - timed,
	};
}

function secondsOf(call: JsonObject, { name, unit = 'seconds' }: DurationField) {
	const fields = name === undefined ? ASSUMED.durationFields : { [name]: unit };
	for (const [field, kind] of Object.entries(fields)) {
		const value = decimalOf(firstOf(call, [field]));
		if (value !== undefined && value.units >= 0n) return times(value, SECONDS[kind]);
	}
	return undefined;
}

function statusColumn(call: JsonObject): string {
	const status = callStatusOf(call);
	if (status === undefined || status === null || status === '') return 'without_status';
	const plain = plainStatus(status);
	return Object.hasOwn(STATUS_COLUMNS, plain) ? STATUS_COLUMNS[plain]! : 'other_status';
}
