import { createReport } from '../report/createReport';
import type { Resource } from '../table/operation';

/** Reports for clients. The API has none: the node makes them of what it has. */
export const report: Resource = {
	name: 'Report',
	description: 'Reports for clients, ready to be sent',
	operations: { create: createReport },
};
