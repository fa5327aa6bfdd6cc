import type { DateTime } from 'luxon';

import type { RecordsIn } from '../api/lists';
import type { Api } from '../api/session';
import type { JsonObject } from '../json';

export type ChangingMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

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
	/** When the execution began, in the workflow's time zone. The same for all items. */
	now: DateTime;
	/** Shows the user a hint although the operation succeeded. */
	tell(message: string): void;
	/** Lets the next item run, because this one only waits from here on. */
	endTurn(): void;
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
	filter?: {
		isWanted(record: JsonObject, api: Api): boolean | Promise<boolean>;
		/** Tells what was left out, when enough of the list was read. @throws Error if no record could be judged */
		finish(tell: RowApi['tell']): void;
	};
	/** The records that are wanted among those of a page. It may ask the API for more of each. */
	choose?(records: JsonObject[]): Promise<JsonObject[]>;
	records?: RecordsIn;
	/** How many records are needed. Default: as many as the user wants. */
	wanted?: number;
}

/** A file of an output item. Without `mimeType` n8n finds it out from the name and the content. */
type OutputFile = Omit<InputFile, 'mimeType'> & { field: string; mimeType?: string };

/** An output item that has a file. A row's `run` returns it in place of the record. */
export class WithFile {
	readonly record: JsonObject;

	readonly file: OutputFile;

	constructor(record: JsonObject, file: OutputFile) {
		this.record = record;
		this.file = file;
	}
}
