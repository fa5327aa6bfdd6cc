/** One example, as `examples/README.md` lists it. Its title and what it needs come from its file. */
interface Listed {
	/** What starts it. */
	starts: string;
	does: string;
	/** What one does today without it. */
	insteadOf: string;
	/** What it changes in the account, or what costs money. Default: nothing. */
	changes?: string;
}

/** The examples by their files, in the sections of the page. */
export const EXAMPLES: Readonly<Record<string, Readonly<Record<string, Listed>>>> = {
	Calls: {
		'missed-call-message': {
			starts: 'a missed call',
			does: 'Sends a message to Slack, and an SMS to the caller that you will call back',
			insteadOf: 'callers who would try the next business',
			changes: 'the SMS',
		},
		'call-the-missed': {
			starts: 'daily',
			does: 'Puts everybody who was missed since last evening on a contact list, unless they got through later. Starts the campaign that calls the list. The first run is a dry run',
			insteadOf: 'calling back one by one',
			changes: 'contacts, the list, and calls',
		},
		'escalate-transferred-call': {
			starts: '*Call Transferred*',
			does: 'Opens a ticket in HubSpot and writes to Slack, with what was said',
			insteadOf: 'asking the caller everything again',
		},
		'call-summary-to-crm-contact': {
			starts: '*Call Ready*',
			does: "Adds each summary to the notes of the caller's contact, and logs the call in HubSpot",
			insteadOf: 'writing notes after each call',
			changes: 'contacts',
		},
		'transcript-quality-score': {
			starts: '*Call Ready*',
			does: 'Lets an AI model score each call. Writes a row per call to Google Sheets, and poor calls to Slack',
			insteadOf: 'listening to calls',
			changes: 'the model',
		},
		'calls-at-once': {
			starts: 'a notification to its address, or every 15 minutes',
			does: 'Reads the calls of the last hours, and writes new ones to Slack',
			insteadOf: 'waiting for the next poll',
		},
		'unanswered-share-alert': {
			starts: 'every morning',
			does: "Writes to Slack if an agent's share of unanswered calls went up",
			insteadOf: 'reading a report every day',
		},
		'weekly-quality-digest': {
			starts: 'weekly',
			does: "Mails last week's calls by agent, with the share completed, transfers and fallbacks, and summaries of the longest and the failed calls",
			insteadOf: 'listening to calls',
		},
		'fallback-provider-alert': {
			starts: '*Fallback Provider Used*',
			does: 'Writes to Slack when another AI provider had to serve a call',
			insteadOf: 'wondering why an agent sounded different',
		},
		'ask-your-calls': {
			starts: 'a chat',
			does: 'An AI agent counts, finds and reads calls to answer your questions',
			insteadOf: 'filters, exports and pivot tables',
			changes: 'the model',
		},
		'calls-in-claude': {
			starts: 'Claude, ChatGPT; a form',
			does: 'Lets them count, find and read calls over MCP. They may propose a callback, and you decide in a form',
			insteadOf: 'exports, and copying calls into a chat',
			changes: 'the list, only after a *Yes*',
		},
		'call-export-to-table': {
			starts: 'by hand',
			does: 'Writes the calls of the last 30 days with their summaries to a CSV file and to Google Sheets',
			insteadOf: 'copying by hand',
		},
		'daily-figures-to-sheet': {
			starts: 'daily',
			does: 'Writes one row per day to Google Sheets, for your own charts',
			insteadOf: 'exports for a dashboard',
		},
	},
	'Orders and bookings': {
		'order-confirm-or-refuse': {
			starts: '*New Order*',
			does: 'Confirms orders up to an amount, refuses what is out of stock, and asks a person about each other order',
			insteadOf: 'looking at each small order',
			changes: 'orders, which may send an SMS',
		},
		'orders-to-sheet': {
			starts: '*New Order*',
			does: 'Writes one row to Google Sheets for each item that was ordered',
			insteadOf: 'typing orders into a sheet',
		},
		'orders-to-shop': {
			starts: '*New Order*',
			does: "Sends each order, with its lines, to the address of your shop's program",
			insteadOf: 'typing orders into another program',
			changes: 'no, but in the shop',
		},
		'order-status-messages': {
			starts: '*Order Status Changed*',
			does: 'Writes to Slack when an order gets another status',
			insteadOf: 'asking how an order is doing',
		},
		'menu-from-table': {
			starts: 'every night',
			does: 'Writes the name, price, quantity and category of each row to the item with its SKU',
			insteadOf: 'typing prices twice',
			changes: 'items',
		},
		'stock-alert': {
			starts: '*New or Changed Item*',
			does: 'Writes to Slack when few pieces of an item are left',
			insteadOf: 'selling what is sold out',
		},
		'weekly-orders-digest': {
			starts: 'weekly',
			does: 'Mails the orders of the last seven days by status, with the revenue in each currency',
			insteadOf: 'adding up by hand',
		},
		'approve-bookings': {
			starts: 'a new booking',
			does: 'Asks a person in Slack or by e-mail, and approves or rejects the booking',
			insteadOf: 'opening the calendar for each booking',
			changes: 'calendar events',
		},
		'booking-reminders': {
			starts: 'daily',
			does: "Sends an SMS to everybody with a booking for tomorrow, and tomorrow's list to Slack",
			insteadOf: 'calling people one by one, and no-shows',
			changes: 'the SMS',
		},
		'booking-messages': {
			starts: '*New or Changed Calendar Event*',
			does: 'Writes each new and each changed booking to Slack',
			insteadOf: 'watching the calendar',
		},
		'bookings-to-google-calendar': {
			starts: '*Calendar Event Status Changed*',
			does: 'Adds each booking that is approved or confirmed to Google Calendar',
			insteadOf: 'keeping two calendars',
		},
	},
	'Leads and campaigns': {
		'lead-to-outcome': {
			starts: 'every 15 minutes, *Call Ready*, *New Order*',
			does: 'Puts each row of a table on a contact list that your campaign calls, and writes the outcome back into the row',
			insteadOf: 'looking up each lead in the call history',
			changes: 'contacts, the list, and calls',
		},
		'contacts-hubspot-sync': {
			starts: '*New or Changed Contact*, every 15 minutes',
			does: 'Keeps names, e-mail addresses and numbers equal on both sides',
			insteadOf: 'entering contacts twice',
			changes: 'contacts on both sides',
		},
		'new-contacts-to-sheet': {
			starts: '*New Contact*',
			does: 'Writes one row to Google Sheets for each new contact',
			insteadOf: 'exports by hand',
		},
		'list-welcome': {
			starts: '*Contact Added to List*',
			does: 'Emails each contact that is added to a contact list',
			insteadOf: 'writing each e-mail by hand',
		},
		'delete-personal-data': {
			starts: 'a form',
			does: 'Deletes a contact, its bookings and its places on lists. Says what the API cannot delete',
			insteadOf: 'searching four places',
			changes: 'contacts, lists and calendar events',
		},
		'before-a-campaign': {
			starts: 'a form',
			does: 'Shows who is on the list twice, was called lately or asked not to be called, and whether your minutes are enough. Starts the campaign after your *Yes*, and pauses it if too many calls fail',
			insteadOf: 'campaigns that annoy people, or stop halfway',
			changes: 'calls, only after a *Yes*',
		},
		'nightly-campaign': {
			starts: 'two schedules',
			does: 'Starts or resumes a campaign in the evening. At night it pauses it, or stops it if too many calls failed',
			insteadOf: 'starting and pausing by hand',
			changes: 'calls',
		},
		'call-again': {
			starts: 'every hour of the day',
			does: 'Puts people who did not answer back on the list, up to three calls with a pause between them, and resumes the campaign. The first run is a dry run',
			insteadOf: 'lists of people to call again',
			changes: 'contacts, the list, and calls',
		},
		'campaign-ended-message': {
			starts: '*Campaign Status Changed*',
			does: 'Writes the figures of a campaign to Slack when it ends',
			insteadOf: 'checking whether it has ended',
		},
	},
	'Agents and test calls': {
		'agents-test-agents': {
			starts: 'every night',
			does: 'Lets an agent play your customers and call the agents that you test, one scenario after another. Checks both transcripts, and writes results, scores, lengths and transcripts to a table',
			insteadOf: 'an evening of test calls after each change',
			changes: 'one call per scenario, the prompt of the agent that calls',
		},
		'agent-evaluation': {
			starts: "n8n's *Evaluations*",
			does: "Runs test calls as a data set of n8n: the score of the checks and a model's opinion of the summary become metrics",
			insteadOf: 'arguing whether the new prompt is better',
			changes: 'one call per row, the model',
		},
		'ask-by-phone': {
			starts: 'another workflow, or a form',
			does: 'Lets an agent call a person and ask a question. Only a clear *yes* counts as yes',
			insteadOf: 'calling people who do not read messages',
			changes: 'one call per question, the prompt of the agent that asks',
		},
		'test-before-rollout': {
			starts: 'a form',
			does: 'Gives a new prompt to a test agent, which then calls your test numbers. The agents of all clients get it only if all tests passed. If not, the test agent gets its old prompt back',
			insteadOf: 'learning of a broken prompt from a client',
			changes: 'one call per test, agents',
		},
		'agent-backup': {
			starts: 'every night',
			does: 'Saves one file per agent to Google Drive, with its settings and tools',
			insteadOf: 'losing a prompt that was overwritten',
		},
		'agent-restore': {
			starts: 'a form',
			does: 'Shows what differs from a backup, and restores the settings that an update can change',
			insteadOf: 'finding out by hand what was changed',
			changes: 'the agent, only with *Restore*',
		},
		'one-agent-many-clients': {
			starts: 'a form, *Agent Changed*',
			does: 'Fills one template with the values of each client. Shows each prompt before and after, changes them after your *Yes*, and reports agents that were changed by hand',
			insteadOf: 'editing the same prompt thirty times',
			changes: 'agents, only after a *Yes*',
		},
		'documents-to-knowledge-base': {
			starts: 'every night',
			does: 'Sends each new or changed file of a Google Drive folder to your account, to a path that you enter',
			insteadOf: 'uploading each price list by hand',
			changes: 'documents of the account',
		},
		'agent-change-effect': {
			starts: '*Agent Changed*, weekly',
			does: 'Writes a row for each change of an agent, and a week later the figures of the week before and the week after',
			insteadOf: 'guessing why figures moved',
		},
		'test-call-from-form': {
			starts: 'a form',
			does: 'Lets a colleague enter a number, and an agent calls it',
			insteadOf: 'giving everybody access',
			changes: 'one call per form',
		},
		'test-call-outcome': {
			starts: 'a form',
			does: 'Does the same, and mails the status and summary when the call has ended',
			insteadOf: 'looking up each test call',
			changes: 'one call per form',
		},
	},
	'Balance, minutes and agencies': {
		'low-balance-alert': {
			starts: '*Low Balance*',
			does: 'Writes to Slack when the balance falls below an amount',
			insteadOf: 'a day without calls',
		},
		'low-minutes-alert': {
			starts: '*Low Minutes*',
			does: 'Writes to Slack and by e-mail when few minutes remain, and how long they will last',
			insteadOf: 'extra minutes on the invoice',
		},
		'wallet-transactions-to-sheet': {
			starts: '*New Wallet Transaction*',
			does: 'Writes one row to Google Sheets for each top-up and each consumption',
			insteadOf: 'copying amounts for your bookkeeping',
		},
		'monthly-client-report': {
			starts: 'monthly',
			does: "Mails a report of last month's calls, minutes and wallet, compared with the month before",
			insteadOf: 'an hour of counting per month',
		},
		'reports-for-all-clients': {
			starts: 'monthly',
			does: 'Mails each client a report with charts, and writes its text to a table',
			insteadOf: 'an hour per client and month',
		},
		'client-billing': {
			starts: 'monthly',
			does: 'Writes the invoice lines of all clients to a table: minutes at your price, or consumption with a mark-up',
			insteadOf: 'an afternoon before each invoice run',
		},
		'missed-call-digest': {
			starts: 'daily',
			does: "Mails yesterday's missed calls of all clients as one list",
			insteadOf: 'reading call lists',
		},
		'new-calls-of-all-clients': {
			starts: '*New Call*',
			does: 'Writes the new calls of all clients to one table, each once',
			insteadOf: 'one workflow per client',
		},
	},
};

/** The examples to begin with: they need no other service, or one that most people have. */
export const FIRST = [
	'call-export-to-table',
	'new-calls-of-all-clients',
	'monthly-client-report',
	'order-confirm-or-refuse',
	'test-before-rollout',
];
