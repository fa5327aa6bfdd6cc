// The table of events. Each name is a value of the parameter 'Trigger On', in saved workflows and in what the
// trigger stores: to rename one would break both.
export { lowBalance, lowMinutes, newTransaction } from './accountEvents';
export { agentChanged } from './agentChanged';
export { eventChanged, eventStatusChanged } from './calendarEvents';
export { callReady, callTransferred, fallbackProviderUsed, newCall } from './callEvents';
export { campaignStatusChanged } from './campaignStatusChanged';
export { contactAddedToList, contactChanged, newContact } from './contactEvents';
export { itemChanged } from './itemChanged';
export { newOrder, orderStatusChanged } from './orderEvents';
