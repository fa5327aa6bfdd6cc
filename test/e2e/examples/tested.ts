import { isWhole } from '../shared.ts';

/** Each shows something else: files, forms, webhooks, models, tables, many accounts, waiting, an event. */
const DOZEN = [
	'agent-backup',
	'agent-restore',
	'approve-bookings',
	'ask-your-calls',
	'call-summary-to-crm-contact',
	'calls-at-once',
	'client-billing',
	'menu-from-table',
	'new-calls-of-all-clients',
	'nightly-campaign',
	'orders-to-sheet',
	'test-call-outcome',
];

/** Whether an example runs in this n8n. */
export const isTested = (name: string) => isWhole || DOZEN.includes(name);

/** The tests of examples, each by the name of its file. */
export type Tests = Record<string, () => void>;
