import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import type { Api } from '../api/session';
import { pageIn } from '../api/lists';
import { ASSUMED } from '../domain/assumed';
import { backendFieldOf, backendFieldsIn } from '../domain/agent';
import { isObject, type JsonObject } from '../json';
import { isExpression, textOfLocator } from '../table/place';
import { uuid } from '../table/schema';
import { editorApi, matches, type ListSearch } from './editorApi';

/** Agents that are read one by one to learn their backends: the list does not show these. */
const MOST_AGENTS = 20;

/** What to do if the credential needs an item. */
const WITHOUT_ITEM = 'Enter the value by hand.';

/** Offers the fields in which the API may hold the Beta Backend: of the chosen agent, or of one agent. */
export const searchBackendFields: ListSearch = async function (filter = '') {
	const api = await agentsApi(this);
	const [agent] = await agentsToRead(this, api, 1);
	const shown = agent === undefined ? [] : backendFieldsIn(agent);
	const names = shown.length > 0 ? shown : [ASSUMED.backendField];
	return { results: offered(new Map(names.map((name) => [name, name])), filter) };
};

/** Offers the known backends, and those that the account's own agents have. */
export const searchBackends: ListSearch = async function (filter = '') {
	const options = this.getCurrentNodeParameters()?.options as IDataObject | undefined;
	const chosen = textOfLocator(options?.backendField);
	const field = chosen === '' || isExpression(chosen) ? undefined : chosen;
	const values = new Map<string, string>(Object.entries(ASSUMED.backends));
	for (const agent of await agentsToRead(this, await agentsApi(this), MOST_AGENTS)) {
		const value = agent[backendFieldOf(agent, field) ?? ''];
		if (typeof value === 'string' && value !== '' && !values.has(value)) values.set(value, value);
	}
	return { results: offered(values, filter) };
};

const offered = (values: ReadonlyMap<string, string>, filter: string) =>
	[...values]
		.map(([value, name]) => ({ name: name === value ? name : `${name} (${value})`, value }))
		.filter(({ name }) => matches(name, filter));

const agentsApi = async (context: ILoadOptionsFunctions) =>
	await editorApi(context, 'List', '/agents/', WITHOUT_ITEM);

/** Agents with all of their fields: the one that is chosen first, then those of the beta model. */
async function agentsToRead(
	context: ILoadOptionsFunctions,
	api: Api,
	most: number,
): Promise<JsonObject[]> {
	const chosen = uuid.safeParse(textOfLocator(context.getCurrentNodeParameters()?.agent_id)).data;
	const query = { limit: 100 };
	const page = pageIn(await api.send({ method: 'GET', path: '/agents/', query }), api);
	const isBeta = ({ ai_provider: model }: JsonObject) => model === 'beta';
	const sorted = [...page.records.filter(isBeta), ...page.records.filter((one) => !isBeta(one))];
	const ids = sorted.flatMap(({ id }) => uuid.safeParse(id).data ?? []);
	const wanted = [...new Set([...(chosen ? [chosen] : []), ...ids])].slice(0, most);
	const read = async (id: string) =>
		(await api.send({ method: 'GET', path: `/agents/${id}` })).data;
	return (await Promise.all(wanted.map(read))).filter(isObject);
}
