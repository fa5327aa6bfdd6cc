import type { Readings } from '../readings.ts';
import type { Route } from '../route.ts';
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

/** Every line of the two tables of section "Endpoints". */
export const allRoutes = (readings: Readings): Route[] => [
	...accountRoutes(readings),
	...agentRoutes,
	...toolRoutes,
	...contactRoutes,
	...contactListRoutes,
	...callRoutes,
	...catalogueRoutes,
	...orderRoutes,
	...eventRoutes(readings),
	...campaignRoutes,
];
