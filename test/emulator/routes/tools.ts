import { boolean, identifier, nullable, number, phone, readFields, text } from '../checks.ts';
import type { Rules } from '../checks.ts';
import { notFound } from '../envelope.ts';
import { patched, readUpdate } from '../put.ts';
import { slice } from '../query.ts';
import type { ToolConfig } from '../records.ts';
import { PAGE } from '../route.ts';
import type { Exchange, Route } from '../route.ts';
import { AGENT_READERS, AGENT_WRITERS, agentOf } from './agents.ts';

const note = nullable(text());

const REMINDER: Rules = { sms: boolean, hours_before: number({ min: 0 }) };

/** The tools a PATCH exists for, with the (assumed) fields of their configuration. */
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

const NAMES: Record<string, string> = {
	'end-the-call': 'End the call',
	'make-reservation': 'Make a reservation',
	'transfer-to-operator': 'Transfer to an operator',
	'transfer-to-phone': 'Transfer to a phone number',
	'place-order': 'Place an order',
};

function toolsOf(exchange: Exchange): Record<string, ToolConfig> {
	return exchange.store.tools.get(agentOf(exchange).id) ?? {};
}

function configOf(exchange: Exchange, name: string): ToolConfig {
	const config = toolsOf(exchange)[name];
	if (!config) throw notFound(`tool ${name} of this agent`);
	return config;
}

function readRoute(name: string): Route {
	const path = `/agents/{agent_id}/tools/${name}`;
	return {
		method: 'GET',
		path,
		kind: 'tool',
		scopes: AGENT_READERS,
		handle: (exchange) => ({ data: configOf(exchange, name) }),
	};
}

function changeRoute(name: string, rules: Rules): Route {
	return {
		method: 'PATCH',
		path: `/agents/{agent_id}/tools/${name}`,
		kind: 'tool',
		outcome: 'changed',
		body: true,
		scopes: AGENT_WRITERS,
		handle(exchange) {
			const config = configOf(exchange, name);
			return {
				data: Object.assign(config, patched(exchange, config, readUpdate(exchange, rules))),
			};
		},
	};
}

/** Section "Other endpoints", the lines of /agents/{agent_id}/tools; the PATCH bodies are the config fields, no wrapper. */
export const toolRoutes: Route[] = [
	{
		method: 'GET',
		path: '/agents/{agent_id}/tools',
		kind: 'other',
		scopes: AGENT_READERS,
		query: PAGE,
		handle(exchange) {
			const tools = Object.entries(toolsOf(exchange)).map(([name, config]) => {
				return { name, display_name: NAMES[name], enabled: config.enabled, config };
			});
			return slice(exchange, tools);
		},
	},
	...Object.keys(NAMES).map(readRoute),
	...Object.entries(CONFIGS).map(([name, rules]) => changeRoute(name, rules)),
];
