import type { INode } from 'n8n-workflow';
import type { DateTime } from 'luxon';

import { form, type Form, type Parameter } from './form';
import { fitting, type JsonObject } from '../json';
import type { RecordsIn } from '../api/lists';
import type { Names } from '../api/names';
import { pathTo } from '../api/path';
import type { Api } from '../api/session';
import type { Columns } from '../domain/simplify';

/**
 * What a row does, known before anything is sent. Rows that read run in parallel, those that change something
 * one after another in each account, unless the user raises it. A `list` gets Return All and Limit. With
 * `changeInTurn`, an item waits for those before it in all accounts, until they have ended or call `endTurn`.
 */
export type Does = 'read' | 'list' | 'change' | 'changeInTurn';

type ChangingMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Method and path in the words of the reference, such as `GET /orders/{order_id}`. */
type Endpoint = `${'GET' | ChangingMethod} /${string}`;

/** What a row's `run` gets: the requests of the item's account, and what the run knows. */
export interface RowApi extends Api {
	/** One record. @throws NodeApiError if there is none */
	get(path: string): Promise<JsonObject>;
	/** The records of a list from its start, as many as the user wants. */
	list(path: string, query?: JsonObject, sought?: Sought): Promise<JsonObject[]>;
	/** How many records a list has, as an item. */
	count(path: string, query?: JsonObject, sought?: Sought): Promise<JsonObject>;
	/** Changes something, and returns the data of the answer. */
	change(method: ChangingMethod, path: string, body?: JsonObject): Promise<unknown>;
	/**
	 * Runs the work for one record after the other, also with Parallel Writes. Otherwise two items of the same
	 * record would both read it before they write: both would find none and create one, or the later one would
	 * write the fields back that the other had changed.
	 *
	 * @param key what the record is found by, such as its SKU or its path
	 */
	alone<T>(key: string, work: () => Promise<T>): Promise<T>;
	/** How many records of a list the user wants. */
	wanted: number;
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

/** What the node looks for in a list itself, because the API has no filter for it. */
export interface Sought {
	/** When records were created. The start is inclusive, the end is exclusive. */
	period?: { start?: DateTime; end?: DateTime };
	/** The fields that may hold a record's date. Default: created_at. */
	dateFields?: readonly string[];
	filter?: ListFilter;
	/** The records that are wanted among those of a page. It may ask the API for more of each. */
	choose?(records: JsonObject[]): Promise<JsonObject[]>;
	/** Finds the records in the data of an answer, if they are not the data itself. */
	records?: RecordsIn;
	/** How many records are needed. Default: as many as the user wants. */
	wanted?: number;
}

interface ListFilter {
	isWanted(record: JsonObject, api: Api): boolean | Promise<boolean>;
	/** Tells what was left out, when enough of the list was read. @throws Error if no record could be judged */
	finish(tell: (message: string) => void): void;
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

/** An output item that has a file. A row's `run` returns it in place of the record. */
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
	/** What it is in the reference: an error names the permission and the scope that this needs. */
	request: Endpoint;
	/**
	 * The parameters, and the input that they are read as. A function, so that only the row that runs is built.
	 */
	fields?: () => Form<Input>;
	/** Default: read. A row that reads and sends a change fails. */
	does?: Does | ((input: NoInfer<Input>) => Does);
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
	/** Sends the requests. It returns one record or several, also with files, or nothing after a change. */
	run(input: NoInfer<Input>, api: RowApi): Promise<unknown>;
	/** What Simplify keeps of the records. */
	simplify?(names: Names, input: NoInfer<Input>): Columns | undefined;
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

/** Makes rows whose only parameter is the record they are about, such as Delete. */
export const rowsAbout =
	<T>(record: Readonly<Record<string, Parameter<T>>>) =>
	(row: Omit<Operation, 'fields'>): Operation => ({ ...row, fields: () => form(record) });

type Sending = Pick<Operation, 'request' | 'does' | 'run'>;

/**
 * A row that sends one request: `...sends('PATCH /orders/{order_id}')`. The input fills the braces. A GET sends
 * the rest of it as the query, all other methods as the body.
 *
 * @param named the same in an account, if the reference does not show it
 */
export const sends = (
	request: Endpoint,
	named: (names: Names) => string = () => request,
): Sending => ({
	request,
	does: request.startsWith('GET ') ? 'read' : 'change',
	async run(input, api) {
		const [method, pattern] = named(api.names).split(' ') as ['GET' | ChangingMethod, string];
		const path = pathTo(pattern, input);
		const rest = restOf(input, pattern);
		if (method === 'GET') {
			const { data } = await api.send({ method, path, query: rest });
			if (data === null) throw api.nothing();
			if (Array.isArray(data) && data.length === 0) throw api.malformed('it holds no record');
			return data;
		}
		const change = async () => await api.change(method, path, rest);
		const data = await (pattern.includes('{') ? api.alone(path, change) : change());
		// n8n's rule, whatever the API answers.
		return method === 'DELETE' ? { deleted: true } : data;
	},
});

/** A row that reads a list: `...lists('/catalogues')`. The input fills the braces, and the rest is the query. */
export const lists = (pattern: `/${string}`): Sending => ({
	request: `GET ${pattern}`,
	does: 'list',
	run: async (input, api) => await api.list(pathTo(pattern, input), restOf(input, pattern)),
});

/** The same list, counted. */
export const counts = (pattern: `/${string}`): Sending => ({
	request: `GET ${pattern}`,
	does: 'read',
	run: async (input, api) => await api.count(pathTo(pattern, input), restOf(input, pattern)),
});

const restOf = (input: JsonObject, pattern: string): JsonObject =>
	fitting(input, (name) => !pattern.includes(`{${name}}`));

/** The texts of a row that counts. @param what in the words of an action: "contacts in contact list" */
export const counting = (
	what: string,
	description = `Count all ${what}, or only those that match the filters`,
) => ({
	name: 'Count',
	action: `Count ${what}`,
	description,
	hint: "For 'how many': it needs no list. method says how it was found: total (of the API) or counted (the list was read).",
});

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

/**
 * Whether n8n runs the whole node again if an item fails, although others are done: with Retry On Fail and
 * Continue, if there are several items.
 */
export function isRepeated(node: INode, items: number): boolean {
	const continues = node.continueOnFail === true || node.onError?.startsWith('continue') === true;
	return node.retryOnFail === true && continues && items > 1;
}
