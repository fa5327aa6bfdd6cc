import type { IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { presentLines } from '../domain/order';
import { toRow } from '../domain/simplify';
import type { JsonObject } from '../json';
import type { Authentication } from '../api/account';
import type { Names } from '../api/names';
import { form, readForm, type Form } from '../table/form';
import { accounts, authentication } from '../table/handling';
import { HOUR } from '../time';
import type { CommonInput, TriggerEvent } from './event';
import { EVENTS } from './events';
import { selector, type EventName } from './properties';

/** What the user has set. Spans in ms. */
export interface Settings {
	/** The value of 'Trigger On', and its row. */
	name: EventName;
	event: TriggerEvent<CommonInput>;
	authentication: Authentication;
	/** The parameters, as the row's form reads them. */
	input: CommonInput;
	/** The items of the records of a poll, and what the user has to know about them. */
	present(records: JsonObject[], names: Names): { items: JsonObject[]; notice?: string };
	/** The accounts that the user chose. None: all. */
	accounts: string[];
	limit: number;
	lookBack: number;
	startsFromNow: boolean;
}

/** @throws NodeOperationError that names the parameter */
export function readSettings(context: IPollFunctions): Settings {
	const common = selector.and(form({ authentication, accounts }));
	const { event: name, accounts: chosen = [], ...rest } = read(context, common);
	const event = EVENTS[name];
	const zone = context.getTimezone();
	const input = read(context, event.fields());
	const { onActivation, pollLimit = Infinity, lookBack = 0 } = input.options;
	return {
		name,
		event,
		authentication: rest.authentication,
		input,
		present: (records, names) => {
			const { lines, simplify } = input;
			const { items, notice } = lines
				? presentLines(lines)(records, names)
				: { items: records, notice: undefined };
			const rows = () => items.map((item) => toRow(item, zone, event.request));
			return { items: simplify ? rows() : items, notice };
		},
		accounts: chosen,
		limit: pollLimit,
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
