import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { About } from '../api/errors';
import { eventsOf } from '../domain/eventGroups';
import { isExpression, locatorValue } from '../table/locator';
import { languages } from '../table/languages';
import { isObject, tidy, type JsonObject } from '../json';
import { answerBehind } from '../api/apiError';
import { pageIn } from '../api/lists';
import { isSaidToEnd, PAGE_SIZE } from '../api/pages';
import { id, uuid } from '../table/schema';
import { connect, type Api, type Authentication, type Request } from '../api/session';

/** A list of the API that a user picks a record from. */
interface Source {
	path: string;
	query?: (context: ILoadOptionsFunctions, api: Api) => Promise<IDataObject> | IDataObject;
	/** The API searches this list itself, by the parameter `search`. */
	isSearchable?: boolean;
	label: (record: JsonObject) => string;
	value?: (record: JsonObject) => unknown;
	/** What an ID looks like, where the reference says more than that there is one. */
	idOf?: typeof id;
	/** A record cannot be read by itself. */
	isReadByList?: boolean;
	/** The records inside the data, where they are not the data itself. */
	records?: (data: unknown) => unknown;
}

/** Records looked through for one search where the API cannot search by itself. */
const LOOKED_THROUGH = 10 * PAGE_SIZE;

/** Requests for one search where the server serves few records at a time. */
const MOST_REQUESTS = 40;

/** What to do where the credential needs an item: a list has none. */
const WITHOUT_ITEM = 'Enter the ID by hand.';

/** A list this long can be scrolled, which is when n8n asks for more. */
const SCROLLABLE = 20;

const asText = (value: unknown) =>
	typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** An ID as the API has it: a number stays one, so that what is too large to be exact is refused. */
const valueOf = (given: unknown) => (typeof given === 'number' ? given : asText(given));

/** The first of these fields that says something; records of undocumented shape have some of them. */
const firstField =
	(...names: string[]) =>
	(record: JsonObject) =>
		names.map((name) => asText(record[name])).find(Boolean) ?? asText(record.id);

/** A moment to the minute, as the API wrote it. */
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
		records: eventsOf,
		label: (event) =>
			joinParts(event.date, event.start_time, firstField('title', 'name')(event), event.status),
	},
} satisfies Record<string, Source>;

type Search = (
	this: ILoadOptionsFunctions,
	filter?: string,
	token?: string,
) => Promise<INodeListSearchResult>;

/**
 * The node's `listSearch` methods. A list comes page by page as the user scrolls; one search reads
 * some pages at the most, never the whole list.
 */
export const listSearch: Record<string, Search> = {
	...Object.fromEntries(
		Object.entries(SOURCES as Record<string, Source>).map(([name, source]) => [
			name,
			searchIn(source),
		]),
	),
	async searchLanguages(filter) {
		return { results: languages().filter(({ name }) => matches(name, filter)) };
	},
};

/** The node's `loadOptions` methods: dropdowns whose options are known only at run time. */
export const loadOptions = {
	async getLanguages(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		return languages();
	},
};

function searchIn(source: Source): Search {
	return async function (filter, token) {
		const authentication = this.getNodeParameter('authentication', 'apiKey') as Authentication;
		const session = await connect(this, authentication, WITHOUT_ITEM);
		const about: About = {
			operation: 'List',
			permission: 'READ or READ_WRITE',
			scope: source.path.startsWith('/agents/') ? 'agents:read' : undefined,
		};
		const api = session.api(about);
		const query = await source.query?.(this, api);

		const sought = tidy(filter ?? '');
		const search = source.isSearchable && sought ? { search: sought } : {};
		const results = new Map<string, INodeListSearchItems>();
		const offer = (record: JsonObject) => {
			const given = source.value?.(record) ?? record.id;
			const text = asText(given);
			const name = source.label(record) || text;
			const isFound = source.isSearchable || matches(`${name} ${text}`, sought);
			if (text && isFound) results.set(text, { name, value: valueOf(given) });
		};
		const seen = new Set<string>();
		let isEnd = false;
		// A page as long as the first is full, whatever the total says.
		let [offset = 0, full = PAGE_SIZE] = (token ?? '0').split('/').map(Number);
		for (let requests = 0; !isEnd && results.size < SCROLLABLE; requests++) {
			if (requests >= MOST_REQUESTS || seen.size >= LOOKED_THROUGH) break;
			const page = pageIn(
				await api.send({
					method: 'GET',
					path: source.path,
					query: { ...query, ...search, limit: PAGE_SIZE, offset },
				}),
				api,
				source.records,
			);
			const before = seen.size;
			for (const record of page.records) seen.add(JSON.stringify(record));
			// A server that ignores the offset has no more either.
			isEnd = isSaidToEnd(page, offset, full) || seen.size === before;
			full = Math.min(full, page.records.length);
			page.records.forEach(offer);
			offset += page.records.length > PAGE_SIZE ? (page.groups ?? PAGE_SIZE) : page.records.length;
		}
		if (token === undefined && !results.has(sought)) {
			const named = await recordNamed(sought, results.size === 0, source, api);
			if (named) results.set(String(named.value), named);
		}
		return {
			results: [...results.values()],
			...(!isEnd && { paginationToken: full < PAGE_SIZE ? `${offset}/${full}` : String(offset) }),
		};
	};
}

/**
 * The record whose ID was typed or pasted. The API searches by names, and a list may be longer than
 * what was looked through. A text without a digit that something else matched is taken for a name.
 */
async function recordNamed(
	text: string,
	isUnmatched: boolean,
	{ path, label, idOf = id, isReadByList }: Source,
	api: Api,
): Promise<INodeListSearchItems | undefined> {
	const value = idOf.safeParse(text).data;
	if (value === undefined || !(isUnmatched || /\d/.test(text))) return undefined;
	if (isReadByList) return idOf === uuid ? { name: value, value } : undefined;
	const request = {
		method: 'GET',
		path: `${path.replace(/\/$/, '')}/${encodeURIComponent(value)}`,
	};
	return await api.send(request as Request).then(
		({ data }) =>
			isObject(data)
				? {
						name: label(data) || value,
						value: String(data.id) === value ? valueOf(data.id) : value,
					}
				: undefined,
		// There is none, no ID looks like this, or it is read elsewhere.
		async (error: Error) => (answerBehind(error) ? undefined : await Promise.reject(error)),
	);
}

const matches = (name: string, filter = '') =>
	name.toLowerCase().includes(filter.trim().toLowerCase());

/** The model whose voices are compatible: the one being set, else the agent's present one. */
async function chosenModel(context: ILoadOptionsFunctions, api: Api): Promise<string | undefined> {
	const parameters = context.getCurrentNodeParameters() ?? {};
	const chosen = locatorValue((parameters.updateFields as IDataObject | undefined)?.ai_provider);
	// What an expression stands for is known only at run time: then every voice is offered.
	if (chosen) return isExpression(chosen) ? undefined : chosen;
	const agentId = uuid.safeParse(locatorValue(parameters.agent_id)).data;
	if (agentId === undefined) return undefined;
	const { data } = await api.send({
		method: 'GET',
		path: `/agents/${agentId}`,
	});
	return asText((data as JsonObject | null)?.ai_provider) || undefined;
}
