import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { fingerprintOf } from '../../watching/fingerprint';
import { inFront, simplifyContact, type Simplify } from '../../domain/simplify';
import { textIn, type JsonObject } from '../../json';
import { simplifyField } from '../../table/fields';
import { flag, list, nonBlank } from '../../table/schema';
import type { WatchedStates } from '../../watching/statesWatcher';

/** The description of a parameter that is part of an event's `identity`. */
export const startsAgain = (description: string) =>
	`${description} If you change this, the trigger starts again from now and skips earlier records.`;

export const pollLimit: INodeProperties = {
	displayName: 'Limit per Poll',
	name: 'pollLimit',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 500,
	description:
		'How many items one poll may return. The others come with the next polls. Defaults to 500.',
};

/** For events that follow a list by date. */
export const lookBack: INodeProperties = {
	displayName: 'Look Back (Hours)',
	name: 'lookBack',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 168 },
	default: 3,
	description:
		'How far back to look for records that show up late. Choose more than the longest call takes. A longer time costs more requests per poll. Defaults to 3.',
};

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
export const contactFilter: INodeProperties = {
	displayName: 'Filter Expression',
	name: 'filter',
	type: 'string',
	default: '',
	placeholder: 'e.g. loyalty_tier==gold',
	description: startsAgain('Only contacts that match, in the filter language of the API.'),
};

/** For events that compare all that a record shows. */
export const ignoreFields: INodeProperties = {
	displayName: 'Ignore Fields',
	name: 'ignoreFields',
	type: 'string',
	default: '',
	placeholder: 'e.g. synced_at, view_count',
	description: startsAgain(
		'Fields that change by themselves, separated by commas. A change of them does not start the workflow.',
	),
};

/** The schema of Simplify, and of what the user can add under Filters and Options. */
export const inputOf = <F extends z.ZodRawShape, O extends z.ZodRawShape>(filters: F, options: O) =>
	z.object({
		simplify: flag.default(true),
		filters: z.object(filters).default({} as never),
		options: z.object(options).default({} as never),
	});

/** @param filters schemas of what the user can add under Filters */
export const contentInput = <F extends z.ZodRawShape>(filters: F) =>
	inputOf(filters, { ignoreFields: list(nonBlank()).default([]) });

/** What the events that compare all that a record shows have in common. */
export const contentEvent = {
	fields: [simplifyField],
	options: [ignoreFields, pollLimit],
	input: () => contentInput({}),
	identity: ({ options }: z.infer<ReturnType<typeof contentInput>>): unknown =>
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
