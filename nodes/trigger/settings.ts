import type { IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { z } from 'zod';

import { problems } from '../table/parameters';
import { collection, flag, id, integer, list, number, oneOf, optional } from '../table/schema';
import { locatorValue } from '../table/locator';
import { TRANSACTION_TYPE } from '../resources/account';
import { CALL_PARTS } from '../resources/call';
import { CALL_STATUS, ORDER_STATUS } from '../resources/statuses';
import { EVENTS, properties } from './events';

const HOUR = 3_600_000;

/** Requests under way at once. */
export const CONCURRENCY = 10;

const statuses = list(oneOf(ORDER_STATUS)).default([]);

const schema = z.object({
	event: oneOf(EVENTS),
	// Waiting for nothing would call every call ready at once.
	waitFor: list(oneOf({ summary: '', transcript: '' }))
		.refine((parts) => parts.length > 0, { message: 'must name a summary or a transcript' })
		.default(['summary']),
	waitMinutes: integer(1, 1440).default(60),
	threshold: number().default(10),
	simplify: flag.default(true),
	filters: z
		.object({
			agent_id: optional(z.preprocess(locatorValue, id)),
			call_status: list(oneOf(CALL_STATUS)).default([]),
			status: statuses,
			from: statuses,
			to: statuses,
			transaction_type: oneOf(TRANSACTION_TYPE).optional(),
		})
		.default({}),
	options: collection({
		include: list(oneOf(CALL_PARTS)),
		pollLimit: integer(1),
		lookBack: number(1, 168),
		onActivation: oneOf({ continue: '', now: '' }),
		orderDays: number(1, 90),
	}),
});

export type Settings = ReturnType<typeof readSettings>;

/**
 * What the user asks the trigger to watch. Spans in ms.
 * @throws NodeOperationError that names the parameter
 */
export function readSettings(context: IPollFunctions) {
	const values = Object.fromEntries(
		properties
			.map(({ name }) => [name, context.getNodeParameter(name, null)] as const)
			.filter(([, value]) => value !== null && value !== undefined),
	);
	const parsed = schema.safeParse(values);
	if (!parsed.success) {
		throw new NodeOperationError(
			context.getNode(),
			`YK Voice Trigger: ${problems(parsed.error.issues, properties, values)}`,
			{ description: 'Correct the parameter of the trigger.' },
		);
	}
	const { waitMinutes, options, ...settings } = parsed.data;
	return {
		...settings,
		waitMs: waitMinutes * 60_000,
		include: options.include ?? [],
		limit: options.pollLimit ?? 500,
		lookBackMs: (options.lookBack ?? 3) * HOUR,
		startsFromNow: options.onActivation === 'now',
		orderMs: (options.orderDays ?? 14) * 24 * HOUR,
	};
}
