import type { INodeProperties } from 'n8n-workflow';

import { choices, optionalFields, picker } from '../table/fields';
import { TRANSACTION_TYPE } from '../resources/account';
import { CALL_PARTS } from '../resources/call';
import { CALL_STATUS, ORDER_STATUS } from '../resources/statuses';

/** What can be watched, by the names that users see. */
export const EVENTS = {
	callReady: 'Call Ready',
	lowBalance: 'Low Balance',
	newCall: 'New Call',
	newOrder: 'New Order',
	newTransaction: 'New Wallet Transaction',
	orderStatusChanged: 'Order Status Changed',
} as const;

export type EventName = keyof typeof EVENTS;

const showFor = (...events: EventName[]) => ({ show: { event: events } });

const READY_PARTS = { summary: CALL_PARTS.summary, transcript: CALL_PARTS.transcript } as const;

export const properties: INodeProperties[] = [
	{
		displayName: 'Event',
		name: 'event',
		type: 'options',
		noDataExpression: true,
		options: choices(EVENTS, {
			callReady: 'When the summary or transcript of a call exists',
			lowBalance: 'Once when the balance falls below an amount, and again after it was above',
			newCall: 'When a call shows up in the call history',
			newOrder: 'When an order shows up',
			newTransaction: 'When the balance is added to or consumed',
			orderStatusChanged: 'When an order moves from one status to another',
		}),
		default: 'newCall',
	},
	{
		displayName: 'Wait For',
		name: 'waitFor',
		type: 'multiOptions',
		displayOptions: showFor('callReady'),
		options: choices(READY_PARTS),
		default: ['summary'],
		description: 'What must exist before the call is emitted; it is part of the item',
	},
	{
		displayName: 'Wait at Most',
		name: 'waitMinutes',
		type: 'number',
		displayOptions: showFor('callReady'),
		typeOptions: { minValue: 1, maxValue: 1440 },
		default: 60,
		description:
			'Minutes after the beginning of the call until it is emitted without, with "ready": false. Allow for the length of the call.',
	},
	{
		displayName: 'Balance Below',
		name: 'threshold',
		type: 'number',
		displayOptions: showFor('lowBalance'),
		default: 10,
		description: 'The amount, in the currency of the wallet',
	},
	{
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		displayOptions: showFor('callReady', 'newCall', 'newOrder', 'orderStatusChanged'),
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
	},
	{
		...optionalFields('Filters', 'filters', 'Add filter', [
			picker({
				displayName: 'Agent',
				name: 'agent_id',
				search: 'searchAgents',
				description: 'Only calls of this agent; needs calls that carry their agent',
				required: false,
			}),
			{
				displayName: 'Call Status',
				name: 'call_status',
				type: 'multiOptions',
				options: choices(CALL_STATUS),
				default: [],
				description: 'Only calls that ended in one of these ways',
			},
		]),
		displayOptions: showFor('callReady', 'newCall'),
	},
	{
		...optionalFields('Filters', 'filters', 'Add filter', [
			{
				displayName: 'Status',
				name: 'status',
				type: 'multiOptions',
				options: choices(ORDER_STATUS),
				default: [],
				description: 'Only orders that have one of these when they are first seen',
			},
		]),
		displayOptions: showFor('newOrder'),
	},
	{
		...optionalFields('Filters', 'filters', 'Add filter', [
			{
				displayName: 'From',
				name: 'from',
				type: 'multiOptions',
				options: choices(ORDER_STATUS),
				default: [],
				description: 'Only moves from one of these',
			},
			{
				displayName: 'To',
				name: 'to',
				type: 'multiOptions',
				options: choices(ORDER_STATUS),
				default: [],
				description: 'Only moves to one of these',
			},
		]),
		displayOptions: showFor('orderStatusChanged'),
	},
	{
		...optionalFields('Filters', 'filters', 'Add filter', [
			{
				displayName: 'Transaction Type',
				name: 'transaction_type',
				type: 'options',
				options: choices(TRANSACTION_TYPE),
				default: 'ADD',
				description: 'Only transactions that add to the balance, or that consume it',
			},
		]),
		displayOptions: showFor('newTransaction'),
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Include',
				name: 'include',
				type: 'multiOptions',
				displayOptions: { show: { '/event': ['callReady', 'newCall'] } },
				options: choices(CALL_PARTS, {
					detail: 'Everything the API knows of the call, such as its transfer time',
					summary: 'The summary, or null where there is none yet',
					transcript: 'The transcript, or null where there is none yet',
				}),
				default: [],
				description: 'What to add to each call. Each part costs one more request per call.',
			},
			{
				displayName: 'Limit per Poll',
				name: 'pollLimit',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 500,
				description:
					'How many items one poll may emit. The others are not lost: they come with the next polls.',
			},
			{
				displayName: 'Look Back',
				name: 'lookBack',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 168 },
				default: 3,
				description:
					'Hours for which a record may show up late and is still emitted. Should exceed the longest call. A longer look-back costs more requests per poll.',
			},
			{
				displayName: 'On Activation',
				name: 'onActivation',
				type: 'options',
				options: [
					{
						name: 'Continue Where It Stood',
						value: 'continue',
						description: 'Also emit what happened while the workflow was inactive',
					},
					{
						name: 'Start From Now',
						value: 'now',
						description: 'Emit only what happens from now on',
					},
				],
				default: 'continue',
				description: 'What happens when the workflow is activated again',
			},
			{
				displayName: 'Watch Orders For',
				name: 'orderDays',
				type: 'number',
				displayOptions: { show: { '/event': ['orderStatusChanged'] } },
				typeOptions: { minValue: 1, maxValue: 90 },
				default: 14,
				description:
					'Days after its creation for which an order is watched. A longer time costs more requests per poll.',
			},
		],
	},
];
