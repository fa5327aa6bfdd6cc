import { boolean, nullable, number, object, phone, text, type Rules } from '../checks.ts';
import { list } from '../list.ts';
import type { ToolConfig } from '../records.ts';
import { found, get, patch, patched, type Exchange, type Route } from '../route.ts';
import { agentOf, READS, WRITES } from './agents.ts';

const note = nullable(text());

/** The tools that a PATCH can change, with the fields of their configuration (assumed). */
const CONFIGS: Record<string, Rules> = {
	'make-reservation': {
		enabled: boolean,
		minimum_notice_hours: number({ min: 0 }),
		max_party_size: number({ min: 1, whole: true }),
		instructions: note,
		reminder: object({ sms: boolean, hours_before: number({ min: 0 }) }),
	},
	'transfer-to-operator': { enabled: boolean, message: note, business_hours_only: boolean },
	'transfer-to-phone': { enabled: boolean, phone_number: phone, message: note },
	'place-order': {
		enabled: boolean,
		catalogue_id: nullable(text({ min: 1 })),
		require_confirmation: boolean,
		instructions: note,
	},
};

const PATH = '/agents/{agent_id}/tools';

function toolsOf(exchange: Exchange): Record<string, ToolConfig> {
	return exchange.store.tools.get(agentOf(exchange).id) ?? {};
}

const configOf = (exchange: Exchange, name: string): ToolConfig =>
	found(toolsOf(exchange)[name], `tool ${name} of this agent`);

/** Section "Other endpoints", the lines of /agents/{agent_id}/tools. The body of a PATCH is the fields themselves, without a wrapper. */
export const toolRoutes: Route[] = [
	list(
		PATH,
		'other',
		{
			rows: (exchange) =>
				Object.entries(toolsOf(exchange)).map(([name, config]) => {
					return { name, enabled: config.enabled, config };
				}),
		},
		READS,
	),
	...['end-the-call', ...Object.keys(CONFIGS)].map((name) =>
		get(`${PATH}/${name}`, 'tool', (exchange) => configOf(exchange, name), READS),
	),
	...Object.entries(CONFIGS).map(([name, body]) =>
		patch(
			`${PATH}/${name}`,
			'tool',
			(exchange) => {
				const config = configOf(exchange, name);
				return Object.assign(config, patched(config, exchange));
			},
			{ ...WRITES, body },
		),
	),
];
