import type {
	ILoadOptionsFunctions,
	INodePropertyOptions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import { isObject, type JsonObject } from '../json';
import { ASSUMED } from '../domain/assumed';
import { isExpression, textOfLocator } from '../table/place';
import { calendarEventsIn } from '../domain/eventGroups';
import { namingKey, valuesByName } from '../domain/namedValues';
import { toolConfigIn } from '../domain/toolConfig';
import { columnAt, fieldPathOf, READ_ONLY } from '../table/record';
import { uuid } from '../table/schema';
import { titleOf } from '../words';
import { editorApi } from './editorApi';

/** A record whose fields the reference does not fully show. */
interface RecordKind {
	/** Path of records of this kind, whose fields are offered. Undefined if the user has yet to choose. */
	path: (context: ILoadOptionsFunctions) => string | undefined;
	/** The fields the reference names. */
	documented: readonly Column[];
	query?: Record<string, unknown>;
	records?: (data: unknown) => unknown;
}

interface Column {
	name: string;
	type?: ResourceMapperField['type'];
}

/** What to do if the credential needs an item. */
const WITHOUT_ITEM = "Set 'Specify Fields' to 'Using JSON' and enter the fields there.";

/** So many records probably show every field that is in use. */
const query = { limit: 25 };

const listed = (path: string) => () => path;

/** The records that users enter, with those of their fields that the reference names. */
const KINDS = {
	mapContact: {
		path: listed('/contacts'),
		query,
		documented: [
			{ name: ASSUMED.contactPhone, type: 'string' },
			{ name: 'secondary_phone_number', type: 'string' },
		],
	},
	mapCatalogue: {
		path: listed('/catalogues'),
		query,
		documented: [{ name: 'name', type: 'string' }],
	},
	mapItem: {
		path: listed('/catalogues/items'),
		query,
		documented: [
			{ name: 'name', type: 'string' },
			{ name: 'description', type: 'string' },
			{ name: 'sku', type: 'string' },
			{ name: 'price', type: 'number' },
			{ name: 'currency', type: 'string' },
			{ name: 'quantity', type: 'number' },
			{ name: 'category', type: 'string' },
		],
	},
	mapEvent: {
		path: listed('/events'),
		query,
		documented: [{ name: 'extras', type: 'object' }],
		records: calendarEventsIn,
	},
	mapAgentTool: { path: toolPath, documented: [], records: (data) => [toolConfigIn(data)] },
} satisfies Record<string, RecordKind>;

export const resourceMapping = Object.fromEntries(
	Object.entries(KINDS).map(([name, kind]) => [name, mapperOf(kind)]),
);

/** The path of the chosen tool: its fields are those of its current configuration. */
function toolPath(context: ILoadOptionsFunctions): string | undefined {
	const { agent_id: agent, tool } = context.getCurrentNodeParameters() ?? {};
	const id = uuid.safeParse(textOfLocator(agent)).data;
	if (id === undefined || typeof tool !== 'string' || isExpression(tool)) return undefined;
	return `/agents/${id}/tools/${encodeURIComponent(tool)}`;
}

type Mapper = (this: ILoadOptionsFunctions) => Promise<ResourceMapperFields>;

/** The dropdowns of fields to clear: the fields of the mapper, without the required ones. */
export const clearableFields = {
	getContactFields: fieldList(KINDS.mapContact, [ASSUMED.contactPhone]),
	getEventFields: fieldList(KINDS.mapEvent),
	getItemFields: fieldList(KINDS.mapItem, ['name', 'price']),
};

function fieldList(kind: RecordKind, required: string[] = []) {
	return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const { fields } = await mapperOf(kind).call(this);
		return fields
			.filter(({ id }) => !required.includes(id))
			.map(({ id, displayName }) => ({ name: displayName, value: id }));
	};
}

/** The columns of a resource mapper: documented fields first, then what the account's records have. */
function mapperOf(kind: RecordKind): Mapper {
	return async function () {
		const path = kind.path(this);
		if (path === undefined) return { fields: columnsOf(kind.documented, []) };
		const api = await editorApi(this, 'Fields', path, WITHOUT_ITEM);
		const { data } = await api.send({ method: 'GET', path, query: kind.query });
		const records = kind.records === undefined ? [data].flat() : kind.records(data);
		const known = Array.isArray(records) ? records.filter(isObject) : [];
		return { fields: columnsOf(kind.documented, known) };
	};
}

function columnsOf(documented: readonly Column[], records: JsonObject[]): ResourceMapperField[] {
	const columns = new Map<string, Column>(documented.map((column) => [column.name, column]));
	for (const record of records) {
		for (const [name, value] of valuesIn(record)) {
			const known = columns.get(name);
			// n8n would evaluate a stored name that begins with `=`.
			if (known?.type === undefined && !isExpression(name)) {
				columns.set(name, { ...known, name, type: typeOf(value) });
			}
		}
	}
	return [...columns.values()].map(({ name, type }) => ({
		id: name,
		displayName: title(name),
		required: false,
		defaultMatch: false,
		display: true,
		canBeUsedToMatch: false,
		...(type && { type }),
	}));
}

/** The columns of a record with their values. An inner field, such as a custom field, is a column. */
const valuesIn = (record: JsonObject): Array<[column: string, value: unknown]> =>
	Object.entries(record)
		.filter(([name]) => !READ_ONLY.test(name))
		.flatMap(([name, value]): Array<[string, unknown]> => {
			const key = namingKey(value);
			const inside = key === undefined ? value : valuesByName(value as JsonObject[], key);
			// A dot leads into a field.
			if (name.includes('.')) return [];
			if (!isObject(inside)) return [[name, inside]];
			return Object.entries(inside).map(([inner, entry]) => [
				columnAt({ name, inner, key }),
				entry,
			]);
		});

function typeOf(value: unknown): ResourceMapperField['type'] {
	if (typeof value === 'number' || typeof value === 'boolean') return typeof value as 'number';
	if (Array.isArray(value)) return 'array';
	return value === null ? undefined : 'string';
}

const title = (column: string) => {
	const { name, inner } = fieldPathOf(column);
	return [name, inner]
		.filter((part) => part !== undefined)
		.map(titleOf)
		.join(': ')
		.replace(/\b(Sku|Id)\b/g, (word) => word.toUpperCase());
};
