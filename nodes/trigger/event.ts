import type { INodeProperties } from 'n8n-workflow';
import type { z } from 'zod';

import type { JsonObject } from '../json';
import type { Watcher, Watching } from '../watching/watcher';

/** One choice of 'Trigger On'. `Input` is what its schema makes of the parameters. */
export interface TriggerEvent<Input> {
	/** As users see it. */
	name: string;
	description: string;
	/** The request that it sends. An error names the permission and the scope that it needs. */
	request: string;
	/** What an error status means for this event. */
	hints?: Readonly<Record<number, string>>;
	/** Its own parameters, as plain n8n literals. Events with the same parameter share it. */
	fields?: INodeProperties[];
	/** What the user can add under Filters. */
	filters?: INodeProperties[];
	/** What the user can add under Options, besides the options of all events. */
	options?: INodeProperties[];
	/** Checks `{ ...fields, filters, options }`. A function, so that a schema is built only when it is needed. */
	input: () => z.ZodType<Input, z.ZodTypeDef, unknown>;
	/**
	 * The part of the input that makes the trigger start again from now when it changes, such as a
	 * filter that the API applies. The parameter's description has to say so.
	 */
	identity?(input: Input): unknown;
	/** Makes the items of the records of a poll, if they are not the records themselves. */
	present?(input: Input): ((records: JsonObject[]) => Presented) | undefined;
	watch(input: Input, watching: Watching): Watcher;
}

/** The items of some records, such as one for each line of an order. */
export interface Presented {
	items: JsonObject[];
	/** What the user has to know about them. */
	notice?: string;
}

/** Checks that the functions of a row fit its schema. The table itself has no types of inputs. */
export const triggerEvent = <Input>(row: TriggerEvent<Input>): TriggerEvent<unknown> =>
	row as TriggerEvent<unknown>;
