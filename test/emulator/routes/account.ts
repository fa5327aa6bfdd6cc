import { phone, uuid } from '../checks.ts';
import { invalid } from '../envelope.ts';
import { createdAfter, list, NEWEST_FIRST } from '../list.ts';
import { pathsOf, type Readings } from '../readings.ts';
import type { Transaction } from '../records.ts';
import { found, get, post, type Exchange, type Route } from '../route.ts';
import { iso } from '../time.ts';

/** Row /portal-access/{portal_type}: without an entitlement the answer is a decision (200). */
function portalAccess({ store, params, readings }: Exchange) {
	const portal_type = params['portal_type']!;
	const { food, beauty, realEstate } = pathsOf(readings);
	const portals = [food, beauty, realEstate];
	if (!portals.includes(portal_type))
		throw invalid(`portal_type must be one of ${portals.join(', ')}`);
	const isEntitled = portal_type === food;
	const now = store.now();
	return {
		portal_type,
		checked_at: iso(now),
		valid_until: iso(now + 60_000),
		operational_access: isEntitled,
		product: `${portal_type} portal`,
		variant: isEntitled ? 'monthly' : null,
		entitlement_expires_at: isEntitled ? iso(now + 30 * 86_400_000) : null,
		purchase_url: `https://market.example.test/${store.organizationId}/${portal_type}`,
	};
}

/** Row /playground/test-call. */
function testCall({ store, body }: Exchange) {
	const { agent_id, phone_number } = body as { agent_id: string; phone_number: string };
	const agent = found(store.agents.get(agent_id), 'agent');
	if (agent.agent_type !== 'outbound') throw invalid('a test call needs an outbound agent');
	if (!store.verifiedNumbers.has(phone_number)) throw invalid('the phone number is not verified');
	const task_id = store.draw().id('task');
	store.placeTestCall({ task_id, agent_id: agent.id, phone_number });
	return { task_id };
}

/** Section "Other endpoints": health, wallet, usage, portal access and the playground. */
export const accountRoutes = (readings: Readings): Route[] => [
	get(pathsOf(readings).health, 'other', () => ({ status: 'ok', version: 'v1' })),
	get('/wallet', 'wallet', ({ store }) => store.wallet),
	list<Transaction>('/wallet/transactions', 'transaction', {
		rows: ({ store }) => store.transactions,
		order: NEWEST_FIRST,
		filters: { transaction_type: ['ADD', 'CONSUME'], created_after: createdAfter },
	}),
	get('/usage', 'usage', ({ store }) => found(store.usage ?? undefined, 'active plan'), {
		scopes: ['usage:read'],
	}),
	get('/portal-access/{portal_type}', 'other', portalAccess, { scopes: ['offline_access'] }),
	post('/playground/test-call', 'testCall', testCall, {
		body: { agent_id: uuid, phone_number: phone },
		required: ['agent_id', 'phone_number'],
		need: 'call',
		isShown: true,
	}),
];
