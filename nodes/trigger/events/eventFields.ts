import { optionsOf } from '../../table/common';
import { always, form, type InputOf, type Parameters } from '../../table/form';
import { simplify } from '../../table/handling';
import { choice, number, text, wholeNumber } from '../../table/kinds';
import { list, nonBlank } from '../../table/schema';

/** The description of a parameter that is part of an event's `stateKey`. */
export const startsAgain = (description: string) =>
	`${description} If you change this, the trigger starts again from now and skips earlier records.`;

export const pollLimit = always(
	wholeNumber({
		displayName: 'Limit per Poll',
		min: 1,
		default: 500,
		description:
			'How many records, such as calls or orders, one poll may return. The others come with the next polls. Defaults to 500.',
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
			description: 'What happens when the workflow is published again after it was unpublished',
		},
	),
);

export const eventOptions = <P extends Parameters>(own: P) => optionsOf({ ...own, onActivation });

/** For events that compare all that a record shows. */
export const contentOptions = {
	ignoreFields: always(
		text(
			{
				displayName: 'Ignore Fields',
				placeholder: 'e.g. synced_at, view_count',
				description: startsAgain(
					'Fields that change by themselves, separated by commas, with their names in the API. They are ignored at any depth.',
				),
			},
			// Of custom_fields.tier also tier.
			list(nonBlank()).transform((names) =>
				names.flatMap((name) => [name, name.slice(name.lastIndexOf('.') + 1)]),
			),
		),
	),
	pollLimit,
};

export const contentForm = () => form({ simplify, options: eventOptions(contentOptions) });

export const contentEvent = {
	fields: contentForm,
	stateKey: ({ options }: InputOf<ReturnType<typeof contentForm>>): unknown =>
		options.ignoreFields.toSorted(),
};
