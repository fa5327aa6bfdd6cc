import type { Api } from '../../api/session';
import { agentPath, readTools } from '../../domain/agentParts';
import { FullRecord } from '../../domain/simplify';
import { isObject, type JsonObject } from '../../json';
import { several } from '../../table/kinds';
import { settingsOf } from './settingsCopy';

const PARTS = { settings: 'Settings', tools: 'Tools' } as const;

type Part = keyof typeof PARTS;

const MEANINGS = {
	settings: "What 'Update' takes as JSON, under settings",
	tools: 'The configuration of each tool that can be changed, under tools',
};

export const includeSettings = several(PARTS, {
	displayName: 'Include',
	meanings: MEANINGS,
	description: 'What to add to each agent, at one more request, or four for tools',
});

export const includeTools = several(
	{ tools: PARTS.tools },
	{ displayName: 'Include', meanings: MEANINGS, description: 'What to add to the agent' },
);

/** An agent with the wanted parts. The settings of an agent that is gone by now are null. */
export async function withAgentParts(
	agent: JsonObject,
	parts: readonly Part[],
	api: Api,
): Promise<FullRecord> {
	const readers: Record<Part, () => Promise<JsonObject | null>> = {
		settings: async () => {
			const whole = await api.find({ method: 'GET', path: agentPath(agent) });
			return isObject(whole) ? settingsOf(whole, api.names) : null;
		},
		tools: async () => await readTools(agent, api),
	};
	const read = await Promise.all(parts.map(async (part) => [part, await readers[part]()]));
	return new FullRecord(agent, Object.fromEntries(read));
}
