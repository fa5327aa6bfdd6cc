import type { INode } from 'n8n-workflow';
import type { DateTime } from 'luxon';

import { form, type Form, type Parameter } from './form';
import type { JsonObject } from '../json';
import type { Envelope } from '../api/answer';
import type { RecordsIn } from '../api/lists';
import type { Names } from '../api/names';
import type { Columns } from '../domain/simplify';
import type { Api, Request } from '../api/session';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * What a row does, known before anything is sent. Rows that read run in parallel, those that change something
 * one after another in each account, unless the user raises it. A `list` gets Return All and Limit. With
 * `changeInTurn`, an item waits for those before it in all accounts, until they have ended or call `endTurn`.
 */
export type Does = 'read' | 'list' | 'change' | 'changeInTurn';

/** What a row's own `run` receives. */
export interface RunContext {
	api: Api;
	/** The row's own request, filled from its input. */
	request(): Request;
	/** How many items of a list the user wants. */
	wanted: number;
	/**
	 * Reads the row's list from its start, with its `search`: `wanted` records, or as many as the user asked
	 * for. `records` finds them in the data of an answer, if they are not the data itself.
	 */
	list(options?: { wanted?: number; records?: RecordsIn }): Promise<JsonObject[]>;
	/**
	 * One object of this name for all items of an account, for example one watch of the call history. The
	 * first item makes it. `reader` stays usable when that item has ended.
	 */
	share<T>(name: string, make: (reader: Api) => T): T;
	/** One object of this name for all items of this execution. The first item makes it. */
	shareInRun<T>(name: string, make: () => T): T;
	/** When the execution began, in the workflow's time zone. The same for all items. */
	now: DateTime;
	/** Shows the user a hint although the operation succeeded. */
	tell(message: string): void;
	/** Lets the next item run, because this one only waits from here on. */
	endTurn(): void;
	/**
	 * Notes that this run of the node begins something that must never be done again, because it costs money.
	 * @throws Error if n8n runs the execution again after its worker was stopped
	 */
	noteRun(): Promise<void>;
	/** A file of the item. */
	readFile(field: string): Promise<InputFile>;
	/** Reads a public file outside of the API, without the key. */
	download(url: string): Promise<Buffer>;
}

export interface InputFile {
	name: string;
	mimeType: string;
	content: Buffer;
}

/** Which records of one list are wanted. */
interface ListFilter {
	isWanted(record: JsonObject, api: Api): boolean | Promise<boolean>;
	/** Tells what was left out, when enough of the list was read. @throws Error if no record could be judged */
	finish(tell: (message: string) => void): void;
}

/** What the node has to look for in a list itself, because the API has no filter for it. */
export interface Search {
	/** When records were created. The start is inclusive, the end is exclusive. */
	period?: { start?: DateTime; end?: DateTime };
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

/** An output item that has a file. A row's own `run` returns it in place of the record. */
export class WithFile {
	readonly record: JsonObject;

	readonly file: OutputFile;

	constructor(record: JsonObject, file: OutputFile) {
		this.record = record;
		this.file = file;
	}
}

/** How items share a request. Items with the same key go together, up to `size` of them. */
interface Gather<Input> {
	/** Undefined if the user wants a request for each item. */
	key(input: Input): string | undefined;
	merge(inputs: Input[]): Input;
	size: number;
}

/**
 * One operation: what the user sees, and what the API gets. Its form reads n8n's values as an `Input`,
 * which all functions of the row receive.
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
	/** The same in this account, if the reference does not show it. */
	requestIn?(names: Names): string;
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
	/** Default: read. A row that reads and sends a change fails. */
	does?: Does | ((input: NoInfer<Input>) => Does);
	/** The operation returns how many records the list has. It shows only these of the list's options. */
	countOptions?: readonly string[];
	/** What the node has to look for in the list itself. Undefined if the API's own filters are enough. */
	search?(input: NoInfer<Input>, now: DateTime, names: Names): Search | undefined;
	/** What Simplify keeps of the records. */
	simplify?(names: Names, input: NoInfer<Input>): Columns | undefined;
	/**
	 * Does the work itself. Only for operations that are more than one request or one list. It returns one
	 * record or several, also with files. An answer without a record is for it to judge.
	 */
	run?(input: NoInfer<Input>, context: RunContext): Promise<unknown>;
	/**
	 * Why these items must not be sent together, although each of them is right. For example, they would
	 * place more calls than the user allows. Called once, before anything is sent.
	 *
	 * @param refused how many other items could not be read
	 * @param node has the node's settings, such as Retry On Fail
	 */
	refuse?(inputs: Array<NoInfer<Input>>, refused: number, node: INode): string | undefined;
	/** Joins items that can share one request. */
	gather?: Gather<NoInfer<Input>>;
	/** What an error status means for this operation. */
	hints?(input: NoInfer<Input>): Readonly<Record<number, string>>;
}

/**
 * A row of the table, without the type of its input. This is safe, because the functions of a row only
 * receive what its own form made. They are declared as methods, so that all rows fit into one table.
 */
export type Operation = Row<JsonObject>;

/** Checks that the functions of a row fit the type that its form makes. */
export const operation = <Input extends JsonObject>(row: Row<Input>): Operation => row as Operation;

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

export const doesOf = ({ does = 'read' }: Operation, input: JsonObject): Does =>
	typeof does === 'function' ? does(input) : does;

export const changes = (does: Does): boolean => does.startsWith('change');

export const isList = ({ does }: Operation): boolean => does === 'list';

/** The operation's own parameters. */
export const fieldsOf = ({ fields }: Operation): Form<JsonObject> => fields?.() ?? form({});

/** How a list is counted. */
interface Counted {
	/** The operation that reads the list. */
	of: string;
	/** What it counts, in the words of an action: "contacts in contact list". */
	what: string;
	/** The options of that operation that choose records, as filters do. */
	options?: readonly string[];
	/** Part of the name, if the resource has more than one count. */
	suffix?: 'Contacts';
	/** Default: a text made of `what`. */
	description?: string;
}

/** A resource that also counts one of its lists, by the same request and filters. */
export function withCount(counted: Counted, resource: Resource): Resource {
	const { of, what, options = [], suffix } = counted;
	const { description = `Count all ${what}, or only those that match the filters` } = counted;
	const { request, fields, payload, search, hints } = resource.operations[of]!;
	const count: Operation = {
		name: suffix === undefined ? 'Count' : `Count ${suffix}`,
		action: `Count ${what}`,
		description,
		hint: "For 'how many': it needs no list. method says how it was found: total (of the API) or counted (the list was read).",
		request,
		fields,
		payload,
		search,
		hints,
		countOptions: options,
	};
	const operations = { ...resource.operations, [`count${suffix ?? ''}`]: count };
	return { ...resource, operations };
}

/**
 * Runs the work for one record after the other, also with Parallel Writes. Otherwise two items of the same
 * record would both read it before they write: both would find none and create one, or the later one would
 * write the fields back that the other had changed.
 *
 * @param key what the record is found by, such as its SKU or its path
 */
export async function runAlone<T>(
	{ share }: Pick<RunContext, 'share'>,
	key: string,
	work: () => Promise<T>,
): Promise<T> {
	const running = share('alone', () => new Map<string, Promise<unknown>>());
	// An ID is the same in capital letters.
	const name = key.toLowerCase();
	const before = running.get(name) ?? Promise.resolve();
	const result = before.then(work, work);
	running.set(name, result);
	return await result;
}

/** Sends a request about one record. Changes of the record take turns, reads do not. */
export async function sendAlone(
	{ api, share }: Pick<RunContext, 'api' | 'share'>,
	request: Request,
): Promise<Envelope> {
	const send = async () => await api.send(request);
	return await (request.method === 'GET' ? send() : runAlone({ share }, request.path, send));
}

/**
 * Whether n8n runs the whole node again if an item fails, although others are done: with Retry On Fail and
 * Continue, if there are several items.
 */
export function isRepeated(node: INode, items: number): boolean {
	const continues = node.continueOnFail === true || node.onError?.startsWith('continue') === true;
	return node.retryOnFail === true && continues && items > 1;
}
