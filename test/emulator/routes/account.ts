import type { Assumed } from '../assumed.ts';
import { phone, readFields, uuid } from '../checks.ts';
import { invalid, notFound, Refusal } from '../envelope.ts';
import { choice, cursorOf, pageOf, polledSort } from '../query.ts';
import { PAGE } from '../route.ts';
import type { Behaviour, Exchange, Route } from '../route.ts';
import type { Readings } from '../readings.ts';
import { iso } from '../time.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

/** Row /portal-access/{portal_type}: a missing entitlement is a decision (200), a failing check is not (503). */
function portalAccess({ store, params, now, behaviour }: Exchange) {
	const portal_type = params['portal_type']!;
	const kinds = Object.entries(behaviour.assumed.portalTypes) as Array<
		[keyof Assumed['portalTypes'], string]
	>;
	const kind = kinds.find(([, value]) => value === portal_type)?.[0];
	if (!kind)
		throw invalid(`portal_type must be one of ${kinds.map(([, value]) => value).join(', ')}`);
	if (store.portalFailing)
		throw new Refusal(503, 'VERIFICATION_FAILED', 'portal access cannot be verified now');
	const isEntitled = store.entitlements.has(kind);
	const decision = {
		portal_type,
		checked_at: iso(now()),
		valid_until: iso(now() + MINUTE),
		operational_access: isEntitled,
		product: `${portal_type} portal`,
		variant: isEntitled ? 'monthly' : null,
		entitlement_expires_at: isEntitled ? iso(now() + 30 * DAY) : null,
		purchase_url: `https://market.example.test/${store.organizationId}/${portal_type}`,
	};
	return { data: decision };
}

/** Row /playground/test-call. */
function testCall({ store, body }: Exchange) {
	const sent = readFields(body, { agent_id: uuid, phone_number: phone }, [
		'agent_id',
		'phone_number',
	]);
	const { agent_id, phone_number } = sent as { agent_id: string; phone_number: string };
	const agent = store.agents.get(agent_id);
	if (!agent) throw notFound('agent');
	if (agent.agent_type !== 'outbound') throw invalid('a test call needs an outbound agent');
	if (!store.verifiedNumbers.has(phone_number)) throw invalid('the phone number is not verified');
	const task_id = store.draw().id('task');
	store.placeTestCall({ task_id, agent_id: agent.id, phone_number });
	return { data: { task_id } };
}

const SORT: Record<Readings['transactionSort'], string[]> = { known: ['sort'], unknown: [] };

/** Section "Other endpoints": health, wallet, usage, portal access and the playground. */
export function accountRoutes({ assumed, readings }: Behaviour): Route[] {
	return [
		{
			method: 'GET',
			path: assumed.health,
			kind: 'other',
			handle: () => ({ data: { status: 'ok', version: 'v1' } }),
		},
		{
			method: 'GET',
			path: '/wallet',
			kind: 'wallet',
			handle: ({ store }) => ({ data: store.wallet }),
		},
		{
			method: 'GET',
			path: '/wallet/transactions',
			kind: 'transaction',
			// The row names no sort; where one is taken, a poll in either order can be tried (see `ascending`).
			query: ['transaction_type', 'created_after', ...SORT[readings.transactionSort], ...PAGE],
			handle(exchange) {
				const type = choice(exchange.query, 'transaction_type', ['ADD', 'CONSUME']);
				const only = type === undefined ? undefined : { field: 'transaction_type', value: type };
				const selection = {
					...polledSort(exchange, ['created_at']),
					after: cursorOf(exchange),
					only,
				};
				return pageOf(exchange, exchange.store.transactions, selection);
			},
		},
		{
			method: 'GET',
			path: '/usage',
			kind: 'usage',
			scopes: ['usage:read'],
			handle({ store }) {
				if (!store.usage) throw notFound('active plan');
				return { data: store.usage };
			},
		},
		{
			method: 'GET',
			path: '/portal-access/{portal_type}',
			kind: 'portalAccess',
			scopes: ['offline_access'],
			handle: portalAccess,
		},
		{
			method: 'POST',
			path: '/playground/test-call',
			kind: 'testCall',
			tells: true,
			need: 'call',
			body: true,
			handle: testCall,
		},
	];
}
