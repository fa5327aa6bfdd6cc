import type { Names } from '../api/names';
import type { LineItemsWanted } from '../domain/order';
import type { Columns } from '../domain/simplify';
import type { Form } from '../table/form';
import type { Watcher, Watching } from '../watching/watcher';

export interface CommonInput {
	simplify?: boolean;
	/** How orders are returned with their lines. Undefined: without them, or for records of another kind. */
	lines?: LineItemsWanted;
	options: {
		onActivation: 'continue' | 'now';
		pollLimit?: number;
		lookBack?: number;
	};
}

/** One choice of 'Trigger On'. `Input` is what its form makes of the parameters. */
export interface TriggerEvent<Input extends CommonInput> {
	name: string;
	description: string;
	/** What an AI that builds workflows should know. */
	hint: string;
	/** The request that it sends. An error names the permission and the scope that it needs. */
	request: string;
	/** What an error status means for this event. */
	hints?: Readonly<Record<number, string>>;
	/** Its parameters. A function, so that only the event that runs is built. */
	fields: () => Form<Input>;
	/** What Simplify keeps of the records. Undefined if they are small. */
	simplify?(names: Names): Columns;
	/** The input that makes the trigger start again from now when it changes. Its description has to say so. */
	stateKey?(input: NoInfer<Input>): unknown;
	/** What it watches that belongs to one account, such as 'contact list'. It cannot watch several accounts. */
	ofOneAccount?: string;
	watch(input: NoInfer<Input>, watching: Watching): Watcher;
}

/** Checks that the functions of a row fit its form. The table itself has no types of inputs. */
export const triggerEvent = <Input extends CommonInput>(
	row: TriggerEvent<Input>,
): TriggerEvent<CommonInput> => row;
