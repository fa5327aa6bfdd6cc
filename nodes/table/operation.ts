import type { INode } from 'n8n-workflow';
import type { DateTime } from 'luxon';

import { form, type Form, type Parameter } from './form';
import type { JsonObject } from '../json';
import type { Period } from './period';
import type { Api, Request } from '../api/session';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What an operation remembers from one execution to the next. */
export interface Remember {
	/** Whether n8n saves it. It does not after a manual execution. */
	isKept: boolean;
	/**
	 * Continues from the state that was stored last, and stores the new one if the whole node succeeds. Only
	 * one execution of the node does so at a time.
	 *
	 * @param kept.what a state of another kind is apart, such as that of another operation
	 * @param kept.account stands for the account. Default: the one of the item
	 * @param kept.filters must be the same for all items that share a state
	 * @param work undefined as its state if there is none yet
	 */
	update<T>(
		kept: { what: string; account: string | undefined; filters: object },
		work: (state: unknown) => Promise<{ state: object; result: T }>,
	): Promise<T>;
}

/** What a row's own `run` receives. */
export interface RunContext {
	api: Api;
	/** The row's own request, filled from its input. */
	request(): Request;
	/** Reads the row's list from its start: `wanted` records, or as many as the user asked for. */
	list(wanted?: number): Promise<JsonObject[]>;
	/**
	 * One object of this name for all items of an account, for example one watch of the call history. The
	 * first item makes it. `reader` stays usable when that item has ended.
	 */
	share<T>(name: string, make: (reader: Api) => T): T;
	/** One object of this name for all items of this execution. The first item makes it. */
	shareInRun<T>(name: string, make: () => T): T;
	/** For operations that return only what is new. */
	remember: Remember;
	/** When the execution began, in the workflow's time zone. The same for all items. */
	now: DateTime;
	/** Shows the user a hint although the operation succeeded. */
	tell(message: string): void;
	/** Lets the next item run, because this one only waits from here on. */
	endTurn(): void;
	/** A file of the item. @throws Error if it is too large */
	readFile(field: string): Promise<InputFile>;
}

export interface InputFile {
	name: string;
	mimeType: string;
	content: Buffer;
}

/** Which records of one list are wanted. */
export interface ListFilter {
	isWanted(record: JsonObject): boolean;
	/** Tells what was left out, when enough of the list was read. @throws Error if no record could be judged */
	finish(tell: (message: string) => void): void;
}

/** What the node has to look for in a list itself, because the API has no filter for it. */
export interface Search {
	/** When records were created. */
	period?: Partial<Period>;
	/** The fields that may hold a record's date. Default: created_at. */
	dateFields?: readonly string[];
	filter?: ListFilter;
	/** The records that are wanted among those of a page. It may ask the API for more of each. */
	choose?(records: JsonObject[], api: Api): Promise<JsonObject[]>;
}

/** A file of an output item, as n8n's binary data. */
interface OutputFile {
	/** The field of the item's binary data. */
	field: string;
	name: string;
	/** If it is undefined, n8n finds it out from the name and the content. */
	mimeType?: string;
	content: Buffer;
}

/** One output item: its JSON, and a file if it has one. */
export interface Delivery {
	record: JsonObject;
	file?: OutputFile;
}

/** Reads a public file outside of the API, without the key. */
export type Download = (url: string) => Promise<Buffer>;

/** How items share a request. Items with the same key go together, up to `size` of them. */
export interface Gather<Input> {
	/** Undefined if the user wants a request for each item. */
	key(input: Input): string | undefined;
	merge(inputs: Input[]): Input;
	size(input: Input): number;
}

/**
 * One operation: what the user sees, and what the API gets. Its form reads n8n's values as an `Input`,
 * which all functions of the row receive. The code that runs has neither `action` nor `description` nor
 * `hint`: the build leaves them out (tsup.config.ts).
 */
export interface Row<Input extends JsonObject> {
	name: string;
	/** How n8n lists it. Default: its name and the resource, such as "Get many calls". */
	action?: string;
	description: string;
	/** What an AI that builds workflows should know besides the description. Older n8n ignores it. */
	hint?: string;
	/**
	 * Method and path. A `{name}` in the path is filled with that field of the input. The other fields are
	 * sent as the query or the body. A list fills several segments of the path.
	 */
	request: `${Method} /${string}`;
	/**
	 * The parameters, and the input that they are read as. A parameter has the name that the API uses. A
	 * function, so that only the row that runs is built.
	 */
	fields?: () => Form<Input>;
	/**
	 * The query or body, if it is not simply the rest of the input. A row with its own `run` sends nothing
	 * without it. It may also send a field that has the same name as one in the path.
	 */
	payload?(input: NoInfer<Input>): JsonObject;
	/** The HTTP method, if the user chooses it. */
	method?(input: NoInfer<Input>): string;
	/** The operation returns a list: it gets Return All and Limit. */
	many?: boolean;
	/** The operation returns how many records the list has. It shows only these of the list's options. */
	countOptions?: readonly string[];
	/** Finds the records in the data of a list, if they are not the data itself. */
	records?: (data: unknown) => unknown;
	/** What the node has to look for in the list itself. Undefined if the API's own filters are enough. */
	search?(input: NoInfer<Input>, now: DateTime): Search | undefined;
	/** The record that Simplify returns. */
	simplify?(record: JsonObject, input: NoInfer<Input>): JsonObject;
	/**
	 * Changes the records of a list before they go out: adds what other endpoints know, or makes several
	 * records of one. Undefined if they stay as they are.
	 */
	enrich?(
		input: NoInfer<Input>,
		api: Api,
	): ((records: JsonObject[]) => Promise<JsonObject[]>) | undefined;
	/** Accepts any answer, also an empty list. Otherwise the answer to a read must hold a record. */
	mayBeEmpty?: boolean;
	/** Does the work itself. Only for the few operations that are more than one request or one list. */
	run?(input: NoInfer<Input>, context: RunContext): Promise<unknown>;
	/**
	 * Why these items must not be sent together, although each of them is right. For example, they would
	 * place more calls than the user allows. A text holds for all of them, a list has one for each. Called
	 * once, before anything is sent.
	 *
	 * @param refused how many other items could not be read
	 * @param node has the node's settings, such as Retry On Fail
	 * @param accounts what tells the account of each item from the others
	 */
	refuse?(
		inputs: Array<NoInfer<Input>>,
		refused: number,
		node: INode,
		accounts: string[],
	): string | Array<string | undefined> | undefined;
	/** Whether one run of the node must never be run again, because it costs money. */
	isOnce?: true;
	/**
	 * Whether this item waits for its turn among the items of all accounts, in their order. The next one
	 * runs when this one has ended, or calls `endTurn`.
	 */
	isOneByOne?(input: NoInfer<Input>): boolean;
	/** Makes the output item of a record, if it has a file. */
	deliver?(input: NoInfer<Input>, record: JsonObject, download: Download): Promise<Delivery>;
	/** The fields of the item that must hold a file. */
	filesIn?(input: NoInfer<Input>): string[];
	/** Joins items that can share one request. */
	gather?: Gather<NoInfer<Input>>;
	/** A hint for the user about a successful answer. */
	notice?(input: NoInfer<Input>, records: JsonObject[]): string | undefined;
	/** What an error status means for this operation. */
	hints?: Readonly<Record<number, string>>;
	/** The same, if it depends on the input. */
	hintsFor?(input: NoInfer<Input>): Readonly<Record<number, string>>;
}

/**
 * A row of the table, without the type of its input. This is safe, because the functions of a row only
 * receive what its own form made. They are declared as methods, so that all rows fit into one table.
 */
export type Operation = Row<JsonObject>;

/** Checks that the functions of a row fit the type that its form makes. */
export const operation = <Input extends JsonObject>(row: Row<Input>): Operation => row;

/** Makes rows whose only parameter is the record they are about: Get, Delete and the like. */
export const rowsAbout =
	<T>(record: Readonly<Record<string, Parameter<T>>>) =>
	(row: Omit<Operation, 'fields'>): Operation => ({ ...row, fields: () => form(record) });

export interface Resource {
	name: string;
	description: string;
	operations: Record<string, Operation>;
}

export type Resources = Record<string, Resource>;

/** The output for a successful answer without a record. */
export const DONE = { success: true };

/** The HTTP method that a request will have. */
export function methodOf({ method, request }: Operation, input: JsonObject): string {
	return method?.(input) ?? (request.split(' ')[0] as Method);
}

/** The operation's own parameters. */
export const fieldsOf = ({ fields }: Operation): Form<JsonObject> => fields?.() ?? form({});
