import type { IExecuteFunctions } from 'n8n-workflow';

import { form, type Form } from './form';
import { fitting, type JsonObject } from '../json';
import type { Names } from '../api/names';
import { pathTo } from '../api/path';
import type { Account } from '../api/account';
import type { ChangingMethod, RowApi } from './rowApi';
import type { Columns, Shape } from '../domain/simplify';

/**
 * What a row does, known before anything is sent. Rows that read run in parallel, those that change something
 * one after another in each account, unless the user raises it. A `list` gets Return All and Limit. With
 * `changeInTurn`, an item waits for those before it in all accounts, until they have ended or call `endTurn`.
 */
export type Does = 'read' | 'list' | 'change' | 'changeInTurn';

type Endpoint = `${'GET' | ChangingMethod} /${string}`;

/** What an item asks for, or several that share a request. */
export interface Task<Input = JsonObject> {
	/** The input items it stands for. If it fails, the error names the first. */
	items: [first: number, ...others: number[]];
	/** The account of these items: no other account's key may be sent. */
	account: Account;
	input: Input;
	/** How many records of a list the user wants. */
	wanted: number;
	/** Undefined for all fields. */
	shape?: Shape;
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
	/** What it is in the reference: `GET /orders/{order_id}`. An error names the permission and the scope for this. */
	request: Endpoint;
	/** The parameters. A function, so that only the row that runs is built. */
	fields?: () => Form<Input>;
	/** Default: read. A row that reads and sends a change fails. */
	does?: Does | ((input: NoInfer<Input>) => Does);
	/**
	 * Joins items that can share a request, or refuses all that must not be sent together, although each of them
	 * is right. Called once, before anything is sent.
	 *
	 * @param refused how many other items could not be read
	 * @throws Error that says why none of them may be sent
	 */
	arrange?(
		all: Array<Task<NoInfer<Input>>>,
		refused: number,
		context: IExecuteFunctions,
	): Array<Task<NoInfer<Input>>>;
	/** Sends the requests. It returns one record or several, also with files, or nothing after a change. */
	run(input: NoInfer<Input>, api: RowApi): Promise<unknown>;
	/** What Simplify keeps of the records. */
	simplify?(names: Names, input: NoInfer<Input>): Columns | undefined;
	hints?(input: NoInfer<Input>): Readonly<Record<number, string>>;
}

/** A row without the type of its input. This is safe: its functions only receive what its own form made. */
export type Operation = Row<JsonObject>;

/** Checks that the functions of a row fit what its form makes. */
export const operation = <Input extends JsonObject>(row: Row<Input>): Operation => row as Operation;

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

export const fieldsOf = ({ fields }: Operation): Form<JsonObject> => fields?.() ?? form({});
