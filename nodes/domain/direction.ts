import { readAll } from '../api/lists';
import type { Api } from '../api/session';
import { firstText, textIn, type JsonObject } from '../json';
import { titled } from '../words';
import { ASSUMED } from './assumed';
import { agentOf } from './call';
import { isState } from './status';

export const DIRECTION = titled('inbound', 'outbound');

export type Direction = keyof typeof DIRECTION;

const directionIn = (word: string | undefined): Direction | undefined =>
	(['inbound', 'outbound'] as const).find((name) => isState(ASSUMED.directions[name], word));

/**
 * Finds out the direction of calls: the one that a call shows, or else the type of its agent. The agents are
 * read once, when the first call shows no direction. Reference: "Agent", agent_type.
 */
export function directionReader() {
	let types: Promise<Map<string, Direction | undefined>> | undefined;
	return async (call: JsonObject, api: Api): Promise<Direction | undefined> => {
		const agent = agentOf(call, api.names);
		const shown = directionIn(firstText(call, ASSUMED.callDirection));
		if (shown !== undefined || !agent) return shown;
		types ??= typesOfAgents(api);
		return (await types).get(agent.toLowerCase());
	};
}

async function typesOfAgents(api: Api) {
	const agents = await readAll(api, { method: 'GET', path: '/agents/' });
	return new Map(
		agents.map(({ id, agent_type: type }) => [String(id).toLowerCase(), directionIn(textIn(type))]),
	);
}
