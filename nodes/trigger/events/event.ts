import type { INodeProperties } from 'n8n-workflow';
import type { z } from 'zod';

import type { Watcher, Watching } from '../watcher';

/** One thing that the trigger can be set to; `Input` is what its schema makes of the parameters. */
export interface TriggerEvent<Input> {
	/** As users see it. */
	name: string;
	description: string;
	/** Its own parameters, as plain n8n literals; alike ones of several events are shown once. */
	fields?: INodeProperties[];
	/** What may be added under Filters. */
	filters?: INodeProperties[];
	/** What may be added under Options, besides what all events have. */
	options?: INodeProperties[];
	/** `{ ...fields, filters, options }` as n8n has them → input. A function, so that no schema is built before it is needed. */
	input: () => z.ZodType<Input, z.ZodTypeDef, unknown>;
	/**
	 * What of the input starts the trigger anew where it changes, such as what the API filters by; the
	 * parameter's description says so.
	 */
	identity?(input: Input): unknown;
	watch(input: Input, watching: Watching): Watcher<unknown>;
}

/** Holds what is between the row's schema and its `watch`: the table itself needs no types. */
export const triggerEvent = <Input>(row: TriggerEvent<Input>): TriggerEvent<unknown> =>
	row as TriggerEvent<unknown>;
