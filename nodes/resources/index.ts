import { withCount } from '../table/counting';
import type { Resources } from '../table/operation';
import { health, usage, wallet } from './account';
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
import { playground } from './playground';
import { portalAccess } from './portalAccess';
import { report } from './report';

/** The whole table: what the node offers, and what it runs. */
export const resources: Resources = {
	agent,
	agentTool,
	apiRequest,
	call: withCount(call, { of: 'getAll', what: 'calls' }),
	campaign,
	catalogue,
	contact: withCount(contact, { of: 'getAll', what: 'contacts', options: ['search'] }),
	contactList: withCount(contactList, {
		of: 'getContacts',
		what: 'contacts of contact list',
		suffix: 'Contacts',
		description: 'Count the contacts in a contact list',
	}),
	event,
	health,
	item: withCount(item, { of: 'getAll', what: 'items' }),
	order: withCount(order, { of: 'getAll', what: 'orders' }),
	playground,
	portalAccess,
	report,
	usage,
	wallet,
};
