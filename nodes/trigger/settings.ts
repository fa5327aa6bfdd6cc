import type { IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { presentLines } from '../domain/order';
import { toRow } from '../domain/simplify';
import type { JsonObject } from '../json';
import type { Names } from '../api/names';
import { form, readForm, type Form } from '../table/form';
import { accounts, authentication } from '../table/handling';
import { HOUR } from '../time';
import { EVENTS } from './events';
import { selector } from './properties';

/** What the user has set. */
export type Settings = ReturnType<typeof readSettings>;

/** @throws NodeOperationError that names the parameter */
export function readSettings(context: IPollFunctions) {
	const common = selector.and(form({ authentication, accounts }));
	const { event: name, authentication: kind, accounts: chosen = [] } = read(context, common);
	const event = EVENTS[name];
	const zone = context.getTimezone();
	const input = read(context, event.fields());
	const { onActivation, pollLimit = Infinity, lookBack = 0 } = input.options;
	return {
		name,
		event,
		authentication: kind,
		input,
		/** The items of the records of a poll, and what the user has to know about them. */
		present: (records: JsonObject[], names: Names) => {
			const { lines, simplify } = input;
			const { items, notice } = lines
				? presentLines(lines)(records, names)
				: { items: records, notice: undefined };
			const rows = () => items.map((item) => toRow(item, zone, event.request));
			return { items: simplify ? rows() : items, notice };
		},
		/** None: all. */
		accounts: chosen,
		limit: pollLimit,
		/** In ms. */
		lookBack: lookBack * HOUR,
		startsFromNow: onActivation === 'now',
	};
}

function read<T>(context: IPollFunctions, of: Form<T>): T {
	const { parameters } = context.getNode();
	const evaluate = (name: string) => context.getNodeParameter(name, null);
	const { input, problems } = readForm(of, parameters, evaluate, { zone: context.getTimezone() });
	if (problems === undefined) return input;
	throw new NodeOperationError(context.getNode(), `YK Voice Trigger: ${problems}`, {
		description: 'Correct the parameter of the trigger.',
	});
}
