import { expect, it } from 'vitest';

import type { Store } from '../../emulator/index.ts';
import {
	ago,
	DAY,
	dataTable,
	dayOf,
	emulator,
	expectAllowedRequests,
	expectSent,
	n8n,
	says,
	seen,
	sent,
	setUp,
	type Json,
} from '../shared.ts';
import { locator, pinned } from '../workflows.ts';
import { addClients } from './account.ts';
import type { Tests } from './tested.ts';

/** What a run fails with. */
const SOUTH_FAILED = /^1 failed\. South: .*401/;

/**
 * Three clients with an account each, and an example whose one credential has their keys by name.
 * The key of the second, South, is revoked; with Slack switched off, each run fails and says so.
 */
async function agency(name: string, columns: Json = {}, chosen: Record<string, Json> = {}) {
	const names = ['North & Sons', 'South', 'West'];
	const { credential, west, revoked } = await addClients(emulator, names);
	const { store: north } = emulator;
	north.calls.clear();
	north.transactions.clear();
	const Clients = names.map((client, index) => ({
		client,
		email: `${index}@example.com`,
		...columns,
	}));
	const workflow = pinned(setUp(name, chosen, credential), { Clients });
	const saved = await n8n.saveWorkflow(workflow);
	return {
		north,
		west,
		run: async (start: string) => {
			const execution = await n8n.run(saved, start, SOUTH_FAILED);
			expectAllowedRequests(workflow, emulator);
			expect(JSON.stringify(execution.data)).not.toContain(revoked);
			return execution;
		},
	};
}

/** Examples for agencies: one workflow for all of their clients. */
export const clients: Tests = {
	'reports-for-all-clients'() {
		it('a page of each client, and who failed', async () => {
			const table = await dataTable('Reports', [], ['report', 'client', 'text']);
			const chosen = { 'Reports in the table': { dataTableId: locator(table.id) } };
			const { north, west, run } = await agency('reports-for-all-clients', {}, chosen);
			for (const day of [1, 2, 28]) north.addCall({ created_at: dayOf(-1, day) });
			north.addCall({ created_at: dayOf(-1, 15), call_status: 'Voicemail' });
			north.addCall({ created_at: dayOf(-2, 1) });
			north.addCall({ created_at: dayOf(0, 1) });
			west.addCall({ created_at: dayOf(-1, 5), duration_seconds: 30 });

			await run('Every month');
			const execution = await run('Every month');

			const mails = sent(execution, 'Send the report');
			expect(mails.map(({ sendTo }) => sendTo)).toEqual(['0@example.com', '2@example.com']);
			expect(String(mails[0]?.subject)).toMatch(/^North & Sons: \w+ \d{4}$/);
			const pages = mails.map(({ message }) => String(message));
			expect(pages[0]).toContain('>North &#38; Sons</div>');
			expect(seen(pages[0])).toMatch(/Calls 4 \+300% \(was 1\) /);
			expect(seen(pages[1])).toMatch(/Calls 1 /);
			for (const page of pages) expect(page).not.toMatch(/<script|NaN|undefined|\{\{/);
			expect(await table.rows()).toMatchObject([
				{ report: mails[0]?.subject, client: 'North & Sons' },
				{ client: 'West', text: expect.stringContaining('Calls') },
			]);
		});
	},

	'client-billing'() {
		const month = dayOf(-1, 1).slice(0, 7);
		const line = (
			client: string,
			kind: string,
			quantity: string,
			amount: string,
			to_check = '',
		) => ({
			line_id: expect.stringContaining(`${month} ${client} ${kind.toLowerCase()}`) as string,
			...{ client, month, line: kind, quantity, amount, currency: 'EUR', to_check },
		});

		/** Runs it twice. @returns the lines in the table */
		const bill = async (columns: Json, fill: (north: Store, west: Store) => void) => {
			const names = Object.keys(line('', '', '', ''));
			const table = await dataTable(`Lines ${crypto.randomUUID()}`, [], names);
			const chosen = { 'Lines in the table': { dataTableId: locator(table.id) } };
			const { north, west, run } = await agency('client-billing', columns, chosen);
			fill(north, west);
			for (let count = 0; count < 2; count++) await run('Every month');
			return await table.rows();
		};

		it('bills the minutes of clients with a price, and says who failed', async () => {
			const columns = { currency: 'EUR', markup_percent: 20, minute_price: '0,15' };
			const lines = await bill(columns, (_north, west) => {
				west.addCall({ created_at: dayOf(-1, 9), duration_seconds: 150 });
			});
			expect(lines).toMatchObject([
				line('North & Sons', 'Minutes', '0', '0'),
				line('West', 'Minutes', '3', '0.45'),
			]);
		});

		it.each([
			['20 %', '12.03', '0', ''],
			['', 'unknown', 'unknown', 'no mark-up. '],
		])(
			'bills the consumption of the others, with a mark-up of %j',
			async (markup_percent, first, second, check) => {
				const columns = { currency: 'EUR', markup_percent, minute_price: null };
				const lines = await bill(columns, (north) => {
					const add = (transaction_type: 'ADD' | 'CONSUME', amount: number, created_at: string) =>
						north.addTransaction({ transaction_type, amount, created_at });
					// 10.024 and a fifth are 12.0288; from 10.02 it would be 12.02.
					for (const amount of [0.1, 0.2, 9.724]) add('CONSUME', amount, dayOf(-1, 3));
					add('ADD', 50, dayOf(-1, 4));
					add('CONSUME', 99, dayOf(0, 1));
				});
				expect(lines).toMatchObject([
					line('North & Sons', 'Consumption', '1', first, check),
					line('West', 'Consumption', '1', second, check),
				]);
			},
		);
	},

	'missed-call-digest'() {
		it('what each client missed yesterday, and who failed', async () => {
			const { north, west, run } = await agency('missed-call-digest');
			const yesterday = ago(DAY).slice(0, 10);
			const at = (time: string) => `${yesterday}T${time}:00.000Z`;
			const phone_number = '+393470001234';
			north.addCall({ created_at: at('09:30'), call_status: 'Not Answered', phone_number });
			// A field of a call that is called like one of the client.
			const more = { email: 'caller@example.com', client: 'Caller' };
			north.addCall({ created_at: at('08:15'), call_status: 'Voicemail', phone_number, ...more });
			north.addCall({ created_at: at('10:00'), call_status: 'Completed' });
			north.addCall({ call_status: 'Busy' });
			west.addCall({ created_at: at('10:00'), call_status: 'Completed' });

			const execution = await run('Every morning');

			expectSent(execution, {
				'Send the digest': [
					{
						sendTo: '0@example.com',
						subject: `North & Sons: 2 missed calls on ${yesterday}`,
						message: `Nobody took these calls yesterday:\n\n08:15  ${phone_number}  Voicemail\n09:30  ${phone_number}  Not Answered`,
					},
				],
				'Tell the agency in Slack': [says(/^No missed-call digest for South: .*401/)],
			});
		});
	},
};
