import {
	checkBatch,
	currency,
	identifier,
	listOf,
	nullable,
	number,
	readFields,
	text,
} from '../checks.ts';
import type { Rules } from '../checks.ts';
import { invalid, notFound } from '../envelope.ts';
import { makeSku } from '../make.ts';
import { pageOf, searchIn, sortOf } from '../query.ts';
import { readRecord, unnamed } from '../put.ts';
import type { Catalogue, Item } from '../records.ts';
import { PAGE } from '../route.ts';
import type { Exchange, Route } from '../route.ts';
import type { Store } from '../store.ts';

const CATALOGUE_RULES: Rules = { name: text({ min: 1 }), description: nullable(text()) };

const ITEM_RULES: Rules = {
	sku: nullable(text({ min: 1 })),
	name: text({ min: 1 }),
	description: nullable(text()),
	price: number({ min: 0 }),
	currency: nullable(currency),
	quantity: nullable(number({ min: 0, whole: true })),
	category: nullable(text()),
	catalogue_id: nullable(identifier),
};

const ASSIGN_RULES: Rules = {
	item_ids: listOf(identifier),
	catalogue_id: nullable(identifier),
};

/** The reference says "flexible filtering" and shows no names. */
const ITEM_FILTERS = ['catalogue_id', 'category', 'currency', 'sku'] as const;

function catalogueOf({ store, params }: Exchange): Catalogue {
	const catalogue = store.catalogues.get(params['catalogue_id']!);
	if (!catalogue) throw notFound('catalogue');
	return catalogue;
}

function itemOf({ store, params }: Exchange): Item {
	const item = store.items.get(params['item_id']!);
	if (!item) throw notFound('catalogue item');
	return item;
}

/** With an index, as a page of catalogues would otherwise go through all items for each line. */
function counter(store: Store): (catalogue: Catalogue) => Catalogue & { item_count: number } {
	const counts = new Map<string | null, number>();
	for (const { catalogue_id } of store.items.all())
		counts.set(catalogue_id, (counts.get(catalogue_id) ?? 0) + 1);
	return (catalogue) => ({ ...catalogue, item_count: counts.get(catalogue.id) ?? 0 });
}

type WrittenCatalogue = Pick<Catalogue, 'name' | 'description'>;

/** What stands in the fields that a body does not name. */
const NEW_CATALOGUE: Partial<WrittenCatalogue> = { description: null };

function readCatalogue(exchange: Exchange, rest: Partial<WrittenCatalogue>): WrittenCatalogue {
	const required = rest.name === undefined ? ['name'] : [];
	const { name, description } = { ...rest, ...readRecord(exchange, CATALOGUE_RULES, required) };
	return { name, description } as WrittenCatalogue;
}

function knownCatalogue(store: Store, id: string | null): void {
	if (id !== null && !store.catalogues.get(id)) throw invalid(`catalogue_id ${id} is unknown`);
}

type WrittenItem = Omit<Item, 'id' | 'created_at'>;

const NEW_ITEM: Partial<WrittenItem> = {
	description: null,
	currency: null,
	quantity: null,
	category: null,
	catalogue_id: null,
};

/** The whole item, over what stands in the fields that the body does not name: section "Other records", a SKU is generated when omitted. */
function readItem(exchange: Exchange, rest: Partial<Item>): WrittenItem {
	const { id: _, created_at: __, ...known } = rest;
	const required = ['name', 'price'].filter((field) => !Object.hasOwn(known, field));
	const sent = readRecord(exchange, ITEM_RULES, required) as Partial<Item>;
	const { store } = exchange;
	const sku = sent.sku ?? known.sku ?? makeSku(store.random);
	const item = { ...known, ...sent, sku } as WrittenItem;
	knownCatalogue(store, item.catalogue_id);
	return item;
}

function bound(query: Record<string, string>, name: string, fallback: number): number {
	const written = query[name];
	const value = written === undefined ? fallback : Number(written || NaN);
	if (Number.isNaN(value)) throw invalid(`${name} must be a number`);
	return value;
}

function itemFilter(query: Record<string, string>): (item: Item) => boolean {
	const [least, most] = [bound(query, 'min_price', -Infinity), bound(query, 'max_price', Infinity)];
	const wanted = ITEM_FILTERS.filter((name) => query[name] !== undefined);
	const found = searchIn<Item>(query, 'name', 'sku', 'description') ?? (() => true);
	return (item) => {
		const isEqual = wanted.every((name) => item[name] === query[name]);
		return isEqual && item.price >= least && item.price <= most && found(item);
	};
}

/** Section "Other endpoints", the lines of /catalogues. */
export const catalogueRoutes: Route[] = [
	{
		method: 'GET',
		path: '/catalogues',
		kind: 'catalogue',
		query: ['sort', 'search', ...PAGE],
		handle(exchange) {
			const { store, query } = exchange;
			const selection = {
				...sortOf(query, ['name', 'created_at']),
				where: searchIn<Catalogue>(query, 'name'),
			};
			return pageOf(exchange, store.catalogues, selection, counter(store));
		},
	},
	{
		method: 'POST',
		path: '/catalogues',
		kind: 'catalogue',
		outcome: 'created',
		body: true,
		handle(exchange) {
			const { store } = exchange;
			return { data: counter(store)(store.addCatalogue(readCatalogue(exchange, NEW_CATALOGUE))) };
		},
	},
	{
		method: 'GET',
		path: '/catalogues/{catalogue_id}',
		kind: 'catalogue',
		handle: (exchange) => ({ data: counter(exchange.store)(catalogueOf(exchange)) }),
	},
	{
		method: 'PUT',
		path: '/catalogues/{catalogue_id}',
		kind: 'catalogue',
		outcome: 'changed',
		body: true,
		handle(exchange) {
			const { store } = exchange;
			const current = catalogueOf(exchange);
			const fields = readCatalogue(exchange, unnamed(exchange, current, NEW_CATALOGUE));
			return { data: counter(store)(store.catalogues.change(current.id, fields)) };
		},
	},
	{
		method: 'DELETE',
		path: '/catalogues/{catalogue_id}',
		kind: 'catalogue',
		outcome: 'deleted',
		handle(exchange) {
			const catalogue = catalogueOf(exchange);
			exchange.store.removeCatalogue(catalogue.id);
			return { data: catalogue };
		},
	},
	{
		method: 'GET',
		path: '/catalogues/items',
		kind: 'item',
		query: ['sort', 'search', ...ITEM_FILTERS, 'min_price', 'max_price', ...PAGE],
		handle(exchange) {
			const { store, query } = exchange;
			const selection = {
				...sortOf(query, ['name', 'created_at', 'price']),
				where: itemFilter(query),
			};
			return pageOf(exchange, store.items, selection);
		},
	},
	{
		method: 'POST',
		path: '/catalogues/items',
		kind: 'item',
		outcome: 'created',
		body: true,
		handle: (exchange) => ({ data: exchange.store.addItem(readItem(exchange, NEW_ITEM)) }),
	},
	{
		method: 'GET',
		path: '/catalogues/items/{item_id}',
		kind: 'item',
		handle: (exchange) => ({ data: itemOf(exchange) }),
	},
	{
		method: 'PUT',
		path: '/catalogues/items/{item_id}',
		kind: 'item',
		outcome: 'changed',
		body: true,
		handle(exchange) {
			const current = itemOf(exchange);
			const fields = readItem(exchange, unnamed(exchange, current, NEW_ITEM));
			return { data: exchange.store.items.change(current.id, fields) };
		},
	},
	{
		method: 'DELETE',
		path: '/catalogues/items/{item_id}',
		kind: 'item',
		outcome: 'deleted',
		handle(exchange) {
			const item = itemOf(exchange);
			exchange.store.items.remove(item.id);
			return { data: item };
		},
	},
	{
		method: 'POST',
		path: '/catalogues/items/assign',
		kind: 'other',
		outcome: 'changed',
		body: true,
		handle({ store, body, behaviour }) {
			checkBatch(body, behaviour.readings);
			const sent = readFields(body, ASSIGN_RULES, ['item_ids', 'catalogue_id']);
			const { item_ids, catalogue_id } = sent as {
				item_ids: string[];
				catalogue_id: string | null;
			};
			knownCatalogue(store, catalogue_id);
			const unknown = item_ids.filter((id) => !store.items.get(id));
			if (item_ids.length === 0) throw invalid('item_ids must name an item');
			if (unknown.length > 0) throw invalid('item_ids names unknown items', unknown);
			for (const id of item_ids) store.items.change(id, { catalogue_id });
			return { data: { updated: item_ids.length } };
		},
	},
];
