import { filtersOf } from '../../table/common';
import { form, type Parameters } from '../../table/form';
import { simplify } from '../../table/handling';
import { followedCallFilters, includedParts } from '../../watching/followedCalls';
import { eventOptions, lookBack, pollLimit } from './eventFields';

/** The parameters of the events about calls. @param more further options */
export const callForm = <P extends Parameters>(more: P) =>
	form({
		simplify,
		filters: filtersOf(followedCallFilters),
		options: eventOptions({ lookBack, pollLimit, include: includedParts, ...more }),
	});

/** What the events about calls have in common. Reference: GET /call-history and the paths below it. */
export const callEvent = {
	request: 'GET /call-history',
	fields: () => callForm({}),
};
