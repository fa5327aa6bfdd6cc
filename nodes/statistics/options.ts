import { form } from '../table/form';
import { choice, toggle } from '../table/kinds';
import { periodForm } from '../filters/within';

export const statisticsForm = <Groups extends Readonly<Record<string, string>>>(
	records: string,
	groups: Groups & { none: string },
	meanings: Partial<Record<keyof Groups & string, string>> = {},
) =>
	periodForm()
		.check((within) => ({ within }))
		.and(
			form({
				groupBy: choice<Groups>(groups, {
					displayName: 'Group By',
					meanings,
					description: `How to group the ${records}. The node returns one item per group.`,
				}),
				compare: toggle({
					displayName: 'Compare With Previous Period',
					description: 'Whether to add the figures of the previous period',
				}),
			}),
		);

export const differencesOption = toggle({
	displayName: 'Differences',
	default: true,
	description: 'Whether to add the change of each figure',
});
