import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { locator } from '../../test/support/samples.ts';

/** A job that the page of a resource shows: what one sets, what comes in, and what comes out. */
export interface Job {
	/** In the imperative. */
	title: string;
	/** Such as `getAll`. */
	operation: string;
	/** What one sets. Records that are not named here are those of the operation's sample. */
	parameters?: INodeParameters;
	/** The input item, if the parameters read it. */
	input?: IDataObject;
	/** What one should know, in a sentence. */
	note?: string;
}

export interface Purpose {
	/** What one can do with the resource, in one line. README lists these lines. */
	line: string;
	jobs: readonly Job[];
}

/** A month of the demo account. */
const OCTOBER: INodeParameters = { period: 'between', from: '2026-10-01', until: '2026-11-01' };

const json = (fields: object): INodeParameters => ({
	specifyFields: 'json',
	json: JSON.stringify(fields),
});

/** What each resource is for. */
export const PURPOSES: Readonly<Record<string, Purpose>> = {
	agent: {
		line: 'Read your voice agents, and change what they say and how they sound',
		jobs: [
			{ title: 'List all agents', operation: 'getAll', parameters: { returnAll: true } },
			{
				title: 'See what a change would do, without making it',
				operation: 'update',
				parameters: {
					updateFields: { first_message: 'Good evening! How can I help?' },
					options: { dryRun: true },
				},
			},
		],
	},
	agentTool: {
		line: 'Set what an agent may do in a call: take orders, book tables, transfer calls',
		jobs: [
			{
				title: 'Transfer calls to another number',
				operation: 'update',
				parameters: { tool: 'transfer-to-phone', ...json({ phone_number: '+390612345678' }) },
			},
		],
	},
	apiRequest: {
		line: 'Send any other request of the API, such as for reservations, documents and webhooks',
		jobs: [
			{
				title: 'Read a list that the node has no operation for',
				operation: 'send',
				parameters: { method: 'GET', path: '/contacts', allPages: true },
			},
		],
	},
	call: {
		line: 'Read calls with their summaries and transcripts, count them, check what was said',
		jobs: [
			{
				title: 'Read calls with their summaries',
				operation: 'getAll',
				parameters: {
					limit: 5,
					filters: { call_status: ['Completed'] },
					options: { include: ['summary'] },
				},
			},
			{
				title: 'Count the calls of a month for each agent',
				operation: 'getStatistics',
				parameters: { ...OCTOBER, groupBy: 'agent' },
			},
			{
				title: 'Check what the agent said',
				operation: 'check',
				parameters: { checks: { agentMustSay: '={{ $json.must_say }}' } },
				input: { must_say: 'Trattoria Aurora' },
			},
		],
	},
	campaign: {
		line: 'Start, pause, resume and stop campaigns, and read their results',
		jobs: [
			{ title: 'Start a campaign', operation: 'start' },
			{ title: 'Read the results of a campaign', operation: 'getStats' },
		],
	},
	catalogue: {
		line: 'Create, rename and delete catalogues of items',
		jobs: [
			{
				title: 'Create a catalogue',
				operation: 'create',
				parameters: json({ name: 'Autumn menu' }),
			},
		],
	},
	contact: {
		line: 'Find, create, update and delete contacts, also by phone number',
		jobs: [
			{
				title: 'Save a lead of a form, once for each number',
				operation: 'upsert',
				parameters: {
					phone_number: '={{ $json.phone }}',
					specifyFields: 'json',
					json: '={{ { "first_name": $json.name } }}',
				},
				input: { name: 'Grace', phone: '+39 347 000 2222' },
			},
			{
				title: 'Find the contact of a caller',
				operation: 'get',
				parameters: {
					contact: locator('={{ $json.phone }}', 'phone'),
					options: { ifNotFound: 'item' },
				},
				input: { phone: '+39 347 999 9999' },
				note: 'If there is no such contact, the item continues with `found: false`.',
			},
		],
	},
	contactList: {
		line: 'Add contacts to lists, remove them, or make a list equal to a table',
		jobs: [
			{
				title: 'Add a phone number to a list',
				operation: 'addContacts',
				parameters: { phone_numbers: '={{ $json.phone }}', auto_create: true },
				input: { phone: '+39 347 000 3333' },
				note: '**Create Unknown Numbers** makes a contact for a number that has none.',
			},
			{
				title: 'See what would make a list equal to a table, without changing it',
				operation: 'sync',
				parameters: {
					phone_numbers: '={{ $json.phone }}',
					options: { dryRun: true, auto_create: true },
				},
				input: { phone: '+39 347 000 3333' },
			},
		],
	},
	event: {
		line: 'Read appointments, approve, confirm or reject them, and change them',
		jobs: [
			{
				title: 'List the appointments of a month',
				operation: 'getAll',
				parameters: { returnAll: true, filters: { from: '2026-10-01', until: '2026-12-01' } },
			},
			{ title: 'Approve an appointment', operation: 'approve' },
		],
	},
	health: {
		line: 'Check whether the API is up',
		jobs: [{ title: 'Check whether the API is up', operation: 'check' }],
	},
	item: {
		line: 'Create, update and delete the items that agents sell, also by SKU',
		jobs: [
			{
				title: 'Update a price by SKU',
				operation: 'upsert',
				parameters: {
					sku: '={{ $json.sku }}',
					specifyFields: 'json',
					json: '={{ { "name": $json.name, "price": $json.price } }}',
				},
				input: { sku: 'TIRAMISU', name: 'Tiramisù', price: 6.5 },
			},
		],
	},
	order: {
		line: 'Read orders with their lines, confirm or refuse them, and add up revenue',
		jobs: [
			{
				title: 'Read new orders as text for the kitchen',
				operation: 'getAll',
				parameters: { filters: { status: 'pending' }, options: { include: ['lineItemsText'] } },
			},
			{
				title: 'Confirm an order',
				operation: 'update',
				parameters: { updateFields: { status: 'confirmed' } },
			},
			{
				title: 'Add up the revenue of a month',
				operation: 'getStatistics',
				parameters: OCTOBER,
			},
		],
	},
	playground: {
		line: 'Place a test call from an outbound agent, and check what came of it',
		jobs: [
			{
				title: 'Place a test call, without waiting for it',
				operation: 'makeTestCall',
				note: 'The call costs money. [Test calls](../test-calls.md) shows how to wait for it and check it.',
			},
		],
	},
	portalAccess: {
		line: 'Check whether your organization may use a portal (Food, Beauty, Real Estate)',
		jobs: [{ title: 'Check one portal', operation: 'get' }],
	},
	report: {
		line: 'Make a page with the figures of a period, to send to a client',
		jobs: [
			{
				title: 'Make the report of a month',
				operation: 'create',
				parameters: { ...OCTOBER, title: 'Trattoria Aurora', sections: ['keyFigures'] },
			},
		],
	},
	usage: {
		line: 'Read how many minutes are left in the billing period',
		jobs: [{ title: 'Read the minutes that are left', operation: 'get' }],
	},
	wallet: {
		line: 'Read the balance and its transactions, and add them up',
		jobs: [
			{ title: 'Read the balance', operation: 'get' },
			{
				title: 'Add up what was spent in a month',
				operation: 'getStatistics',
				parameters: OCTOBER,
			},
		],
	},
};
