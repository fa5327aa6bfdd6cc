import { fingerprintOf } from '../../watching/fingerprint';
import { inFront, simplifyContact, type Simplify } from '../../domain/simplify';
import { textIn, type JsonObject } from '../../json';
import { filtersOf, optionsOf } from '../../table/common';
import { always, form, type InputOf, type Parameters } from '../../table/form';
import { simplify } from '../../table/handling';
import { choice, filterText, number, text, wholeNumber } from '../../table/kinds';
import { list, nonBlank } from '../../table/schema';
import type { WatchedStates } from '../../watching/statesWatcher';

/** The description of a parameter that is part of an event's `identity`. */
export const startsAgain = (description: string) =>
	`${description} If you change this, the trigger starts again from now and skips earlier records.`;

export const pollLimit = always(
	wholeNumber({
		displayName: 'Limit per Poll',
		min: 1,
		default: 500,
		description:
			'How many items one poll may return. The others come with the next polls. Defaults to 500.',
	}),
);

/** For events that follow a list by date. */
export const lookBack = always(
	number({
		displayName: 'Look Back (Hours)',
		min: 1,
		max: 168,
		default: 3,
		description:
			'How far back to look for records that show up late. Choose more than the longest call takes. A longer time costs more requests per poll. Defaults to 3.',
	}),
);

const onActivation = always(
	choice(
		{ continue: 'Continue Where It Stopped', now: 'Start From Now' },
		{
			displayName: 'On Activation',
			meanings: {
				continue: 'Also start the workflow for what happened while it was inactive',
				now: 'Start the workflow only for what happens from now on',
			},
			description: 'What happens when the workflow is activated again',
		},
	),
);

/** The Options of an event: its own, and those of all events. */
export const eventOptions = <P extends Parameters>(own: P) => optionsOf({ ...own, onActivation });

/** The item for a change of status: the old and the new status, then the rest of the record. */
export const withChange = (record: JsonObject, before: string | undefined, status: string) =>
	changeInFront({ ...record, previous_status: before ?? null, new_status: status });

const changeInFront = inFront('id', 'previous_status', 'new_status');

/** Compares the status of records, which they show in one of these fields. */
export const statusChanges = (
	names: readonly string[],
	shape: Simplify,
): Pick<WatchedStates, 'stateOf' | 'shows' | 'itemOf'> => ({
	stateOf(record) {
		const shown = names.map((name) => record[name]).filter((value) => value !== undefined);
		const status = shown.map(textIn).find((text) => text !== undefined);
		return status ?? (shown.length > 0 ? null : undefined);
	},
	shows: 'status',
	itemOf: (record, status, before) => withChange(shape(record), before, status),
});

/** For events about contacts. */
export const contactFilters = filtersOf({
	filter: filterText(
		{
			displayName: 'Filter Expression',
			placeholder: 'e.g. loyalty_tier==gold',
			description: startsAgain('Only contacts that match, in the filter language of the API.'),
		},
		nonBlank(),
	),
});

/** What the events that compare all that a record shows have in common. */
export const contentForm = () =>
	form({
		simplify,
		options: eventOptions({
			ignoreFields: always(
				text(
					{
						displayName: 'Ignore Fields',
						placeholder: 'e.g. synced_at, view_count',
						description: startsAgain(
							'Fields that change by themselves, separated by commas. A change of them does not start the workflow.',
						),
					},
					list(nonBlank()),
				),
			),
			pollLimit,
		}),
	});

export const contentEvent = {
	fields: contentForm,
	identity: ({ options }: InputOf<ReturnType<typeof contentForm>>): unknown =>
		options.ignoreFields.toSorted(),
};

/** Compares all that records show. The item says whether the record is new or changed. */
export const contentChanges = (
	ignored: readonly string[],
	shape: Simplify,
): Pick<WatchedStates, 'stateOf' | 'isOfShape' | 'itemOf'> => ({
	stateOf: (record) => fingerprintOf(record, ignored),
	isOfShape: true,
	itemOf: (record, _state, before) =>
		kindOfChangeInFront({ ...shape(record), change: before === undefined ? 'new' : 'changed' }),
});

const kindOfChangeInFront = inFront('id', 'change');

/** Compares only whether a record is there. */
export const arrivals = (isSimple: boolean): Pick<WatchedStates, 'stateOf' | 'itemOf'> => ({
	stateOf: () => '',
	itemOf: (record) => (isSimple ? simplifyContact(record) : record),
});
