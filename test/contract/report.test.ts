import { DateTime } from 'luxon';
import type { INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, test } from 'vitest';

import type { Store } from '../emulator/store.ts';
import {
	accountForEachTest,
	changeAccount,
	emulator,
	fail,
	sent,
	succeed,
} from '../support/account.ts';
import { october } from '../support/samples.ts';

const SECTIONS = [
	'keyFigures',
	'callsByDay',
	'callsByStatus',
	'callsByAgent',
	'busiestHours',
	'orders',
	'wallet',
];

interface Created {
	subject: string;
	html: string;
	text: string;
	figures: Record<string, Array<Record<string, unknown>>>;
}

const create = async (parameters: INodeParameters = {}, rest: object = {}) => {
	const result = await succeed('report.create', { ...october, ...parameters }, [{}], rest);
	const report = result.json[0] as unknown as Created;
	return { ...result, report, ...report, shown: [plain(report.html), plain(report.text)] };
};

accountForEachTest({ data: 'empty' });

let store: Store;

beforeEach(() => void ({ store } = emulator));

/** The time of a day of 2026, such as 10-05. */
const on = (day: string, time = '10:00') => `2026-${day}T${time}:00Z`;

/** Adds a call on each of these days of 2026. */
const callsOn = (...days: string[]) =>
	days.forEach((day) => store.addCall({ created_at: on(day) }));

/** A month of records: calls of two agents, orders in three currencies, and two transactions. */
function fill(): void {
	const [front, night] = [store.addAgent('inbound'), store.addAgent('inbound')];
	for (let day = 1; day <= 30; day++) {
		const created_at = on(`10-${String(day).padStart(2, '0')}`, '09:30');
		const { id } = day % 3 === 0 ? night : front;
		const call_status = day % 5 === 0 ? 'Busy' : 'Completed';
		store.addCall({ created_at, agent_id: id, call_status, duration_seconds: 60 + day });
	}
	store.addCall({ created_at: on('09-01'), call_status: 'Completed' });
	store.addOrder({ created_at: on('09-01'), status: 'completed', currency: 'EUR' });
	const created_at = on('10-10');
	store.addOrder({ created_at, status: 'confirmed', total_amount: 20.5, currency: 'EUR' });
	store.addOrder({ created_at, status: 'completed', total_amount: 0.1, currency: 'EUR' });
	store.addOrder({ created_at, status: 'confirmed', total_amount: 99, currency: 'KWD' });
	store.addOrder({ created_at, status: 'pending', total_amount: 5, currency: 'CHF' });
}

describe('Report: Create', () => {
	test('shows what Get Statistics says as page and text, and reads each list once', async () => {
		fill();
		const compared = { ...october, compare: true };
		const { report, shown } = await create({ sections: SECTIONS, title: 'Bright Dental' });
		const lists = sent().filter((request) => !request.includes('agents'));
		expect(new Set(lists).size).toBe(lists.length);
		expect(report.subject).toBe('Bright Dental: October 2026');
		expect(Object.keys(report.figures)).toEqual([
			...SECTIONS.slice(0, 5),
			'directions',
			'orders',
			'wallet',
		]);
		for (const [section, resource, groupBy] of [
			['keyFigures', 'call', 'none'],
			['callsByDay', 'call', 'day'],
			['callsByAgent', 'call', 'agent'],
			['directions', 'call', 'direction'],
			['busiestHours', 'call', 'hour'],
			['orders', 'order', 'none'],
			['wallet', 'wallet', 'none'],
		] as const) {
			const { json } = await succeed(`${resource}.getStatistics`, { ...compared, groupBy });
			expect(report.figures[section], section).toEqual(json);
		}

		// 30 calls of 61 to 90 seconds, six of them busy; the one before has no length.
		const minutes = Math.round((30 * 60 + (30 * 31) / 2) / 60);
		for (const text of shown) {
			for (const part of ['30', String(minutes), '80.0%', '€20.60', 'KWD'])
				expect(text).toContain(part);
			expect(text).toMatch(/Busy:? 6 \(20\.0%\)/);
		}
		expect(report.text).toMatch(/Revenue: CHF\s0\.00 .*, Average order: –/);
	});

	test('dates its weeks in its language', async () => {
		callsOn('07-01', '07-02', '07-14');
		const quarter = { from: '2026-07-01', until: '2026-10-01', options: { language: 'fr' } };
		const { shown } = await create({ sections: ['callsByDay'], ...quarter });
		expect(shown[0]).toContain('Le plus d’appels : mer. 1 juil. – dim. 5 juil. : 2');
		expect(shown[0]).toContain('13 juil.');
	});

	test('dates the weeks of the period before as far as they lie in it', async () => {
		callsOn('08-12', '09-14', '10-01');
		const period = { from: '2026-09-15', until: '2026-10-19', compare: true };
		const { html } = await create({ sections: ['callsByDay'], ...period });
		expect(html).toContain('"Mon, Sep 14: 0 (was 1)');
	});

	test('says one share of completed calls, of those whose end is known', async () => {
		const created_at = on('10-05');
		for (const call_status of ['Completed', 'Completed', 'Completed', 'Busy', 'In Progress', null])
			store.addCall({ created_at, call_status: call_status as 'Busy', duration_seconds: 60 });
		const { shown } = await create({ sections: ['keyFigures', 'callsByStatus'] });
		for (const text of shown) {
			for (const part of ['75.0%', '3 (75.0%)', '1 (25.0%)']) expect(text).toContain(part);
			expect(text).not.toMatch(/50\.0%|\(1[67]/);
		}
	});

	test('names the day and the hour with the most calls; of the others, the text is silent', async () => {
		callsOn('10-05', '10-06', '10-06', '09-01');
		const sections = ['callsByDay', 'busiestHours'];
		const { shown, text } = await create({ sections });
		const most = /Most calls: Tue, Oct 6: 2\b[^]*Most calls: 10:00–11:00: 3(?! \(was)/;
		for (const part of shown) expect(part).toMatch(most);
		expect(text.split('\n').length).toBeLessThan(13);
		callsOn('10-05');
		const equal = await create({ sections });
		expect(equal.text).toContain('Most calls: Mon, Oct 5 / Tue, Oct 6: 2');
	});

	test('says changes as people do, and nothing where there is nothing to compare', async () => {
		for (const [month, completed, busy] of [
			['09', 40, 10],
			['10', 42, 14],
		] as const) {
			for (let at = 0; at < completed + busy; at++) {
				const call_status = at < completed ? 'Completed' : 'Busy';
				store.addCall({ created_at: on(`${month}-01`), call_status, duration_seconds: 60 });
			}
		}
		const sections = ['keyFigures'];
		const { text } = await create({ sections });
		for (const line of [
			'56 calls in October, 12% more than in September; 75.0% were',
			'Calls: 56, +12% (was 50)',
			'Completed: 75.0%, -5.0 percentage points (was 80.0%)',
			'Average length of a completed call: 1:00 min, as before',
		])
			expect(text).toContain(line);
		const november = await create({ sections, from: '2026-11-01', until: '2026-11-02' });
		expect(november.text).toContain('There were no calls in this period.');
		expect(november.text).not.toMatch(/%|was/);
	});

	test('compares nothing with a period before in which the data begins', async () => {
		const sections = ['keyFigures', 'callsByDay', 'orders'];
		callsOn('09-28', '10-01', '10-02', '10-03');
		const { text, html, figures } = await create({ sections });
		expect(text).toContain('Data begins on Monday, September 28, 2026');
		expect(text + html).not.toMatch(/Compared with|more than|\(was/);
		expect(figures.keyFigures?.[0]).toMatchObject({ calls: 3 });
		expect(figures.keyFigures?.[0]).not.toHaveProperty('calls_before');
		// With an older call, September was only quiet until then.
		callsOn('08-01');
		const later = await create({ sections });
		expect(later.text).toContain('Compared with September 2026');
		expect(later.text).toContain('Calls: 3, +200% (was 1)');
	});

	test('names the busiest weekday by its average, not by how often the month has it', async () => {
		for (let day = 1; day <= 31; day++) {
			// October 2026 has five Thursdays with 8 calls each, and four Tuesdays with 9.
			const count = { 4: 8, 2: 9 }[new Date(Date.UTC(2026, 9, day)).getUTCDay()] ?? 1;
			callsOn(...Array<string>(count).fill(`10-${String(day).padStart(2, '0')}`));
		}
		const { text, html, shown } = await create({ sections: ['callsByDay'] });
		expect(text).toContain('on average, Tuesday is the busiest day of the week.');
		// The chart has a scale, and the nine days of weekends and the bars have styles: n8n shows no other attributes.
		expect(shown[0]).toMatch(/Weekend 10 5 /);
		expect(html.match(/<td style="[^"]*background-color:#e8ecf2/g)).toHaveLength(2 * 9);
		expect(html.match(/style="height:60px;padding:0;background-color:#2f6fed/g)).toHaveLength(9);
	});

	test.each([
		['en', '2 calls in October, 100% more than in September; 50.0% were completed.'],
		['de', '2 Anrufe im Oktober, 100 % mehr als im September; 50,0 % wurden abgeschlossen.'],
		['es', '2 llamadas en octubre, un 100 % más que en septiembre; el 50,0 % se completó.'],
		['fr', '2 appels en octobre, 100 % de plus qu’en septembre ; 50,0 % ont abouti.'],
		['it', '2 chiamate in ottobre, 100% in più rispetto al mese di settembre; 50,0% a buon fine.'],
	])('writes as people do in the language %s', async (language, sentence) => {
		callsOn('09-01');
		for (const call_status of ['Completed', 'Busy'] as const)
			store.addCall({ created_at: on('10-05'), call_status });
		const { shown } = await create({ sections: ['keyFigures'], options: { language } });
		for (const text of shown) expect(text).toContain(sentence);
	});

	test('counts incoming and outgoing calls apart, by their direction or the type of their agent', async () => {
		await changeAccount({ data: 'empty', readings: { names: 'others' } });
		({ store } = emulator);
		const [guests, campaign, social] = (['inbound', 'outbound', 'meta'] as const).map((type) =>
			store.addAgent(type),
		);
		const call = (agent: typeof guests, call_status: string, day = '10-05') =>
			store.addCall({ created_at: on(day), agent_id: agent!.id, call_status });
		for (const status of ['Completed', 'Completed', 'Not Answered', 'Completed'])
			call(guests, status);
		for (const status of ['Not Answered', 'Completed']) call(campaign, status);
		call(guests, 'Completed', '09-01');
		const sections = ['keyFigures', 'callsByStatus'];
		const both = await create({ sections });
		for (const text of both.shown) {
			for (const part of [
				'6 calls in October',
				'; 4 incoming, 75.0% were completed; 2 outgoing, 50.0% were completed.',
				'How calls ended: incoming',
				'How calls ended: outgoing',
				'1 (25.0%)',
				'1 (50.0%)',
			])
				expect(text).toContain(part);
		}
		expect(both.shown[0]).toContain('Incoming Outgoing Calls 4 (was 1) 2 (was 0)');
		expect(both.text).toContain('\nCalls, Incoming: 4 (was 1), Outgoing: 2 (was 0)\n');
		expect(both.text).not.toContain('not known');
		call(social, 'Completed');
		expect((await create({ sections })).text).toContain('Direction not known: 1');
		const { text } = await create({ sections, options: { direction: 'outbound' } });
		expect(text).toMatch(/2 calls in October.*; 50.0% were completed\./);
		expect(text).not.toMatch(/incoming|outgoing/i);
	});

	test('has its introduction on top, and red only for fewer calls or fewer completed ones', async () => {
		for (let day = 1; day <= 3; day++)
			store.addCall({
				created_at: on(`09-0${day}`),
				duration_seconds: 600,
				call_status: 'Completed',
			});
		for (const status of ['Completed', 'Busy', 'Busy', 'Busy'] as const)
			store.addCall({ created_at: on('10-05'), duration_seconds: 6, call_status: status });
		const options = { intro: 'Dear guests' };
		const { text, html } = await create({ sections: ['keyFigures'], options });
		expect(text.indexOf('Dear guests')).toBeLessThan(text.indexOf('calls in October'));
		expect(html.indexOf('Dear guests')).toBeLessThan(html.indexOf('calls in October'));
		// Only the share of completed calls.
		expect(html.match(/#b3261e/g)).toHaveLength(1);
	});

	test.each([
		['={{ null }}', 'Calls'],
		['', 'Calls'],
		['German', 'Anrufe'],
	])('takes the language %j', async (language, word) => {
		callsOn('10-05');
		const { text } = await create({ sections: ['keyFigures'], options: { language } });
		expect(text).toContain(word);
	});

	test('as a tool returns its subject and text, unless it is asked for all', async () => {
		callsOn('10-05');
		const tool = { node: { type: 'n8n-nodes-yk-voice.ykVoiceTool' } };
		const fieldsOf = async (parameters: INodeParameters) => {
			const { json } = await succeed('report.create', { ...october, ...parameters }, [{}], tool);
			return Object.keys(json[0]!);
		};
		expect(await fieldsOf({})).toEqual(['subject', 'text']);
		expect(await fieldsOf({ textOnly: false })).toContain('html');
	});

	test('of a running period says until when, in the time zone of the workflow', async () => {
		const timezone = 'Pacific/Kiritimati';
		const today = { period: 'today', sections: ['keyFigures'] };
		const { text, subject, report } = await create(today, { timezone });
		const now = DateTime.now().setZone(timezone);
		const times = [now, now.minus({ minutes: 1 })].map((time) => time.toFormat('HH:mm'));
		expect(text).toMatch(new RegExp(`, \\d{4}, until (${times.join('|')})\\n`));
		expect(text).toContain(`\nTimes in ${timezone}\n`);
		expect(subject).not.toContain('until');
		expect(Object.keys(report).slice(0, 3)).toEqual(['subject', 'text', 'html']);
		expect(Object.keys(report).at(-1)).toBe('figures');
	});

	test('amounts of the wallet have its currency, if the transactions show none', async () => {
		store.addTransaction({ created_at: on('10-10'), transaction_type: 'ADD', amount: 5 });
		store.wallet.currency = 'CHF';
		const { shown, figures } = await create({ sections: ['wallet'] });
		for (const text of shown) expect(text).toContain('CHF');
		expect(figures.wallet?.[0]).toMatchObject({ currency: null });
	});

	test('an account without records says so, and is no error', async () => {
		const { text, shown } = await create({ sections: SECTIONS });
		expect(text.split('There were no calls in this period.')).toHaveLength(2);
		for (const what of ['orders', 'transactions'])
			expect(text).toContain(`There were no ${what} in this period.`);
		expect(shown.join()).not.toMatch(/NaN|undefined|null|Infinity|does not show/);
	});

	test('a list that cannot be read fails the item: no client gets a page with a hole', async () => {
		fill();
		emulator.faults.add({ kind: 'status', status: 403, match: ({ path }) => path === '/orders' });
		const { message } = await fail('report.create', { ...october, sections: SECTIONS });
		expect(message).toMatch(/permission/);
	});

	test('what callers and agents are called cannot become HTML', async () => {
		const named = (agent_name: string) => {
			const { id } = store.addAgent('inbound');
			store.addCall({ created_at: on('10-05'), agent_id: id, agent_name });
		};
		named('<img src=x onerror=alert(1)>"\'&');
		const { html } = await create({
			sections: SECTIONS,
			title: '</title><script>alert(1)</script>',
			options: { intro: '<b>hi</b>', footer: '{{x}}" onclick="' },
		});
		expect(tagsOf(html).filter((tag) => ['script', 'img', 'b'].includes(tag))).toEqual([]);
		expect(html).not.toMatch(/<[^>]*onclick/);

		named('<!channel> <https://evil.example|click>\r\nKey figures\u202e');
		const { text, subject } = await create({ sections: SECTIONS, title: 'A\u202eB' });
		expect(text).not.toMatch(/[<\r\u202e]/);
		expect(text).toContain('‹!channel> ‹https://evil.example|click> Key figures: ');
		expect(subject).not.toContain('\u202e');
	});

	test('a page with everything has less than 100 kB and only what mail programs show', async () => {
		for (let agent = 0; agent < 30; agent++) {
			const { id } = store.addAgent('inbound');
			for (let day = 1; day <= 31; day++) {
				for (const month of ['08', '10']) {
					const [date, hour] = [day, agent % 24].map((part) => String(part).padStart(2, '0'));
					const created_at = on(`${month}-${date}`, `${hour}:10`);
					store.addCall({ created_at, agent_id: id, duration_seconds: 100 + agent });
				}
			}
		}
		const logo = 'https://www.example.com/logo.png';
		const options = { language: 'de', logo, intro: 'x'.repeat(2000) };
		const { html } = await create({ sections: SECTIONS, options });
		expect(Buffer.byteLength(html)).toBeLessThan(100_000);
		expect(html).toContain('Weitere (15): ');
		for (const tag of tagsOf(html)) expect(TAGS).toContain(tag);
		for (const property of propertiesOf(html)) expect(PROPERTIES).toContain(property);
		expect(html).not.toMatch(/var\(|url\(|<style|<svg|class=/);
	});

	test('the page also goes out as a file, if a field for it is named', async () => {
		const { items } = await create({ options: { binaryPropertyName: 'page' }, title: 'A/B' });
		const file = items[0]?.binary?.page;
		expect(file).toMatchObject({ mimeType: 'text/html', fileName: 'A_B - October 2026.html' });
	});

	test.each([
		['must be a color such as #2f6fed', { options: { accent: 'red' } }],
		['begins with https://', { options: { logo: 'http://a.example/x.png' } }],
		['must name at least one section', { sections: [] }],
	])('is refused before anything is sent: %s', async (words, given) => {
		const { message } = await fail('report.create', { ...october, ...given });
		expect(message).toContain(words);
		expect(sent()).toEqual([]);
	});
});

/** Elements that Gmail, Outlook and Apple Mail all show. */
const TAGS = 'html head meta title body table tr td th div span img br'.split(' ');

/** Properties that these mail programs support as inline style. */
const PROPERTIES = (
	'margin padding padding-top padding-bottom background-color color width max-width height border ' +
	'border-top border-bottom border-collapse table-layout font-family font-size font-weight line-height ' +
	'text-align vertical-align white-space'
).split(' ');

const tagsOf = (html: string) =>
	[...html.matchAll(/<([a-z][a-z0-9]*)/gi)].map(([, tag]) => tag!.toLowerCase());

const propertiesOf = (html: string) =>
	[...html.matchAll(/style="([^"]*)"/g)].flatMap(([, style]) =>
		style!.split(';').flatMap((rule) => (rule === '' ? [] : [rule.split(':')[0]!.trim()])),
	);

/** What a reader sees of a page. */
const plain = (html: string) =>
	html
		.replace(/<[^>]*>/g, ' ')
		.replaceAll('&nbsp;', ' ')
		.replace(/\s+/g, ' ');
