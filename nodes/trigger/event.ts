import type { JsonObject } from '../json';
import type { Form } from '../table/form';
import type { Watcher, Watching } from '../watching/watcher';

/** The options that the trigger itself reads. */
export interface CommonInput {
	simplify?: boolean;
	options: {
		onActivation: 'continue' | 'now';
		pollLimit?: number;
		lookBack?: number;
		/** Names of accounts of the credential. Default: all. */
		accounts?: string[];
	};
}

/** One choice of 'Trigger On'. `Input` is what its form makes of the parameters. */
export interface TriggerEvent<Input extends CommonInput> {
	/** As users see it. */
	name: string;
	description: string;
	/** What an AI that builds workflows should know. */
	hint: string;
	/** The request that it sends. An error names the permission and the scope that it needs. */
	request: string;
	/** What an error status means for this event. */
	hints?: Readonly<Record<number, string>>;
	/**
	 * Its parameters, with `filters` and `options` as collections. Events with the same parameter share it.
	 * A function, so that only the event that runs is built.
	 */
	fields: () => Form<Input>;
	/**
	 * The part of the input that makes the trigger start again from now when it changes, such as a
	 * filter that the API applies. The parameter's description has to say so.
	 */
	stateKey?(input: NoInfer<Input>): unknown;
	/** Makes the items of the records of a poll, if they are not the records themselves. */
	present?(input: NoInfer<Input>): ((records: JsonObject[]) => Presented) | undefined;
	/** What it watches that belongs to one account, such as 'contact list'. It cannot watch several accounts. */
	ofOneAccount?: string;
	watch(input: NoInfer<Input>, watching: Watching): Watcher;
}

/** The items of some records, such as one for each line of an order. */
export interface Presented {
	items: JsonObject[];
	/** What the user has to know about them. */
	notice?: string;
}

/** Checks that the functions of a row fit its form. The table itself has no types of inputs. */
export const triggerEvent = <Input extends CommonInput>(
	row: TriggerEvent<Input>,
): TriggerEvent<CommonInput> => row;
