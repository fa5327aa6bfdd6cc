import { listOf, nullable, number, text } from '../checks.ts';
import { invalid } from '../envelope.ts';
import { equals, list } from '../list.ts';
import { makeSku, type Catalogue, type Item } from '../records.ts';
import { crud, found, post, type Exchange, type Route } from '../route.ts';
import type { Store } from '../store.ts';

function knownCatalogue(store: Store, id: string | null | undefined): void {
	if (id && !store.catalogues.get(id)) throw invalid(`catalogue_id ${id} is unknown`);
}

const withCount = (catalogue: Catalogue, store: Store) => ({
	...catalogue,
	item_count: store.items.all().filter(({ catalogue_id }) => catalogue_id === catalogue.id).length,
});

function assign({ store, body }: Exchange) {
	const { item_ids, catalogue_id } = body as { item_ids: string[]; catalogue_id: string | null };
	knownCatalogue(store, catalogue_id);
	const unknown = item_ids.filter((id) => !store.items.get(id));
	if (unknown.length > 0) throw invalid('item_ids names unknown items', unknown);
	for (const id of item_ids) store.items.change(id, { catalogue_id });
	return { updated: item_ids.length };
}

/** Section "Other endpoints", the lines of /catalogues. */
export const catalogueRoutes: Route[] = [
	list<Catalogue>('/catalogues', 'catalogue', {
		rows: ({ store }) => store.catalogues,
		searched: ['name'],
		sorts: ['name', 'created_at'],
		show: (catalogue, { store }) => withCount(catalogue, store),
	}),
	...crud<Catalogue>({
		kind: 'catalogue',
		path: '/catalogues',
		paths: ['/catalogues/{catalogue_id}'],
		tableOf: (store) => store.catalogues,
		find: ({ store, params }) => found(store.catalogues.get(params['catalogue_id']!), 'catalogue'),
		body: { name: text({ min: 1 }), description: nullable(text()) },
		required: ['name'],
		blank: { description: null },
		add: (store, catalogue) => store.addCatalogue(catalogue),
		release({ id }, store) {
			// Its items become standalone.
			for (const item of store.items.all())
				if (item.catalogue_id === id) store.items.change(item.id, { catalogue_id: null });
		},
		show: withCount,
	}),
	list<Item>('/catalogues/items', 'item', {
		rows: ({ store }) => store.items,
		searched: ['name', 'sku', 'description'],
		sorts: ['name', 'created_at', 'price'],
		// The reference says "flexible filtering" and shows no names.
		filters: { sku: equals('sku') },
	}),
	...crud<Item>({
		kind: 'item',
		path: '/catalogues/items',
		paths: ['/catalogues/items/{item_id}'],
		tableOf: (store) => store.items,
		find: ({ store, params }) => found(store.items.get(params['item_id']!), 'catalogue item'),
		body: {
			sku: nullable(text({ min: 1 })),
			name: text({ min: 1 }),
			description: nullable(text()),
			price: number({ min: 0 }),
			currency: nullable(text()),
			quantity: nullable(number({ min: 0, whole: true })),
			category: nullable(text()),
			catalogue_id: nullable(text({ min: 1 })),
		},
		required: ['name', 'price'],
		blank: {
			description: null,
			currency: null,
			quantity: null,
			category: null,
			catalogue_id: null,
		},
		check({ catalogue_id, sku }, store) {
			knownCatalogue(store, catalogue_id);
			// Section "Other records": a SKU is generated when omitted.
			return { sku: sku ?? makeSku(store.random) };
		},
		add: (store, item) => store.addItem(item),
	}),
	post('/catalogues/items/assign', 'other', assign, {
		body: { item_ids: listOf(text({ min: 1 })), catalogue_id: nullable(text({ min: 1 })) },
		required: ['item_ids', 'catalogue_id'],
	}),
];
