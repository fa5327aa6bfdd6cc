import { enterAs } from '../api/names';
import { optionsOf } from '../table/common';
import { form } from '../table/form';
import { ifNotFound } from '../table/handling';
import { choice } from '../table/kinds';
import { operation, sends, type Resource } from '../table/operation';

const PORTALS = { beauty: 'Beauty', food: 'Food', realEstate: 'Real Estate' } as const;

const UNKNOWN_PORTAL = `The API does not know this portal. If it has another name in the path, ${enterAs('portals')}.`;

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
			...sends('GET /portal-access/{portal_type}'),
			fields: () =>
				form({
					portal: choice(PORTALS, {
						displayName: 'Portal',
						default: 'food',
						description: 'Portal to check',
					}),
					options: optionsOf({ ifNotFound }),
				}).check(({ portal }, _refuse, names) => ({
					portal_type: names.portals[Object.keys(PORTALS).indexOf(portal)],
				})),
			hints: () => ({
				400: UNKNOWN_PORTAL,
				404: UNKNOWN_PORTAL,
				503: 'The access could not be checked just now. This is not a refusal: try again.',
			}),
		}),
	},
};
