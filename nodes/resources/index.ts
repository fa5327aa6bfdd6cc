import { report } from '../report/createReport';
import type { Resources } from '../table/operation';
import { agent } from './agent';
import { agentTool } from './agentTool';
import { apiRequest } from './apiRequest';
import { call } from './call';
import { campaign } from './campaign';
import { catalogue } from './catalogue';
import { contact } from './contact';
import { contactList } from './contactList';
import { event } from './event';
import { item } from './item';
import { order } from './order';
import { health, portalAccess, usage, wallet } from './organization';
import { playground } from './playground';

/** The whole table: what the node offers, and what it runs. */
export const resources: Resources = {
	agent,
	agentTool,
	apiRequest,
	call,
	campaign,
	catalogue,
	contact,
	contactList,
	event,
	health,
	item,
	order,
	playground,
	portalAccess,
	report,
	usage,
	wallet,
};
