import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { ASSUMED } from './assumed';
import { eventsOf } from './events';
import { isExpression, locatorValue } from './pickers';
import { mapperOf, type RecordKind } from './record';

/** Records enough to have met every field that is in use. */
const query = { limit: 25 };

const listed = (path: string) => () => path;

/** The records that users enter, with the fields the reference names of each. */
const KINDS = {
	mapContact: {
		path: listed('/contacts'),
		query,
		documented: [
			{ name: ASSUMED.contactPhone, type: 'string' },
			{ name: 'secondary_phone_number', type: 'string' },
		],
	},
	mapCatalogue: {
		path: listed('/catalogues'),
		query,
		documented: [{ name: 'name', type: 'string' }],
	},
	mapItem: {
		path: listed('/catalogues/items'),
		query,
		documented: [
			{ name: 'name', type: 'string' },
			{ name: 'description', type: 'string' },
			{ name: 'sku', type: 'string' },
			{ name: 'price', type: 'number' },
			{ name: 'currency', type: 'string' },
			{ name: 'quantity', type: 'number' },
			{ name: 'category', type: 'string' },
		],
	},
	mapEvent: {
		path: listed('/events'),
		query,
		documented: [{ name: 'extras', type: 'object' }],
		records: eventsOf,
	},
	mapAgentTool: { path: toolPath, documented: [] },
} satisfies Record<string, RecordKind>;

/** The node's `resourceMapping` methods. */
export const resourceMapping = Object.fromEntries(
	Object.entries(KINDS).map(([name, kind]) => [name, mapperOf(kind)]),
);

/** A tool's fields are those of its own present configuration. */
function toolPath(context: ILoadOptionsFunctions): string | undefined {
	const { agent_id: agent, tool } = context.getCurrentNodeParameters() ?? {};
	const id = locatorValue(agent);
	if (!id || isExpression(id) || typeof tool !== 'string' || isExpression(tool)) return undefined;
	return `/agents/${encodeURIComponent(id)}/tools/${encodeURIComponent(tool)}`;
}
