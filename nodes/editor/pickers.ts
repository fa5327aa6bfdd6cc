import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { calendarEventsIn } from '../domain/eventGroups';
import { searchBackendFields, searchBackends } from './backends';
import { clearableFields } from './mappers';
import { editorApi, matches } from './editorApi';
import { isExpression, locatorValue } from '../table/locator';
import { languages } from '../table/languages';
import { isObject, tidy, type JsonObject } from '../json';
import { answerBehind } from '../api/apiError';
import { readPages } from '../api/lists';
import { PAGE_SIZE } from '../api/pages';
import { id, uuid } from '../table/schema';
import type { Api } from '../api/session';

/** A list of the API from which a user picks a record. */
interface Source {
	path: string;
	query?: (context: ILoadOptionsFunctions, api: Api) => Promise<IDataObject> | IDataObject;
	/** Whether the API can search this list with the parameter `search`. */
	isSearchable?: boolean;
	label: (record: JsonObject) => string;
	value?: (record: JsonObject) => unknown;
	/** Schema of the ID, if the reference shows its form. */
	idOf?: typeof id;
	/** Whether records can only be read as part of the list, not by ID. */
	isReadByList?: boolean;
	/** Takes the records out of the data, if the data is not the list itself. */
	records?: (data: unknown) => unknown;
}

/** How many records one search reads if the API cannot search the list itself: ten pages, which overlap. */
const LOOKED_THROUGH = 10 * (PAGE_SIZE - 1) + 1;

/** How many pages one search reads if they are small. */
const MOST_PAGES = 40;

/** How many of them it requests ahead. Most often the first is enough. */
const AHEAD = 4;

/** What to do if the credential needs an item. */
const WITHOUT_ITEM = 'Enter the ID by hand.';

/** A list of this length can be scrolled. n8n asks for more only when the user scrolls. */
const SCROLLABLE = 20;

const asText = (value: unknown) =>
	typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** An ID as the API has it. A number stays a number, so that one too large to be exact is refused later. */
const valueOf = (given: unknown) => (typeof given === 'number' ? given : asText(given));

/** A label made of the first of these fields that has a value, or else of the ID. */
const firstField =
	(...names: string[]) =>
	(record: JsonObject) =>
		names.map((name) => asText(record[name])).find(Boolean) ?? asText(record.id);

/** A date and time up to the minute, as the API wrote it. */
const minute = (value: unknown) => asText(value).slice(0, 16).replace('T', ' ');

const amount = (value: unknown, currency: unknown) => `${asText(value)} ${asText(currency)}`.trim();

const joinParts = (...parts: unknown[]) => parts.map(asText).filter(Boolean).join(' · ');

const agentLabel = (agent: JsonObject) =>
	joinParts(
		agent.name,
		agent.agent_type_display_name ?? agent.agent_type,
		agent.is_active === false ? 'inactive' : '',
	);

const SOURCES = {
	searchAgents: { path: '/agents/', idOf: uuid, label: agentLabel },
	searchOutboundAgents: {
		path: '/agents/',
		idOf: uuid,
		query: () => ({ agent_type: 'outbound' }),
		label: agentLabel,
	},
	searchModels: {
		path: '/agents/models',
		isReadByList: true,
		label: (model) =>
			`${firstField('label', 'value')(model)}${model.disabled === true ? ' (unavailable to your organization)' : ''}`,
		value: (model) => model.value,
	},
	searchVoices: {
		path: '/agents/voices',
		idOf: uuid,
		isReadByList: true,
		query: async (context, api) => ({ model_name: await chosenModel(context, api) }),
		label: (voice) =>
			joinParts(
				firstField('custom_name')(voice),
				voice.gender,
				voice.language ?? 'multilingual',
				voice.ai_provider,
			),
	},
	searchCalls: {
		path: '/call-history',
		label: (call) =>
			joinParts(
				minute(call.created_at),
				firstField('phone_number', 'id')(call),
				call.call_status ?? call.status,
			),
	},
	searchOrders: {
		path: '/orders',
		label: (order) =>
			joinParts(
				firstField('order_number', 'number', 'id')(order),
				order.status,
				amount(order.total_amount, order.currency),
				minute(order.created_at),
			),
	},
	searchContacts: {
		path: '/contacts',
		idOf: uuid,
		isSearchable: true,
		label: (contact) =>
			joinParts(
				`${asText(contact.first_name)} ${asText(contact.last_name)}`.trim() || asText(contact.name),
				contact.phone_number,
				contact.email,
			) || asText(contact.id),
	},
	searchContactLists: { path: '/contact-lists', isSearchable: true, label: firstField('name') },
	searchCampaigns: {
		path: '/campaigns',
		isSearchable: true,
		label: (campaign) => joinParts(firstField('name')(campaign), campaign.status),
	},
	searchCatalogues: { path: '/catalogues', isSearchable: true, label: firstField('name') },
	searchItems: {
		path: '/catalogues/items',
		isSearchable: true,
		label: (item) =>
			joinParts(firstField('name', 'sku')(item), item.sku, amount(item.price, item.currency)),
	},
	searchEvents: {
		path: '/events',
		records: calendarEventsIn,
		label: (event) =>
			joinParts(event.date, event.start_time, firstField('title', 'name')(event), event.status),
	},
} satisfies Record<string, Source>;

type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	token?: string,
) => Promise<INodeListSearchResult>;

/**
 * The node's `listSearch` methods. They read a list page by page as the user scrolls. One search reads
 * a limited number of pages.
 */
export const listSearch: Record<string, ListSearch> = {
	...Object.fromEntries(
		Object.entries(SOURCES as Record<string, Source>).map(([name, source]) => [
			name,
			searchIn(source),
		]),
	),
	searchBackendFields,
	searchBackends,
	async searchLanguages(filter) {
		return { results: languages().filter(({ name }) => matches(name, filter)) };
	},
};

/** The node's `loadOptions` methods: dropdowns whose options are loaded. */
export const loadOptions = {
	...clearableFields,
	async getLanguages(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		return languages();
	},
};

function searchIn(source: Source): ListSearch {
	return async function (filter, token) {
		const api = await editorApi(this, 'List', source.path, WITHOUT_ITEM);
		const query = await source.query?.(this, api);
		const search = new PickerSearch(source, api, query, tidy(filter ?? ''));
		const next = await search.read(Number.parseInt(token ?? '0', 10));
		if (token === undefined) await search.addRecordById();
		return { results: [...search.results.values()], paginationToken: next?.toString() };
	};
}

/** One search in a list: what it offers so far. */
class PickerSearch {
	readonly results = new Map<string, INodeListSearchItems>();

	private readonly source: Source;

	private readonly api: Api;

	private readonly query: IDataObject;

	private readonly text: string;

	constructor(source: Source, api: Api, query: IDataObject = {}, text: string) {
		this.source = source;
		this.api = api;
		this.text = text;
		this.query = source.isSearchable && text ? { ...query, search: text } : query;
	}

	/** Reads pages until the list can be scrolled. Returns where to continue, or undefined at the end. */
	async read(from: number): Promise<number | undefined> {
		const { path, records } = this.source;
		const request = { method: 'GET', path, query: this.query } as const;
		const options = { from, records, wanted: LOOKED_THROUGH, ahead: AHEAD };
		let [next, pages] = [from, 0];
		for await (const page of readPages(this.api, request, options)) {
			for (const record of page.records) this.offer(record);
			next += page.records.length;
			pages += 1;
			if (page.isLast) return undefined;
			const isEnough = this.results.size >= SCROLLABLE || next - from >= LOOKED_THROUGH;
			if (isEnough || pages === MOST_PAGES) return next;
		}
		return undefined;
	}

	private offer(record: JsonObject): void {
		const { value, label, isSearchable } = this.source;
		const given = value?.(record) ?? record.id;
		const text = asText(given);
		const name = label(record) || text;
		const isFound = isSearchable || matches(`${name} ${text}`, this.text);
		if (text && isFound) this.results.set(text, { name, value: valueOf(given) });
	}

	/**
	 * Offers the record whose ID was typed or pasted: the API searches by names only, and a list may be
	 * longer than one search reads. A text without a digit is taken for a name if it matched something.
	 */
	async addRecordById(): Promise<void> {
		const { idOf = id, isReadByList } = this.source;
		const value = idOf.safeParse(this.text).data;
		const mayBeId = this.results.size === 0 || /\d/.test(this.text);
		if (value === undefined || !mayBeId || this.results.has(this.text)) return;
		const found = isReadByList
			? idOf === uuid && { name: value, value }
			: await this.readById(value);
		if (found) this.results.set(String(found.value), found);
	}

	private async readById(value: string): Promise<INodeListSearchItems | undefined> {
		const { path, label } = this.source;
		const record = `${path.replace(/\/$/, '')}/${encodeURIComponent(value)}` as const;
		const data = await this.api.send({ method: 'GET', path: record }).then(
			(answer) => answer.data,
			// If the API refuses, nothing is offered: most often there is no such record, or no such ID.
			async (error: Error) => (answerBehind(error) ? undefined : await Promise.reject(error)),
		);
		if (!isObject(data)) return undefined;
		const own = String(data.id) === value ? valueOf(data.id) : value;
		return { name: label(data) || value, value: own };
	}
}

/** The model whose voices the picker offers: the one chosen in the node, or else the agent's own. */
async function chosenModel(context: ILoadOptionsFunctions, api: Api): Promise<string | undefined> {
	const parameters = context.getCurrentNodeParameters() ?? {};
	const chosen = locatorValue((parameters.updateFields as IDataObject | undefined)?.ai_provider);
	// The value of an expression is not known yet, so all voices are offered.
	if (chosen) return isExpression(chosen) ? undefined : chosen;
	const agentId = uuid.safeParse(locatorValue(parameters.agent_id)).data;
	if (agentId === undefined) return undefined;
	const { data } = await api.send({
		method: 'GET',
		path: `/agents/${agentId}`,
	});
	return asText((data as JsonObject | null)?.ai_provider) || undefined;
}
