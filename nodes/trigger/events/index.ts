import { callReady } from './callReady';
import { callTransferred } from './callTransferred';
import { campaignStatusChanged } from './campaignStatusChanged';
import { contactAddedToList } from './contactAddedToList';
import { eventChanged } from './eventChanged';
import { eventStatusChanged } from './eventStatusChanged';
import { fallbackProviderUsed } from './fallbackProviderUsed';
import { lowBalance } from './lowBalance';
import { lowMinutes } from './lowMinutes';
import { newCall } from './newCall';
import { newContact } from './newContact';
import { newOrder } from './newOrder';
import { newTransaction } from './newTransaction';
import { orderStatusChanged } from './orderStatusChanged';

/** The table of events, by the values of the parameter `event`. */
export const EVENTS = {
	callReady,
	callTransferred,
	campaignStatusChanged,
	contactAddedToList,
	eventChanged,
	eventStatusChanged,
	fallbackProviderUsed,
	lowBalance,
	lowMinutes,
	newCall,
	newContact,
	newOrder,
	newTransaction,
	orderStatusChanged,
};

export type EventName = keyof typeof EVENTS;
