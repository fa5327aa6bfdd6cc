import { lowBalance, lowMinutes, newTransaction } from './accountEvents';
import { agentChanged } from './agentChanged';
import { callReady, callTransferred, fallbackProviderUsed, newCall } from './callEvents';
import { contactAddedToList, contactChanged, newContact } from './contactEvents';
import { newOrder, orderStatusChanged } from './orderEvents';
import {
	campaignStatusChanged,
	eventChanged,
	eventStatusChanged,
	itemChanged,
} from './wholeListEvents';

/**
 * The table of events. Each name is a value of the parameter 'Trigger On', in saved workflows and in what the
 * trigger stores: to rename one would break both.
 */
export const EVENTS = {
	agentChanged,
	callReady,
	callTransferred,
	campaignStatusChanged,
	contactAddedToList,
	contactChanged,
	eventChanged,
	eventStatusChanged,
	fallbackProviderUsed,
	itemChanged,
	lowBalance,
	lowMinutes,
	newCall,
	newContact,
	newOrder,
	newTransaction,
	orderStatusChanged,
};
