import { pathTo } from '../api/path';
import type { Api } from '../api/session';
import { isObject, type JsonObject, without } from '../json';
import type { Names } from '../api/names';

/** The tools whose configuration can be changed; the API's path segment → display name. */
export const CHANGEABLE_TOOLS = {
	'make-reservation': 'Make Reservation',
	'place-order': 'Place Order',
	'transfer-to-operator': 'Transfer to Operator',
	'transfer-to-phone': 'Transfer to Phone',
} as const;

/** Reference: GET /agents/{agent_id}. */
export const agentPath = (agent: JsonObject) => pathTo('/agents/{id}', agent);

/**
 * The configurations of an agent's tools, without the agent's ID, which an update would refuse. A tool that
 * the agent cannot have (404) is left out. Reference: GET /agents/{agent_id}/tools/make-reservation and the others.
 */
export async function readTools(agent: JsonObject, api: Api): Promise<JsonObject> {
	const tools = await Promise.all(
		Object.keys(CHANGEABLE_TOOLS).map(async (tool) => {
			const path = `${agentPath(agent)}/tools/${tool}`;
			const config = toolConfigIn(await api.find({ method: 'GET', path }));
			return [tool, isObject(config) ? without(config, 'agent_id') : config] as const;
		}),
	);
	return Object.fromEntries(tools.filter(([, config]) => config !== null));
}

/**
 * The configuration of a tool, also if the answer wraps it: `{ config: { … } }`. A PATCH takes it
 * without the wrapper; whether a GET has one is not shown.
 */
export const toolConfigIn = (data: unknown): unknown =>
	isObject(data) && isObject(data.config) ? data.config : data;

/** The configuration without the wrapper, and the other fields of the answer. */
export function plainTool(data: unknown): unknown {
	if (!isObject(data) || !isObject(data.config)) return data;
	const { config, ...beside } = data;
	return { ...beside, ...(config as object) };
}

/** The named field, or the only one whose name ends in _backend. Reference: "Agent update", beta_backend. */
export function backendFieldOf(agent: JsonObject, { agentBackend }: Names): string | undefined {
	if (Object.hasOwn(agent, agentBackend)) return agentBackend;
	const likely = Object.keys(agent).filter((name) => name.endsWith('_backend'));
	return likely.length === 1 ? likely[0] : undefined;
}
