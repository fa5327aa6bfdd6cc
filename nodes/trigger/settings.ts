import type { IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { z } from 'zod';

import type { JsonObject } from '../json';
import { HOUR } from '../time';
import { problems } from '../table/parameters';
import { integer, number, oneOf } from '../table/schema';
import type { Presented, TriggerEvent } from './event';
import * as EVENTS from './events';
import { properties } from './properties';

type EventName = keyof typeof EVENTS;

/** The schema of the parameters that all events share. An event has a schema of its own for the others. */
const schema = () =>
	z.object({
		event: z.enum(Object.keys(EVENTS) as [EventName]),
		options: z
			.object({
				pollLimit: integer(1).default(500),
				lookBack: number(1, 168).default(3),
				onActivation: oneOf({ continue: '', now: '' }).default('continue'),
			})
			.default({}),
	});

/** What the user has set. Spans in ms. */
export interface Settings {
	/** The value of 'Trigger On', and its row. */
	name: EventName;
	event: TriggerEvent<unknown>;
	/** The parameters, as the row's schema returns them. */
	input: unknown;
	/** Makes the items of the records of a poll. */
	present(records: JsonObject[]): Presented;
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
		// Several events have filters of their own under one name.
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
	const input = parse(event.input());
	return {
		name,
		event,
		input,
		present: event.present?.(input) ?? ((items) => ({ items })),
		limit: options.pollLimit,
		lookBack: options.lookBack * HOUR,
		startsFromNow: options.onActivation === 'now',
	};
}
