import type { IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { presentLines } from '../domain/order';
import { withAccount } from '../domain/freeName';
import { toRows, type FullRecord } from '../domain/simplify';
import { fitting, type JsonObject } from '../json';
import type { Names } from '../api/names';
import { form, readForm, type Form } from '../table/form';
import { accounts, authentication } from '../table/handling';
import { HOUR } from '../time';
import { EVENTS } from './events';
import { selector } from './properties';

/** The fields that say what changed in which record. A person looks for them first. */
const CHANGES = [
	...['id', 'name', 'change', 'new_fields', 'changed_fields', 'previous_status', 'new_status'],
];

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
		present: (records: FullRecord[], names: Names) => {
			const { lines, simplify } = input;
			const { items, notice } = lines
				? presentLines(records, lines)
				: { items: records, notice: undefined };
			const own = event.simplify?.(names);
			const columns = { ...own, first: [...CHANGES, ...(own?.first ?? [])] };
			const inFront = ({ whole }: FullRecord): JsonObject => ({
				...fitting(whole, (name) => CHANGES.includes(name)),
				...whole,
			});
			const rows = simplify ? toRows(items, columns, zone) : items.map(inFront);
			return { items: rows.map((row, at) => withAccount(items[at]!.account, row)), notice };
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
