import { inFront, type Simplify } from '../../domain/simplify';
import { firstText } from '../../json';
import { fingerprintOf } from '../../watching/fingerprint';
import type { WatchedStates } from '../../watching/statesWatcher';

type Compared = Pick<WatchedStates, 'stateOf' | 'shows' | 'itemOf'>;

/** Compares the status of records, which they show in one of these fields. */
export const statusChanges = (names: readonly string[], shape: Simplify): Compared => ({
	stateOf(record) {
		const isNone = names.some((name) => record[name] === null || record[name] === '');
		return firstText(record, names) ?? (isNone ? null : undefined);
	},
	shows: 'status',
	itemOf: ({ record, state, before }) =>
		changeInFront({ ...shape(record), previous_status: before ?? null, new_status: state }),
});

const changeInFront = inFront('id', 'previous_status', 'new_status');

/** Compares all that records show. The item says whether the record is new or changed, and how. */
export const contentChanges = (ignored: readonly string[], shape: Simplify): Compared => ({
	stateOf: (record, _before, without) => fingerprintOf(record, [...ignored, ...without]),
	itemOf: ({ record, before, newFields }) =>
		kindOfChangeInFront({
			...shape(record),
			change: before === undefined ? 'new' : 'changed',
			...(newFields.length > 0 && { new_fields: newFields.join(', ') }),
		}),
});

const kindOfChangeInFront = inFront('id', 'change', 'new_fields');
