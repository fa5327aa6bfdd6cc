import { enterAs } from '../api/names';
import { isObject, type JsonObject } from '../json';
import { form } from '../table/form';
import { choice } from '../table/kinds';
import { operation, type Resource } from '../table/operation';
import { toMillis } from '../time';

const PORTALS = { beauty: 'Beauty', food: 'Food', realEstate: 'Real Estate' } as const;

/** Where an account says what a portal is called in the path. */
const NAME_OF = {
	beauty: 'portalBeauty',
	food: 'portalFood',
	realEstate: 'portalRealEstate',
} as const;

const UNKNOWN_PORTAL = `The API does not know this portal. If it has another name in the path, ${enterAs(...Object.values(NAME_OF))}.`;

/**
 * A decision, with the number of seconds for which it is still valid: at most 60. Reference: "Limits".
 * @param now in ms
 */
function withRemaining(decision: JsonObject, now: number): JsonObject {
	const until = toMillis(decision.valid_until);
	if (until === undefined) return decision;
	return {
		...decision,
		valid_for_seconds: Math.max(0, Math.min(60, Math.floor((until - now) / 1000))),
	};
}

/** Reference: GET /portal-access/{portal_type}. */
export const portalAccess: Resource = {
	name: 'Portal Access',
	description: 'Whether your organization may use a portal (Food, Beauty, Real Estate)',
	operations: {
		get: operation({
			name: 'Get',
			description:
				'Check whether your organization may use a portal. If not, operational_access is false. A decision is valid for up to 60 seconds.',
			hint: 'A missing entitlement is an answer too: branch on operational_access. Ask again for each decision, as it is valid for up to 60 seconds.',
			request: 'GET /portal-access/{portal_type}',
			fields: () =>
				form({
					portal: choice(PORTALS, {
						displayName: 'Portal',
						default: 'food',
						description: 'Portal to check',
					}),
				}).check(({ portal }, _refuse, names) => ({ portal_type: names[NAME_OF[portal]] })),
			run: async (_input, { api, request }) => {
				const { data, at } = await api.send(request());
				if (data === null) throw api.nothing();
				// The API's clock shows whole seconds, so its time may be almost a second later.
				const now = at === undefined ? Date.now() : at + 999;
				return isObject(data) ? withRemaining(data, now) : data;
			},
			hints: () => ({
				400: UNKNOWN_PORTAL,
				404: UNKNOWN_PORTAL,
				503: 'The access could not be checked just now. This is not a refusal: try again.',
			}),
		}),
	},
};
