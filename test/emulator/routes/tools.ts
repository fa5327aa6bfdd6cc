import { boolean, identifier, nullable, number, phone, readFields, text } from '../checks.ts';
import type { Rules } from '../checks.ts';
import { patched, readUpdate } from '../crud.ts';
import { slice } from '../query.ts';
import type { ToolConfig } from '../records.ts';
import { found, get, list, patch } from '../route.ts';
import type { Exchange, Route } from '../route.ts';
import { agentOf, READS, WRITES } from './agents.ts';

const note = nullable(text());

const REMINDER: Rules = { sms: boolean, hours_before: number({ min: 0 }) };

/** The tools that a PATCH can change, with the fields of their configuration (assumed). */
const CONFIGS: Record<string, Rules> = {
	'make-reservation': {
		enabled: boolean,
		minimum_notice_hours: number({ min: 0 }),
		max_party_size: number({ min: 1, whole: true }),
		instructions: note,
		reminder: (value, name) => readFields(value, REMINDER, [], name),
	},
	'transfer-to-operator': { enabled: boolean, message: note, business_hours_only: boolean },
	'transfer-to-phone': { enabled: boolean, phone_number: phone, message: note },
	'place-order': {
		enabled: boolean,
		catalogue_id: nullable(identifier),
		require_confirmation: boolean,
		instructions: note,
	},
};

const NAMES = ['end-the-call', ...Object.keys(CONFIGS)];

function toolsOf(exchange: Exchange): Record<string, ToolConfig> {
	return exchange.store.tools.get(agentOf(exchange).id) ?? {};
}

const configOf = (exchange: Exchange, name: string): ToolConfig =>
	found(toolsOf(exchange)[name], `tool ${name} of this agent`);

const pathOf = (name: string) => `/agents/{agent_id}/tools/${name}`;

function listTools(exchange: Exchange) {
	const tools = Object.entries(toolsOf(exchange)).map(([name, config]) => {
		return { name, enabled: config.enabled, config };
	});
	return slice(exchange, tools);
}

const update = (name: string, rules: Rules) => (exchange: Exchange) => {
	const config = configOf(exchange, name);
	return Object.assign(config, patched(exchange, config, readUpdate(exchange, rules)));
};

/** Section "Other endpoints", the lines of /agents/{agent_id}/tools. The body of a PATCH is the fields themselves, without a wrapper. */
export const toolRoutes: Route[] = [
	list('/agents/{agent_id}/tools', 'other', [], listTools, READS),
	...NAMES.map((name) => get(pathOf(name), 'tool', (exchange) => configOf(exchange, name), READS)),
	...Object.entries(CONFIGS).map(([name, rules]) =>
		patch(pathOf(name), 'tool', update(name, rules), WRITES),
	),
];
