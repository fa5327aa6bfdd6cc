import type { Behaviour, Route } from '../route.ts';
import { accountRoutes } from './account.ts';
import { agentRoutes } from './agents.ts';
import { callRoutes } from './calls.ts';
import { campaignRoutes } from './campaigns.ts';
import { catalogueRoutes } from './catalogues.ts';
import { contactListRoutes } from './contact-lists.ts';
import { contactRoutes } from './contacts.ts';
import { eventRoutes } from './events.ts';
import { orderRoutes } from './orders.ts';
import { toolRoutes } from './tools.ts';

/** Every line of the two tables of section "Endpoints"; what is not shown of a path comes from the assumptions. */
export function allRoutes(behaviour: Behaviour): Route[] {
	return [
		...accountRoutes(behaviour),
		...agentRoutes,
		...toolRoutes,
		...contactRoutes,
		...contactListRoutes,
		...callRoutes,
		...catalogueRoutes,
		...orderRoutes,
		...eventRoutes(behaviour),
		...campaignRoutes,
	];
}
