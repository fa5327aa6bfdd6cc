import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { ASSUMED } from '../domain/assumed';
import { agentNameOf, callStatusOf } from '../domain/call';
import { calendarEventsIn } from '../domain/eventGroups';
import { clearableFields } from './mappers';
import { accountNames, editorApi } from './editorApi';
import { isExpression, textOfLocator } from '../table/place';
import { languages } from '../table/languages';
import { fieldAt, firstOf, firstText, tidy, type JsonObject } from '../json';
import { inZone, toMillis } from '../time';
import { readPages, type RecordsIn } from '../api/lists';
import type { Names } from '../api/names';
import { PAGE_SIZE } from '../api/pages';
import { uuid } from '../table/schema';
import type { Api } from '../api/session';

/** A list of the API from which a user picks a record. */
interface Source {
	path: string;
	query?: (context: ILoadOptionsFunctions, api: Api) => Promise<IDataObject> | IDataObject;
	/** Whether the API can search this list with the parameter `search`. */
	isSearchable?: boolean;
	label: (record: JsonObject, names: Names) => string;
	value?: (record: JsonObject) => unknown;
	records?: RecordsIn;
}

/** How many pages one search reads if the API cannot search the list itself. */
const MOST_PAGES = 10;

/** A list of this length can be scrolled. n8n asks for more only when the user scrolls. */
const SCROLLABLE = 20;

const asText = (value: unknown) =>
	typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** A label made of the first of these fields that has a value, or else of the ID. */
const firstField =
	(...names: string[]) =>
	(record: JsonObject) =>
		names.map((name) => asText(fieldAt(record, name))).find(Boolean) ?? asText(record.id);

const minute = (value: unknown) =>
	toMillis(value) === undefined ? value : asText(value).slice(0, 16).replace('T', ' ');

const amount = (value: unknown, currency: unknown) => `${asText(value)} ${asText(currency)}`.trim();

const joinParts = (...parts: unknown[]) => parts.map(asText).filter(Boolean).join(' · ');

const agentLabel = (agent: JsonObject) =>
	joinParts(
		agent.name,
		agent.agent_type_display_name ?? agent.agent_type,
		agent.is_active === false ? 'inactive' : '',
	);

const SOURCES = {
	searchAgents: { path: '/agents/', label: agentLabel },
	searchOutboundAgents: {
		path: '/agents/',
		query: () => ({ agent_type: 'outbound' }),
		label: agentLabel,
	},
	searchModels: {
		path: '/agents/models',
		label: (model) =>
			`${firstField('label', 'value')(model)}${model.disabled === true ? ' (unavailable to your organization)' : ''}`,
		value: (model) => model.value,
	},
	searchVoices: {
		path: '/agents/voices',
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
		label: (call, names) =>
			joinParts(
				minute(call.created_at),
				firstField(...names.callNumber, 'id')(call),
				agentNameOf(call),
				callStatusOf(call, names),
			),
	},
	searchOrders: {
		path: '/orders',
		label: (order, { currency }) =>
			joinParts(
				firstField('order_number', 'number', 'id')(order),
				order.status,
				amount(order.total_amount, firstOf(order, currency)),
				minute(order.created_at),
			),
	},
	searchContacts: {
		path: '/contacts',
		isSearchable: true,
		label: (contact, { contactPhone }) =>
			joinParts(
				`${asText(contact.first_name)} ${asText(contact.last_name)}`.trim() || asText(contact.name),
				contact[contactPhone],
				contact.email,
			) || asText(contact.id),
	},
	searchContactLists: { path: '/contact-lists', isSearchable: true, label: firstField('name') },
	searchCampaigns: {
		path: '/campaigns',
		isSearchable: true,
		label: (campaign) =>
			joinParts(firstField('name')(campaign), firstText(campaign, ASSUMED.campaignStatus)),
	},
	searchCatalogues: { path: '/catalogues', isSearchable: true, label: firstField('name') },
	searchItems: {
		path: '/catalogues/items',
		isSearchable: true,
		label: (item, { itemSku }) =>
			joinParts(
				firstField('name', itemSku)(item),
				item[itemSku],
				amount(item.price, item.currency),
			),
	},
	searchEvents: {
		path: '/events',
		records: calendarEventsIn,
		label: (event) =>
			joinParts(
				minute(firstOf(event, ASSUMED.eventDate)),
				event.start_time,
				firstField('title', 'name')(event),
				firstText(event, ASSUMED.eventStatus),
			),
	},
} satisfies Record<string, Source>;

type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	token?: string,
) => Promise<INodeListSearchResult>;

const matches = (name: string, typed = ''): boolean =>
	name.toLowerCase().includes(typed.trim().toLowerCase());

/** The node's `listSearch` methods. They read a list page by page as the user scrolls. */
export const listSearch: Record<string, ListSearch> = {
	...Object.fromEntries(
		Object.entries<Source>(SOURCES).map(([name, source]) => [name, searchIn(source)]),
	),
	async searchAccounts(filter) {
		const names = (await accountChoices(this)).filter(({ name }) => matches(name, filter));
		return { results: names };
	},
	async searchLanguages(filter) {
		return { results: languages().filter(({ name }) => matches(name, filter)) };
	},
};

/** The accounts of the credential. n8n evaluates a stored name that begins with `=`. */
const accountChoices = async (context: ILoadOptionsFunctions) =>
	(await accountNames(context))
		.filter((name) => !isExpression(name))
		.map((name) => ({ name, value: name }));

/** The node's `loadOptions` methods: dropdowns whose options are loaded. */
export const loadOptions = {
	...clearableFields,
	async getAccounts(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		return await accountChoices(this);
	},
	async getLanguages(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		return languages();
	},
};

/** Reads pages until the list can be scrolled. */
function searchIn({ path, query, records, value, label, isSearchable }: Source): ListSearch {
	return async function (filter, token) {
		const api = await editorApi(this, path, 'Enter the ID by hand.');
		const typed = tidy(filter ?? '');
		const search = isSearchable && typed !== '' ? { search: typed } : {};
		const whole = { ...(await query?.(this, api)), ...search };
		const from = Number.parseInt(token ?? '0', 10);
		const options = { from, records, wanted: MOST_PAGES * (PAGE_SIZE - 1) + 1, ahead: 4 };
		const zone = this.getTimezone();
		const found = new Map<string, INodeListSearchItems>();
		let [next, pages] = [from, 0];
		for await (const page of readPages(api, { method: 'GET', path, query: whole }, options)) {
			for (const record of page.records) {
				const id = value?.(record) ?? record.id;
				const text = asText(id);
				const name = label(inZone(record, zone) as JsonObject, api.names) || text;
				const isFound = isSearchable || matches(`${name} ${text}`, typed);
				// n8n evaluates every stored text that begins with `=`.
				if (text === '' || isExpression(text) || !isFound) continue;
				found.set(text, {
					name: isExpression(name) ? ` ${name}` : name,
					// A number stays a number, so that one too large to be exact is refused later.
					value: typeof id === 'number' ? id : text,
				});
			}
			next += page.records.length;
			pages += 1;
			if (page.isLast) break;
			if (found.size >= SCROLLABLE || pages === MOST_PAGES)
				return { results: [...found.values()], paginationToken: String(next) };
		}
		return { results: [...found.values()] };
	};
}

/** The model whose voices the picker offers: the one chosen in the node, or else the agent's own. */
async function chosenModel(context: ILoadOptionsFunctions, api: Api): Promise<string | undefined> {
	const parameters = context.getCurrentNodeParameters() ?? {};
	const chosen = textOfLocator((parameters.updateFields as IDataObject | undefined)?.ai_provider);
	// The value of an expression is not known yet, so all voices are offered.
	if (chosen) return isExpression(chosen) ? undefined : chosen;
	const agentId = uuid.safeParse(textOfLocator(parameters.agent_id)).data;
	if (agentId === undefined) return undefined;
	const { data } = await api.send({ method: 'GET', path: `/agents/${agentId}` });
	return asText((data as JsonObject | null)?.ai_provider) || undefined;
}
