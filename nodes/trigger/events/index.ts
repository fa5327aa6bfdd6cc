import { callReady } from './callReady';
import { callTransferred } from './callTransferred';
import { campaignStatusChanged } from './campaignStatusChanged';
import { fallbackProviderUsed } from './fallbackProviderUsed';
import { lowBalance } from './lowBalance';
import { lowMinutes } from './lowMinutes';
import { newCall } from './newCall';
import { newOrder } from './newOrder';
import { newTransaction } from './newTransaction';
import { orderStatusChanged } from './orderStatusChanged';

/** The table of events, by the values of the parameter `event`. */
export const EVENTS = {
	callReady,
	callTransferred,
	campaignStatusChanged,
	fallbackProviderUsed,
	lowBalance,
	lowMinutes,
	newCall,
	newOrder,
	newTransaction,
	orderStatusChanged,
};

export type EventName = keyof typeof EVENTS;
