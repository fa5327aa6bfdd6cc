import type { IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { z } from 'zod';

import { isObject, type JsonObject } from '../json';
import { problems } from '../table/parameters';
import { integer, number, oneOf } from '../table/schema';
import { EVENTS, type EventName } from './events';
import type { TriggerEvent } from './events/event';
import { properties } from './properties';

const HOUR = 3_600_000;

const schema = () =>
	z.object({
		event: oneOf(EVENTS_BY_NAME),
		options: z
			.object({
				pollLimit: integer(1).default(500),
				lookBack: number(1, 168).default(3),
				onActivation: oneOf({ continue: '', now: '' }).default('continue'),
			})
			.default({}),
	});

const EVENTS_BY_NAME = Object.fromEntries(
	Object.entries(EVENTS).map(([value, { name }]) => [value, name]),
) as Record<EventName, string>;

/** What the user asks the trigger to watch. Spans in ms. */
export interface Settings {
	/** The event's value, and its row. */
	name: EventName;
	event: TriggerEvent<unknown>;
	/** What the row's schema makes of the parameters. */
	input: unknown;
	/** The parameters as n8n has them. */
	values: JsonObject;
	limit: number;
	lookBack: number;
	startsFromNow: boolean;
}

/** @throws NodeOperationError that names the parameter */
export function readSettings(context: IPollFunctions): Settings {
	const values = Object.fromEntries(
		[...new Set(properties.map(({ name }) => name))]
			.map((name) => [name, context.getNodeParameter(name, null)] as const)
			.filter(([, value]) => value !== null && value !== undefined),
	);
	const parse = <T>(schemaOf: z.ZodType<T, z.ZodTypeDef, unknown>): T => {
		const parsed = schemaOf.safeParse(values);
		if (parsed.success) return parsed.data;
		// Several events have filters of their own, under one name.
		const shown = properties.filter(
			({ displayOptions }) => displayOptions?.show?.event?.includes(values.event as string) ?? true,
		);
		const wrong = problems(parsed.error.issues, shown, values);
		throw new NodeOperationError(context.getNode(), `YK Voice Trigger: ${wrong.join('; ')}`, {
			description: 'Correct the parameter of the trigger.',
		});
	};
	const { event: name, options } = parse(schema());
	const event = EVENTS[name];
	return {
		name,
		event,
		input: parse(event.input()),
		values,
		limit: options.pollLimit,
		lookBack: options.lookBack * HOUR,
		startsFromNow: options.onActivation === 'now',
	};
}

/** The filters as version 0.1 read them, for all events alike: they were part of a state's scope. */
export function formerFilters({ values }: Settings): JsonObject {
	const filters = isObject(values.filters) ? values.filters : {};
	const { agent_id: agent, call_status = [], status = [], from = [], to = [] } = filters;
	const agent_id = (isObject(agent) ? agent.value : agent) || undefined;
	const { transaction_type } = filters;
	return { agent_id, call_status, status, from, to, transaction_type };
}
