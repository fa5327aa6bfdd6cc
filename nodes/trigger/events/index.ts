// The table of events. Each name is a value of the parameter 'Trigger On'.
export { agentChanged } from './agentChanged';
export { callReady } from './callReady';
export { callTransferred } from './callTransferred';
export { campaignStatusChanged } from './campaignStatusChanged';
export { contactAddedToList } from './contactAddedToList';
export { contactChanged } from './contactChanged';
export { eventChanged } from './eventChanged';
export { eventStatusChanged } from './eventStatusChanged';
export { fallbackProviderUsed } from './fallbackProviderUsed';
export { itemChanged } from './itemChanged';
export { lowBalance } from './lowBalance';
export { lowMinutes } from './lowMinutes';
export { newCall } from './newCall';
export { newContact } from './newContact';
export { newOrder } from './newOrder';
export { newTransaction } from './newTransaction';
export { orderStatusChanged } from './orderStatusChanged';
