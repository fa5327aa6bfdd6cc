import { currency, identifier, listOf, nullable, number, readFields, text } from '../checks.ts';
import type { Rules } from '../checks.ts';
import { invalid } from '../envelope.ts';
import { makeSku } from '../records.ts';
import { pageOf, searchIn, sortOf } from '../query.ts';
import { readRecord, unnamed } from '../put.ts';
import type { Catalogue, Item } from '../records.ts';
import { found, get, list, post, put, remove } from '../route.ts';
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

const catalogueOf = ({ store, params }: Exchange): Catalogue =>
	found(store.catalogues.get(params['catalogue_id']!), 'catalogue');

const itemOf = ({ store, params }: Exchange): Item =>
	found(store.items.get(params['item_id']!), 'catalogue item');

/** Counts all items once, as a page of catalogues would otherwise go through all of them for each line. */
function counter(store: Store): (catalogue: Catalogue) => Catalogue & { item_count: number } {
	const counts = new Map<string | null, number>();
	for (const { catalogue_id } of store.items.all())
		counts.set(catalogue_id, (counts.get(catalogue_id) ?? 0) + 1);
	return (catalogue) => ({ ...catalogue, item_count: counts.get(catalogue.id) ?? 0 });
}

type WrittenCatalogue = Pick<Catalogue, 'name' | 'description'>;

/** What a new catalogue holds in the fields that the body does not name. */
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

/** The whole item: the sent fields over `rest`. Section "Other records": a SKU is generated when omitted. */
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

function assign({ store, body }: Exchange) {
	const sent = readFields(body, ASSIGN_RULES, ['item_ids', 'catalogue_id']);
	const { item_ids, catalogue_id } = sent as { item_ids: string[]; catalogue_id: string | null };
	knownCatalogue(store, catalogue_id);
	const unknown = item_ids.filter((id) => !store.items.get(id));
	if (item_ids.length === 0) throw invalid('item_ids must name an item');
	if (unknown.length > 0) throw invalid('item_ids names unknown items', unknown);
	for (const id of item_ids) store.items.change(id, { catalogue_id });
	return { updated: item_ids.length };
}

const CATALOGUE = '/catalogues/{catalogue_id}';
const ITEMS = '/catalogues/items';
const ITEM = '/catalogues/items/{item_id}';

/** Section "Other endpoints", the lines of /catalogues. */
export const catalogueRoutes: Route[] = [
	list('/catalogues', 'catalogue', ['sort', 'search'], (exchange) => {
		const { store, query } = exchange;
		const order = sortOf(query, ['name', 'created_at']);
		const where = searchIn<Catalogue>(query, 'name');
		return pageOf(exchange, store.catalogues, { ...order, where }, counter(store));
	}),
	post('/catalogues', 'catalogue', (exchange) => {
		const { store } = exchange;
		return counter(store)(store.addCatalogue(readCatalogue(exchange, NEW_CATALOGUE)));
	}),
	get(CATALOGUE, 'catalogue', (exchange) => counter(exchange.store)(catalogueOf(exchange))),
	put(CATALOGUE, 'catalogue', (exchange) => {
		const { store } = exchange;
		const current = catalogueOf(exchange);
		const fields = readCatalogue(exchange, unnamed(exchange, current, NEW_CATALOGUE));
		return counter(store)(store.catalogues.change(current.id, fields));
	}),
	remove(CATALOGUE, 'catalogue', (exchange) => {
		const catalogue = catalogueOf(exchange);
		exchange.store.removeCatalogue(catalogue.id);
		return catalogue;
	}),
	list(ITEMS, 'item', ['sort', 'search', ...ITEM_FILTERS, 'min_price', 'max_price'], (exchange) => {
		const { store, query } = exchange;
		const order = sortOf(query, ['name', 'created_at', 'price']);
		return pageOf(exchange, store.items, { ...order, where: itemFilter(query) });
	}),
	post(ITEMS, 'item', (exchange) => exchange.store.addItem(readItem(exchange, NEW_ITEM))),
	get(ITEM, 'item', itemOf),
	put(ITEM, 'item', (exchange) => {
		const current = itemOf(exchange);
		const fields = readItem(exchange, unnamed(exchange, current, NEW_ITEM));
		return exchange.store.items.change(current.id, fields);
	}),
	remove(ITEM, 'item', (exchange) => {
		const item = itemOf(exchange);
		exchange.store.items.remove(item.id);
		return item;
	}),
	post('/catalogues/items/assign', 'other', assign, { outcome: 'changed' }),
];
