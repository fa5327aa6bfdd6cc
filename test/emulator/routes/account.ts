import { assumedOf } from '../assumed.ts';
import type { Assumed } from '../assumed.ts';
import { phone, readFields, uuid } from '../checks.ts';
import { invalid, Refusal } from '../envelope.ts';
import { choice, cursorOf, NEWEST_FIRST, onlyWith, pageOf } from '../query.ts';
import type { Transaction } from '../records.ts';
import { found, get, list, post } from '../route.ts';
import type { Exchange, Route } from '../route.ts';
import { iso } from '../time.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

type Portal = keyof Assumed['portalTypes'];

/** Row /portal-access/{portal_type}: without an entitlement the answer is a decision (200); a check that fails is a 503. */
function portalAccess({ store, params, now, readings }: Exchange) {
	const portal_type = params['portal_type']!;
	const portals = Object.entries(assumedOf(readings).portalTypes) as Array<[Portal, string]>;
	const portal = portals.find(([, value]) => value === portal_type)?.[0];
	if (!portal)
		throw invalid(`portal_type must be one of ${portals.map(([, value]) => value).join(', ')}`);
	if (store.portalFailing)
		throw new Refusal(503, 'VERIFICATION_FAILED', 'portal access cannot be verified now');
	const isEntitled = portal === 'food';
	return {
		portal_type,
		checked_at: iso(now()),
		valid_until: iso(now() + MINUTE),
		operational_access: isEntitled,
		product: `${portal_type} portal`,
		variant: isEntitled ? 'monthly' : null,
		entitlement_expires_at: isEntitled ? iso(now() + 30 * DAY) : null,
		purchase_url: `https://market.example.test/${store.organizationId}/${portal_type}`,
	};
}

/** Row /playground/test-call. */
function testCall({ store, body }: Exchange) {
	const rules = { agent_id: uuid, phone_number: phone };
	const sent = readFields(body, rules, ['agent_id', 'phone_number']);
	const { agent_id, phone_number } = sent as { agent_id: string; phone_number: string };
	const agent = found(store.agents.get(agent_id), 'agent');
	if (agent.agent_type !== 'outbound') throw invalid('a test call needs an outbound agent');
	if (!store.verifiedNumbers.has(phone_number)) throw invalid('the phone number is not verified');
	const task_id = store.draw().id('task');
	store.placeTestCall({ task_id, agent_id: agent.id, phone_number });
	return { task_id };
}

/** Section "Other endpoints": health, wallet, usage, portal access and the playground. */
export const accountRoutes = ({ health }: Assumed): Route[] => [
	get(health, 'other', () => ({ status: 'ok', version: 'v1' })),
	get('/wallet', 'wallet', ({ store }) => store.wallet),
	list('/wallet/transactions', 'transaction', ['transaction_type', 'created_after'], (exchange) => {
		const type = choice(exchange.query, 'transaction_type', ['ADD', 'CONSUME']);
		return pageOf(exchange, exchange.store.transactions, {
			...NEWEST_FIRST,
			from: cursorOf(exchange),
			where: [onlyWith<Transaction>('transaction_type', type)],
		});
	}),
	get('/usage', 'usage', ({ store }) => found(store.usage ?? undefined, 'active plan'), {
		scopes: ['usage:read'],
	}),
	get('/portal-access/{portal_type}', 'portalAccess', portalAccess, { scopes: ['offline_access'] }),
	post('/playground/test-call', 'testCall', testCall, { outcome: undefined, need: 'call' }),
];
