import type {
	ILoadOptionsFunctions,
	INodePropertyOptions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import type { RecordsIn } from '../api/lists';
import { USUAL_NAMES, type Names } from '../api/names';
import { isObject, type JsonObject } from '../json';
import { isExpression, textOfLocator } from '../table/place';
import { calendarEventsIn } from '../domain/eventGroups';
import { namingKey, valuesByName } from '../domain/namedValues';
import { toolConfigIn } from '../domain/agentParts';
import { fieldPathOf, READ_ONLY } from '../table/record';
import { uuid } from '../table/schema';
import { titleOf } from '../words';
import { editorApi } from './editorApi';

type ColumnType = ResourceMapperField['type'];

/** A record whose fields the reference does not fully show. */
interface RecordKind {
	/** Path of records of this kind, whose fields are offered. Undefined if the user has yet to choose. */
	path: (context: ILoadOptionsFunctions) => string | undefined;
	documented: (names: Names) => readonly string[];
	query?: Record<string, unknown>;
	records?: RecordsIn;
}

const listed = (
	path: string,
	documented: RecordKind['documented'],
	records?: RecordsIn,
): RecordKind => ({
	path: () => path,
	// So many records probably show every field that is in use.
	query: { limit: 25 },
	documented,
	records,
});

const KINDS = {
	mapContact: listed('/contacts', ({ contactPhone }) => [contactPhone, 'secondary_phone_number']),
	mapCatalogue: listed('/catalogues', () => ['name']),
	mapItem: listed('/catalogues/items', ({ itemSku }) => [
		'name',
		'description',
		itemSku,
		'price',
		'currency',
		'quantity',
		'category',
	]),
	mapEvent: listed('/events', () => ['extras'], calendarEventsIn),
	mapAgentTool: { path: toolPath, documented: () => [], records: (data) => [toolConfigIn(data)] },
} satisfies Record<string, RecordKind>;

/** The types of documented fields that are no text. */
const TYPES: Readonly<Record<string, ColumnType>> = {
	price: 'number',
	quantity: 'number',
	extras: 'object',
};

export const resourceMapping = Object.fromEntries(
	Object.entries<RecordKind>(KINDS).map(([name, kind]) => [
		name,
		async function (this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
			const { fields } = await columnsIn(this, kind);
			return { fields };
		},
	]),
);

/** The path of the chosen tool: its fields are those of its current configuration. */
function toolPath(context: ILoadOptionsFunctions): string | undefined {
	const { agent_id: agent, tool } = context.getCurrentNodeParameters() ?? {};
	const id = uuid.safeParse(textOfLocator(agent)).data;
	if (id === undefined || typeof tool !== 'string' || isExpression(tool)) return undefined;
	return `/agents/${id}/tools/${encodeURIComponent(tool)}`;
}

/** The dropdowns of fields to clear: the fields of the mapper, without the required ones. */
export const clearableFields = {
	getContactFields: fieldList(KINDS.mapContact, ({ contactPhone }) => [contactPhone]),
	getEventFields: fieldList(KINDS.mapEvent),
	getItemFields: fieldList(KINDS.mapItem, () => ['name', 'price']),
};

function fieldList(kind: RecordKind, required: RecordKind['documented'] = () => []) {
	return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const { fields, names } = await columnsIn(this, kind);
		return fields
			.filter(({ id }) => !required(names).includes(id))
			.map(({ id, displayName }) => ({ name: displayName, value: id }));
	};
}

/** The columns of a resource mapper: documented fields first, then what the account's records have. */
async function columnsIn(
	context: ILoadOptionsFunctions,
	{ path: pathIn, documented, query, records = (data) => data }: RecordKind,
) {
	const path = pathIn(context);
	if (path === undefined) return { fields: [], names: USUAL_NAMES };
	const advice = "Set 'Specify Fields' to 'Using JSON' and enter the fields there.";
	const api = await editorApi(context, path, advice);
	const { data } = await api.send({ method: 'GET', path, query });
	const known = records(data);
	const entries: unknown[] = Array.isArray(known) ? known : [];
	const fields = columnsOf(documented(api.names), entries.filter(isObject));
	return { fields, names: api.names };
}

function columnsOf(documented: readonly string[], records: JsonObject[]): ResourceMapperField[] {
	const columns = new Map<string, ColumnType>(
		documented.map((name) => [name, TYPES[name] ?? 'string']),
	);
	for (const [name, value] of records.flatMap(valuesIn)) {
		// n8n would evaluate a stored name that begins with `=`.
		if (!isExpression(name)) columns.set(name, columns.get(name) ?? typeOf(value));
	}
	return [...columns].map(([name, type]) => ({
		id: name,
		displayName: title(name),
		required: false,
		defaultMatch: false,
		display: true,
		canBeUsedToMatch: false,
		type,
	}));
}

/** The columns of a record with their values. An inner field, such as a custom field, is a column. */
const valuesIn = (record: JsonObject): Array<[column: string, value: unknown]> =>
	Object.entries(record).flatMap(([name, value]): Array<[string, unknown]> => {
		// A dot leads into a field.
		if (READ_ONLY.test(name) || name.includes('.')) return [];
		const key = namingKey(value);
		const inside = key === undefined ? value : valuesByName(value as JsonObject[], key);
		if (!isObject(inside)) return [[name, inside]];
		const path = name + (key === undefined ? '' : `[${key}]`);
		return Object.entries(inside).map(([inner, entry]) => [`${path}.${inner}`, entry]);
	});

function typeOf(value: unknown): ColumnType {
	if (typeof value === 'number' || typeof value === 'boolean') return typeof value as 'number';
	if (Array.isArray(value)) return 'array';
	return value === null ? undefined : 'string';
}

function title(column: string): string {
	const { name, inner } = fieldPathOf(column);
	const whole = titleOf(inner === undefined ? name : `${name}: ${inner}`);
	return whole.replace(/\b(Sku|Id)\b/g, (word) => word.toUpperCase());
}
