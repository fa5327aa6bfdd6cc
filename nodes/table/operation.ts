import type { INode, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { DateTime } from 'luxon';
import type { z } from 'zod';

import {
	firstKey,
	limit,
	output,
	requestOptions,
	returnAll,
	selectedFields,
	simplify,
} from './fields';
import { byText, type JsonObject } from '../json';
import type { Period } from './period';
import { sharedFields } from './sharedFields';
import type { Api, Request } from '../api/session';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a row's own `run` works with. */
export interface RunContext {
	api: Api;
	/** The row's own request, filled from its input. */
	request(): Request;
	/** The row's list from its start: `wanted` records, or as many as the user asked for. */
	list(wanted?: number): Promise<JsonObject[]>;
	/** What the items of one account have in common, made by the first that asks. `reader` is for all. */
	share<T>(make: (reader: Api) => T): T;
	/** What the items of all accounts have in common, made by the first that asks. */
	shareInRun<T>(make: () => T): T;
	/** When the execution began, in the workflow's time zone; the same for all items. */
	now: DateTime;
	/** Tells the user something of an answer that is a success all the same. */
	tell(message: string): void;
	/** From here on the item only waits: the next item gets its turn. */
	endTurn(): void;
}

/** What the node looks for in a list by itself, because the API cannot. */
export interface Search {
	/** When records were created. */
	period?: Partial<Period>;
	/** The fields that may hold a record's date, other than created_at. */
	dateFields?: readonly string[];
	/** Whether a record is wanted. @throws Error where it does not tell */
	isWanted?(record: JsonObject): boolean;
	/** Whether the list was asked for with the oldest record first. */
	isOldestFirst?: boolean;
}

/** A file that goes out beside a record, as n8n's binary data. */
export interface OutputFile {
	/** The field of the item's binary data. */
	field: string;
	name: string;
	/** Undefined leaves it to n8n, which tells it by the name and the content. */
	mimeType?: string;
	content: Buffer;
}

/** What one output item is made of. */
export interface Delivery {
	record: JsonObject;
	file?: OutputFile;
}

/** Reads a public file outside of the API, without the key. */
export type Download = (url: string) => Promise<Buffer>;

/** How items share a request: those of one key go together, up to `size` of them. */
export interface Gather<Input> {
	/** Undefined where the user wants a request for each item. */
	key(input: Input): string | undefined;
	merge(inputs: Input[]): Input;
	size(input: Input): number;
}

/**
 * One operation: what a user sees, and what the API gets. `Input` is what the row's `input` makes of
 * n8n's values, and what the row's own functions receive.
 */
export interface Row<Input extends JsonObject> {
	name: string;
	action: string;
	description: string;
	/** What an AI that builds workflows should know beyond the description; older n8n ignores it. */
	hint?: string;
	/**
	 * `{curly}` segments are filled from the input, and leave it; the rest is sent. A list fills
	 * several segments.
	 */
	request: `${Method} /${string}`;
	/** Plain n8n literals; a parameter's name is the API's name. */
	fields: INodeProperties[];
	/** n8n's values → the input. A function, so that no schema is built before it is needed. */
	input?: () => z.ZodType<Input, z.ZodTypeDef, unknown>;
	/**
	 * What is sent, where that is not the rest of the input: it leaves out what only steers this
	 * package, and keeps names that the user gave apart from those that fill the path.
	 */
	payload?(input: NoInfer<Input>): JsonObject;
	/** The method where the user chooses it. */
	method?(input: NoInfer<Input>): string;
	/** The answer is a list, with Return All and Limit. */
	many?: boolean;
	/** The answer is how many records the list has. */
	counts?: boolean;
	/** The records inside a list's data, where they are not the data itself. */
	records?: (data: unknown) => unknown;
	/** What the node has to look for in the list by itself; undefined where the API finds it all. */
	search?(input: NoInfer<Input>, now: DateTime): Search | undefined;
	/** What Simplify makes of a record. */
	simplify?(record: JsonObject, input: NoInfer<Input>): JsonObject;
	/**
	 * What the records of a list become: with what other endpoints know of them, or several of one.
	 * Undefined if they stay as they are.
	 */
	enrich?(
		input: NoInfer<Input>,
		api: Api,
	): ((records: JsonObject[]) => Promise<JsonObject[]>) | undefined;
	/** The user may ask for anything, so that any answer is right, an empty list too. */
	isAny?: boolean;
	/** Only for the few that are more than one request, or pages of one. */
	run?(input: NoInfer<Input>, call: RunContext): Promise<unknown>;
	/**
	 * Why the items, each of them right, may not be sent together; asked before the first is.
	 *
	 * @param refused how many items are not among them, because they could not be read
	 * @param node its settings, such as Retry On Fail
	 */
	refuse?(inputs: Array<NoInfer<Input>>, refused: number, node: INode): string | undefined;
	/** What a record goes out as, where that is more than the record: a file beside it. */
	deliver?(input: NoInfer<Input>, record: JsonObject, download: Download): Promise<Delivery>;
	/** Turns the inputs of several items that can go together into one. */
	gather?: Gather<NoInfer<Input>>;
	/** What the user should know of an answer that is a success all the same. */
	notice?(input: NoInfer<Input>, records: JsonObject[]): string | undefined;
	/** Where it differs from the rule of the reference's "Authentication" 4. */
	permission?: string;
	scope?: string;
	/** What a status means here in particular. */
	hints?: Readonly<Record<number, string>>;
	/** The same, where it depends on what was asked for. */
	hintsFor?(input: NoInfer<Input>): Readonly<Record<number, string>>;
}

/**
 * A row of the table, whatever its input is: only what its own `input` made is ever handed to its
 * own functions. They are declared as methods, so that rows of all inputs fit into one table.
 */
export type Operation = Row<JsonObject>;

/** A row whose functions receive the input that its schema makes, with its type. */
export const operation = <Input extends JsonObject>(row: Row<Input>): Operation => row;

/** An input that is not sent, because all of it steers this package. */
export const nothing = (): JsonObject => ({});

export interface Resource {
	name: string;
	description: string;
	operations: Record<string, Operation>;
}

export type Resources = Record<string, Resource>;

/** What an answer that holds no record is handed on as, where that is a success. */
export const DONE = { success: true };

/** The method a request will have. */
export function methodOf({ method, request }: Operation, input: JsonObject): string {
	return method?.(input) ?? (request.split(' ')[0] as Method);
}

/** The permission an API key needs to read. Reference: "Authentication" 4. */
export const READ_PERMISSION = 'READ or READ_WRITE';

/** The permission an API key needs. Reference: "Authentication" 4. */
export function permissionOf({ permission, request }: Operation): string {
	if (permission !== undefined) return permission;
	return request.startsWith('GET ') ? READ_PERMISSION : 'READ_WRITE';
}

/** What may be left alone: it comes after what the operation is about. */
const REFINEMENTS = new Set(['filters', 'options']);

/** An operation's own parameters in the editor's order. */
export function parametersOf(operation: Operation): INodeProperties[] {
	const isRefinement = ({ name }: INodeProperties) => REFINEMENTS.has(name);
	return [
		...operation.fields.filter((field) => !isRefinement(field)),
		...(operation.many ? [returnAll, limit] : []),
		...(operation.simplify ? [simplify, output, selectedFields] : []),
		...operation.fields.filter(isRefinement),
	];
}

/** The resource that the node opens on. */
const START_RESOURCE = 'call';

/** The operation that a resource opens on: the one that most people start with. */
const startOf = (operations: Record<string, Operation>): string =>
	'getAll' in operations ? 'getAll' : firstKey(operations);

/** The table as n8n's properties: the two selectors, then each operation's parameters. */
export function toProperties(resources: Resources): INodeProperties[] {
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: Object.entries(resources)
				.map(([value, { name, description }]) => ({ name, value, description }))
				.sort(byName),
			default: START_RESOURCE,
		},
		...Object.entries(resources).flatMap(([resource, { operations }]) => [
			operationSelector(resource, operations),
			...parameters(resource, operations),
		]),
		requestOptions,
	];
}

function operationSelector(
	resource: string,
	operations: Record<string, Operation>,
): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: Object.entries(operations)
			.map(([value, { name, action, description, hint }]) => ({
				name,
				value,
				action,
				description,
				...(hint && { builderHint: { propertyHint: hint } }),
			}))
			.sort(byName),
		default: startOf(operations),
	};
}

/** Each operation's parameters. */
function parameters(resource: string, operations: Record<string, Operation>): INodeProperties[] {
	const fields = Object.fromEntries(
		Object.entries(operations).map(([operation, row]) => [operation, parametersOf(row)]),
	);
	return sharedFields(fields).map(({ field, rows: operation }) => ({
		...field,
		displayOptions: {
			...field.displayOptions,
			show: { resource: [resource], operation, ...field.displayOptions?.show },
		},
	}));
}

const byName = byText<INodePropertyOptions>(({ name }) => name);
