import { enterAs, USUAL_NAMES } from '../api/names';
import { ASSUMED } from '../domain/assumed';
import { USAGE_HINTS } from '../domain/usage';
import { boundsOf, splitPeriod, timeFilters } from '../filters/within';
import { walletStatistics } from '../statistics/walletStatistics';
import { filtersOf, optionsOf, transactionType } from '../table/common';
import { form } from '../table/form';
import { ifNotFound } from '../table/handling';
import { choice } from '../table/kinds';
import { DONE, operation, type Resource, sends } from '../table/operation';

/** Reference: "health check", whose path is not shown. */
export const health: Resource = {
	name: 'Health',
	description: 'Whether the API is up',
	operations: {
		check: operation({
			name: 'Check',
			action: 'Check API health',
			description: 'Check whether the API is up',
			request: `GET ${USUAL_NAMES.healthPath}` as `GET /${string}`,
			run: async (_input, api) => {
				const path = api.names.healthPath;
				const { data } = await api.send({ method: 'GET', path, mayBeEmpty: true });
				// The answer itself says that the API is up; what it holds is not shown.
				return data === null || typeof data === 'object' ? (data ?? DONE) : { value: data };
			},
			hints: () => ({
				404: `The API has its health check at another path: ${enterAs('healthPath')}.`,
			}),
		}),
	},
};

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

/** Reference: GET /usage. */
export const usage: Resource = {
	name: 'Usage',
	description: 'Minutes of the current billing period',
	operations: {
		get: {
			name: 'Get',
			action: 'Get usage',
			description: 'Retrieve the minutes included, used and remaining in the billing period',
			hint: 'An organization without an active plan answers 404: let the workflow continue if that may happen.',
			...sends('GET /usage'),
			hints: () => USAGE_HINTS,
		},
	},
};

/** Reference: GET /wallet and GET /wallet/transactions. */
export const wallet: Resource = {
	name: 'Wallet',
	description: 'The balance and its transactions',
	operations: {
		get: {
			name: 'Get',
			action: 'Get wallet',
			description: 'Retrieve the balance, its currency and the status of automatic top-up',
			...sends('GET /wallet'),
		},
		getStatistics: walletStatistics,
		getTransactions: operation({
			name: 'Get Many Transactions',
			action: 'Get many wallet transactions',
			description: 'Retrieve a list of wallet transactions',
			request: 'GET /wallet/transactions',
			does: 'list',
			fields: () =>
				form({
					filters: filtersOf({
						...timeFilters('transactions'),
						transaction_type: transactionType(
							'Only transactions that add money, or only those that use it',
						),
					}),
				}).check(({ filters }, refuse) => splitPeriod(filters, refuse)),
			run: async ({ query, within }, api) =>
				await api.list('/wallet/transactions', query, {
					period: within && boundsOf(within, api.now),
					dateFields: ASSUMED.transactionDate,
				}),
		}),
	},
};
