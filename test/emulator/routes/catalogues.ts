import {
	currency,
	identifier,
	listOf,
	nullable,
	number,
	readFields,
	text,
	type Rules,
} from '../checks.ts';
import { crud } from '../crud.ts';
import { invalid } from '../envelope.ts';
import { onlyWith, pageOf, searchIn, sortOf } from '../query.ts';
import { makeSku, type Catalogue, type Item } from '../records.ts';
import { found, list, post, type Exchange, type Route } from '../route.ts';
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

/** Counts all items once, as a page of catalogues would otherwise go through all of them for each line. */
function counter(store: Store): (catalogue: Catalogue) => Catalogue & { item_count: number } {
	const counts = new Map<string | null, number>();
	for (const { catalogue_id } of store.items.all())
		counts.set(catalogue_id, (counts.get(catalogue_id) ?? 0) + 1);
	return (catalogue) => ({ ...catalogue, item_count: counts.get(catalogue.id) ?? 0 });
}

function knownCatalogue(store: Store, id: string | null | undefined): void {
	if (id && !store.catalogues.get(id)) throw invalid(`catalogue_id ${id} is unknown`);
}

function bound(query: Record<string, string>, name: string, fallback: number): number {
	const written = query[name];
	const value = written === undefined ? fallback : Number(written || NaN);
	if (Number.isNaN(value)) throw invalid(`${name} must be a number`);
	return value;
}

function itemFilters(query: Record<string, string>): Array<(item: Item) => boolean> {
	const [least, most] = [bound(query, 'min_price', -Infinity), bound(query, 'max_price', Infinity)];
	return [
		...ITEM_FILTERS.map((name) => onlyWith<Item>(name, query[name])),
		({ price }) => price >= least && price <= most,
		searchIn<Item>(query, 'name', 'sku', 'description'),
	];
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

const ITEMS = '/catalogues/items';

/** Section "Other endpoints", the lines of /catalogues. */
export const catalogueRoutes: Route[] = [
	list('/catalogues', 'catalogue', ['sort', 'search'], (exchange) => {
		const { store, query } = exchange;
		const order = sortOf(query, ['name', 'created_at']);
		const where = [searchIn<Catalogue>(query, 'name')];
		return pageOf(exchange, store.catalogues, { ...order, where }, counter(store));
	}),
	...crud<Catalogue>({
		kind: 'catalogue',
		path: '/catalogues',
		paths: { '/catalogues/{catalogue_id}': [] },
		tableOf: ({ store }) => store.catalogues,
		find: ({ store, params }) => found(store.catalogues.get(params['catalogue_id']!), 'catalogue'),
		rulesOf: () => CATALOGUE_RULES,
		required: ['name'],
		blank: { description: null },
		add: ({ store }, catalogue) => store.addCatalogue(catalogue),
		remove({ store }, { id }) {
			// Its items become standalone.
			for (const item of store.items.all())
				if (item.catalogue_id === id) store.items.change(item.id, { catalogue_id: null });
			store.catalogues.remove(id);
		},
		show: ({ store }, catalogue) => counter(store)(catalogue),
	}),
	list(ITEMS, 'item', ['sort', 'search', ...ITEM_FILTERS, 'min_price', 'max_price'], (exchange) => {
		const { store, query } = exchange;
		const order = sortOf(query, ['name', 'created_at', 'price']);
		return pageOf(exchange, store.items, { ...order, where: itemFilters(query) });
	}),
	...crud<Item>({
		kind: 'item',
		path: ITEMS,
		paths: { [`${ITEMS}/{item_id}`]: [] },
		tableOf: ({ store }) => store.items,
		find: ({ store, params }) => found(store.items.get(params['item_id']!), 'catalogue item'),
		rulesOf: () => ITEM_RULES,
		required: ['name', 'price'],
		blank: {
			description: null,
			currency: null,
			quantity: null,
			category: null,
			catalogue_id: null,
		},
		check({ store }, { catalogue_id, sku }) {
			knownCatalogue(store, catalogue_id);
			// Section "Other records": a SKU is generated when omitted.
			return { sku: sku ?? makeSku(store.random) };
		},
		add: ({ store }, item) => store.addItem(item),
	}),
	post('/catalogues/items/assign', 'other', assign, { outcome: 'changed' }),
];
