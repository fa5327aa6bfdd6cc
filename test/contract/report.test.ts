import { DateTime } from 'luxon';
import type { INodeParameters } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { Store } from '../emulator/store.ts';
import {
	changeAccount,
	credentials,
	emulator,
	fail,
	run,
	sent,
	succeed,
} from '../support/account.ts';

const SECTIONS = [
	'keyFigures',
	'callsByDay',
	'callsByStatus',
	'callsByAgent',
	'busiestHours',
	'orders',
	'wallet',
];

const october: INodeParameters = {
	period: 'between',
	from: '2026-10-01T00:00:00Z',
	until: '2026-11-01T00:00:00Z',
};

interface Created {
	subject: string;
	html: string;
	text: string;
	period_start: string;
	period_end: string;
	figures: Record<string, Array<Record<string, unknown>>>;
}

const create = async (parameters: INodeParameters = {}, rest: object = {}) => {
	const result = await succeed('report.create', { ...october, ...parameters }, [{}], rest);
	return { ...result, report: result.json[0] as unknown as Created };
};

let store: Store;

beforeEach(async () => {
	await changeAccount({ data: 'empty' });
	({ store } = emulator);
});
afterEach(async () => await emulator.close());

/** A month of records: calls of two agents, orders in two currencies, and two transactions. */
function fill(): void {
	const [front, night] = [store.addAgent('inbound'), store.addAgent('inbound')];
	for (let day = 1; day <= 30; day++) {
		const created_at = `2026-10-${String(day).padStart(2, '0')}T09:30:00Z`;
		const { id } = day % 3 === 0 ? night : front;
		const call_status = day % 5 === 0 ? 'Busy' : 'Completed';
		store.addCall({ created_at, agent_id: id, call_status, duration_seconds: 60 + day });
	}
	store.addCall({ created_at: '2026-09-01T10:00:00Z', call_status: 'Completed' });
	store.addOrder({ created_at: '2026-09-01T10:00:00Z', status: 'completed', currency: 'EUR' });
	const created_at = '2026-10-10T10:00:00Z';
	store.addOrder({ created_at, status: 'confirmed', total_amount: 20.5, currency: 'EUR' });
	store.addOrder({ created_at, status: 'completed', total_amount: 0.1, currency: 'EUR' });
	store.addOrder({ created_at, status: 'confirmed', total_amount: 99, currency: 'KWD' });
}

describe('Report: Create', () => {
	test('is not made of one key under several titles', async () => {
		const parameters = { ...october, title: '={{ $json.client }}' };
		const [north, south] = [{ client: 'North' }, { client: 'South' }];
		const error = await fail('report.create', parameters, [north, south]);
		expect(error.message).toContain('Items with different titles would get the same figures');
		const looks = { logo: '={{ "https://example.com/" + $json.client }}' };
		const others = { ...parameters, sections: '={{ [$json.section] }}', options: looks };
		await fail('report.create', others, [
			{ ...north, section: 'keyFigures' },
			{ ...south, section: 'callsByDay' },
		]);
		expect(emulator.requests).toEqual([]);
		const same = await succeed('report.create', parameters, [north, north]);
		expect(same.json.map(({ subject }) => subject)).toEqual(Array(2).fill('North: October 2026'));
	});

	test('a key that stands in two rows stops only these two', async () => {
		const { apiKey } = emulator.addOrganization();
		const rows = [
			{ client: 'North', key: emulator.keys.all },
			{ client: 'South', key: apiKey },
			{ client: 'North again', key: emulator.keys.all },
		];
		const parameters = { ...october, title: '={{ $json.client }}' };
		const { outputs } = await run('report.create', parameters, rows, {
			credentials: credentials('={{ $json.key }}'),
			node: { onError: 'continueRegularOutput' },
		});
		const made = outputs[0]!.map(({ json }) => String(json.error ?? json.subject));
		expect(made).toEqual([
			expect.stringContaining('"North", "North again"'),
			'South: October 2026',
			expect.stringContaining('"North", "North again"'),
		]);
	});

	test('shows what Get Statistics says as page and text, and reads each list once', async () => {
		fill();
		const compared = { ...october, compare: true };
		const { report } = await create({ sections: SECTIONS, title: 'Bright Dental' });
		const lists = sent().filter((request) => !request.includes('agents'));
		expect(new Set(lists).size).toBe(lists.length);
		expect(report.subject).toBe('Bright Dental: October 2026');
		expect(Object.keys(report.figures)).toEqual(SECTIONS);
		for (const [section, parameters] of Object.entries({
			keyFigures: {},
			callsByDay: { groupBy: 'day' },
			callsByAgent: { groupBy: 'agent' },
			busiestHours: { groupBy: 'hour' },
		})) {
			const { json } = await succeed('call.getStatistics', { ...compared, ...parameters });
			expect(report.figures[section]).toEqual(json);
		}
		expect(report.figures.orders).toEqual((await succeed('order.getStatistics', compared)).json);
		expect(report.figures.wallet).toEqual((await succeed('wallet.getStatistics', compared)).json);

		// 30 calls of 61 to 90 seconds, six of them busy; the one before has no length.
		const minutes = Math.round((30 * 60 + (30 * 31) / 2) / 60);
		for (const shown of [plain(report.html), report.text]) {
			expect(shown).toContain('30');
			expect(shown).toContain(String(minutes));
			expect(shown).toMatch(/80%/);
			expect(shown).toMatch(/Busy:? 6 \(20%\)/);
			expect(shown).toContain('€20.60');
			expect(shown).toContain('KWD');
		}
	});

	test('stays short, however many currencies an account shows', async () => {
		for (let at = 0; at < 30; at++) {
			store.addOrder({ created_at: '2026-10-05T09:30:00Z', total_amount: 1, currency: `C${at}` });
		}
		const { report } = await create({ sections: ['orders'] });
		expect(report.html.match(/>C\d+</g)).toHaveLength(15);
		expect(plain(report.html)).toContain('Others: 15');
		expect(report.figures.orders).toHaveLength(30);
	});

	test.each([
		['en', 'Most calls: Wed, Jul 1 – Sun, Jul 5: 2', 'Jul 13'],
		['fr', 'Le plus d’appels : mer. 1 juil. – dim. 5 juil. : 2', '13 juil.'],
	])('dates its weeks in the language: %s', async (language, most, mark) => {
		for (const day of ['01', '02', '14']) {
			store.addCall({ created_at: `2026-07-${day}T09:00:00Z` });
		}
		const quarter = { period: 'between', from: '2026-07-01', until: '2026-10-01' };
		const { report } = await create({
			...quarter,
			sections: ['callsByDay'],
			options: { language },
		});
		for (const shown of [plain(report.html), report.text]) {
			expect(shown.replaceAll('\u00a0', ' ')).toContain(most);
		}
		expect(plain(report.html)).toContain(mark);
	});

	test('ends its last week with the period, also if the clocks change in between', async () => {
		store.addCall({ created_at: '2026-10-27T09:00:00Z' });
		const from = '2026-09-14T00:00:00+02:00';
		const { report } = await create(
			{ period: 'between', from, until: '2026-11-01T00:00:00+01:00', sections: ['callsByDay'] },
			{ timezone: 'Europe/Rome' },
		);
		expect(report.text).toContain('Most calls: Mon, Oct 26 – Sat, Oct 31: 1');
	});

	test('dates the weeks of the period before as far as they lie in it', async () => {
		for (const day of ['08-12', '09-14', '10-01']) {
			store.addCall({ created_at: `2026-${day}T12:00:00Z` });
		}
		const { report } = await create({
			...{ period: 'between', from: '2026-09-15', until: '2026-10-19', compare: true },
			sections: ['callsByDay'],
		});
		expect(report.html).toContain('"Mon, Sep 14: 0 (was 1)');
	});

	test('says one share of completed calls, of those whose end is known', async () => {
		const created_at = '2026-10-05T09:30:00Z';
		for (const call_status of ['Completed', 'Completed', 'Completed', 'Busy', 'In Progress'])
			store.addCall({ created_at, call_status, duration_seconds: 60 });
		store.addCall({ created_at, call_status: null as unknown as undefined });
		const { report } = await create({ sections: ['keyFigures', 'callsByStatus'] });
		for (const shown of [plain(report.html), plain(report.text)]) {
			expect(shown).toContain('75%');
			expect(shown).toContain('3 (75%)');
			expect(shown).toContain('1 (25%)');
			expect(shown).not.toContain('50%');
			expect(shown).not.toMatch(/\(1[67]/);
		}
	});

	test('names the day and the hour with the most calls; of the others, the text is silent', async () => {
		for (const day of ['05', '06', '06']) {
			store.addCall({ created_at: `2026-10-${day}T09:30:00Z` });
		}
		store.addCall({ created_at: '2026-09-01T09:30:00Z' });
		const sections = ['callsByDay', 'busiestHours'];
		const { report } = await create({ sections });
		const most = /Most calls: Tue, Oct 6: 2\b[^]*Most calls: 09:00: 3(?! \(was)/;
		for (const shown of [plain(report.html), report.text]) expect(shown).toMatch(most);
		expect(report.text.split('\n').length).toBeLessThan(12);

		store.addCall({ created_at: '2026-10-05T10:30:00Z' });
		const { text: equal } = (await create({ sections })).report;
		expect(equal).toContain('Most calls: Mon, Oct 5 / Tue, Oct 6: 2');
		for (const day of ['07', '08']) {
			for (const hour of ['11', '12']) {
				store.addCall({ created_at: `2026-10-${day}T${hour}:30:00Z` });
			}
		}
		const { text: many } = (await create({ sections })).report;
		expect(many).toContain('Most calls: Mon, Oct 5 / Tue, Oct 6 / Wed, Oct 7 / …: 2');
	});

	test('says changes as people do, and nothing where there is nothing to compare', async () => {
		const add = (month: string, count: number, call_status: 'Completed' | 'Busy') => {
			for (let at = 0; at < count; at++) {
				const created_at = `2026-${month}-01T10:0${at % 10}:00Z`;
				store.addCall({ created_at, call_status, duration_seconds: 60 });
			}
		};
		add('09', 40, 'Completed');
		add('09', 10, 'Busy');
		add('10', 42, 'Completed');
		add('10', 14, 'Busy');
		const sections = ['keyFigures'];
		const { report } = await create({ sections });
		expect(report.text).toContain('56 calls in October, 12% more than in September; 75% were');
		expect(report.text).toContain('Calls: 56, +12% (was 50)');
		expect(report.text).toContain('Completed: 75%, -5.0 points (was 80%)');
		expect(report.text).toContain('Average conversation: 1:00, as before');
		const { report: november } = await create({
			...{ sections, period: 'between', from: '2026-11-01', until: '2026-11-02' },
		});
		expect(november.text).toContain('There were no calls in this period.');
		expect(november.text).not.toMatch(/%|was/);
	});

	test('compares nothing with a period before in which the data begins', async () => {
		const sections = ['keyFigures', 'callsByDay', 'orders'];
		for (const day of ['09-28', '10-01', '10-02', '10-03']) {
			store.addCall({ created_at: `2026-${day}T10:00:00Z` });
		}
		const { report } = await create({ sections });
		expect(report.text).toContain('Data begins on Monday, September 28, 2026');
		expect(report.text + report.html).not.toMatch(/Compared with|more than|\(was/);
		expect(report.figures.keyFigures?.[0]).toMatchObject({ calls: 3 });
		expect(report.figures.keyFigures?.[0]).not.toHaveProperty('calls_before');

		// With an older call, September was only quiet until then.
		store.addCall({ created_at: '2026-08-01T10:00:00Z' });
		const { report: later } = await create({ sections });
		expect(later.text).toContain('Compared with September 2026');
		expect(later.text).toContain('Calls: 3, +200% (was 1)');
	});

	test('names the busiest weekday by its average, not by how often the month has it', async () => {
		for (let day = 1; day <= 31; day++) {
			// October 2026 has five Thursdays with 8 calls each, and four Tuesdays with 9.
			const count = { 4: 8, 2: 9 }[new Date(Date.UTC(2026, 9, day)).getUTCDay()] ?? 1;
			const created_at = `2026-10-${String(day).padStart(2, '0')}T10:00:00Z`;
			for (let at = 0; at < count; at++) store.addCall({ created_at });
		}
		const { report } = await create({ sections: ['callsByDay'] });
		expect(report.text).toContain('the busiest day of the week is Tuesday.');
		// The scale, and nine days of weekends.
		expect(plain(report.html)).toMatch(/Weekend 10 5 /);
		const shown = inN8n(report.html);
		expect(shown.match(/<td style="[^"]*background-color:#e8ecf2/g)).toHaveLength(2 * 9);
		expect(shown.match(/height:60px;padding:0;background-color:#2f6fed/g)).toHaveLength(9);
	});

	test.each([
		['en', '2 calls in October, 100% more than in September; 50% were completed.'],
		['de', '2 Anrufe im Oktober, 100 % mehr als im September; 50 % wurden abgeschlossen.'],
		['es', '2 llamadas en octubre, un 100 % más que en septiembre; el 50 % se completó.'],
		['fr', '2 appels en octobre, 100 % de plus qu’en septembre ; 50 % ont abouti.'],
		['it', '2 chiamate in ottobre, 100% in più rispetto al mese di settembre; 50% a buon fine.'],
	])('sums up in one sentence: %s', async (language, sentence) => {
		store.addCall({ created_at: '2026-09-01T10:00:00Z', call_status: 'Completed' });
		for (const call_status of ['Completed', 'Busy'] as const) {
			store.addCall({ created_at: '2026-10-05T10:00:00Z', call_status });
		}
		const { report } = await create({ sections: ['keyFigures'], options: { language } });
		for (const shown of [plain(report.html), report.text]) {
			expect(shown.replace(/\s/g, ' ')).toContain(sentence);
		}
	});

	test('of a running period says until when, in the time zone of the workflow', async () => {
		const rest = { timezone: 'Pacific/Kiritimati' };
		const { report } = await create({ period: 'today', sections: ['keyFigures'] }, rest);
		const now = DateTime.now().setZone(rest.timezone);
		const times = [now, now.minus({ minutes: 1 })].map((time) => time.toFormat('HH:mm'));
		expect(report.text).toMatch(new RegExp(`, \\d{4}, until (${times.join('|')})\\n`));
		expect(report.subject).not.toContain('until');
		expect(Object.keys(report).at(-1)).toBe('html');
	});

	test('a month with a change of clocks, and two currencies, is exact', async () => {
		// In Rome, the first two are still September, and the last one is November.
		const first = Date.parse('2026-09-30T21:00:00Z');
		const [from, until] = [Date.parse('2026-09-30T22:00:00Z'), Date.parse('2026-10-31T23:00:00Z')];
		for (let at = first; at <= until; at += 1_800_000) {
			const created_at = new Date(at).toISOString();
			store.addCall({ created_at, call_status: 'Completed', duration_seconds: (at / 1000) % 97 });
			const [currency, cents] = at % 3_600_000 ? ['EUR', at % 101] : ['CHF', at % 103];
			store.addOrder({ created_at, status: 'confirmed', currency, total_amount: cents / 100 });
		}
		const isOctober = ({ created_at }: { created_at: string }) =>
			Date.parse(created_at) >= from && Date.parse(created_at) < until;
		const calls = store.calls.all().filter(isOctober);
		const seconds = calls.map(({ duration_seconds: length }) => Number(length));
		const { report } = await create(
			{ period: 'between', from: '2026-10-01', until: '2026-11-01', sections: SECTIONS },
			{ timezone: 'Europe/Rome' },
		);
		const sum = (numbers: number[]) => numbers.reduce((all, number) => all + number, 0);
		expect(calls).toHaveLength((31 * 24 + 1) * 2);
		expect(report.figures.keyFigures?.[0]).toMatchObject({
			...{ calls: calls.length, minutes: Number((sum(seconds) / 60).toFixed(2)) },
			average_seconds: Number(
				(sum(seconds) / seconds.filter((some) => some > 0).length).toFixed(1),
			),
		});
		const byDay = report.figures.callsByDay!.map(({ calls: count }) => count);
		expect(byDay).toEqual([...Array(24).fill(48), 50, ...Array(6).fill(48)]);
		for (const currency of ['EUR', 'CHF']) {
			const own = store.orders
				.all()
				.filter((order) => isOctober(order) && order.currency === currency);
			const cents = sum(own.map(({ total_amount: amount }) => Math.round(Number(amount) * 100)));
			expect(report.figures.orders!.find((row) => row.currency === currency)).toMatchObject({
				...{ orders: own.length, revenue: cents / 100 },
			});
		}
	});

	test('amounts of the wallet have its currency, if the transactions show none', async () => {
		store.addTransaction({
			created_at: '2026-10-10T10:00:00Z',
			transaction_type: 'ADD',
			amount: 5,
		});
		store.wallet.currency = 'CHF';
		const { report } = await create({ sections: ['wallet'] });
		expect(plain(report.html)).toContain('CHF');
		expect(report.text).toContain('CHF');
		expect(report.figures.wallet?.[0]).toMatchObject({ currency: null });
	});

	test('an account without records says so, and is no error', async () => {
		const { report } = await create({ sections: SECTIONS });
		expect(report.text.split('There were no calls in this period.')).toHaveLength(2);
		expect(report.text).not.toContain('does not show');
		expect(report.text).toContain('There were no orders in this period.');
		expect(report.text).toContain('There were no transactions in this period.');
		expect(report.text + plain(report.html)).not.toMatch(/NaN|undefined|null|Infinity/);
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
			store.addCall({ created_at: '2026-10-05T10:00:00Z', agent_id: id, agent_name });
		};
		named('<img src=x onerror=alert(1)>"\'&');
		const { report } = await create({
			sections: SECTIONS,
			title: '</title><script>alert(1)</script>',
			options: { intro: '<b>hi</b>', footer: '{{x}}" onclick="' },
		});
		expect(tagsOf(report.html)).not.toContain('script');
		expect(tagsOf(report.html)).not.toContain('img');
		expect(tagsOf(report.html)).not.toContain('b');
		expect(report.html).not.toMatch(/<[^>]*onclick/);

		named('<!channel> <https://evil.example|click>\r\nKey figures\u202e');
		const { report: told } = await create({ sections: SECTIONS, title: 'A\u202eB' });
		expect(told.text).not.toMatch(/[<\r\u202e]/);
		expect(told.text).toContain('‹!channel> ‹https://evil.example|click> Key figures: ');
		expect(told.subject).not.toContain('\u202e');
	});

	test('a page with everything has less than 100 kB and only what mail programs show', async () => {
		for (let agent = 0; agent < 30; agent++) {
			const { id } = store.addAgent('inbound');
			for (let day = 1; day <= 31; day++) {
				for (const month of ['08', '10']) {
					const created_at = `2026-${month}-${String(day).padStart(2, '0')}T${String(agent % 24).padStart(2, '0')}:10:00Z`;
					store.addCall({ created_at, agent_id: id, duration_seconds: 100 + agent });
				}
			}
		}
		const logo = 'https://www.example.com/logo.png';
		const options = { language: 'de', logo, intro: 'x'.repeat(2000) };
		const { report } = await create({ sections: SECTIONS, options });
		expect(Buffer.byteLength(report.html)).toBeLessThan(100_000);
		for (const tag of tagsOf(report.html)) expect(TAGS).toContain(tag);
		for (const property of propertiesOf(report.html)) expect(PROPERTIES).toContain(property);
		expect(report.html).not.toMatch(/var\(|url\(|<style|<svg|class=/);
	});

	test('the page also goes out as a file, if a field for it is named', async () => {
		const { items } = await create({ options: { binaryPropertyName: 'page' }, title: 'A/B' });
		const file = items[0]?.binary?.page;
		expect(file).toMatchObject({ mimeType: 'text/html', fileName: 'A_B - October 2026.html' });
	});

	test.each([
		['de', 'Anrufe: 30', '80 %'],
		['en', 'Calls: 30', '80%'],
		['es', 'Llamadas: 30', '80 %'],
		['fr', 'Appels : 30', '80 %'],
		['it', 'Chiamate: 30', '80%'],
	])('colons and shares are written as in %s', async (language, calls, share) => {
		fill();
		const { text } = (await create({ options: { language } })).report;
		const spaced = text.replace(/\s/g, ' ');
		expect(spaced).toContain(`${calls}, `);
		expect(spaced).toContain(`: ${share}, `);
	});

	test.each([
		['options', { options: { accent: 'red' } }, 'must be a color such as #2f6fed'],
		['options', { options: { logo: 'http://a.example/x.png' } }, 'begins with https://'],
		['sections', { sections: [] }, 'must name at least one section'],
		['until', { until: '2036-01-01T00:00:00Z' }, "at most 5 years after 'From'"],
	])('a wrong value in %s is refused before anything is sent', async (_name, given, words) => {
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

/** A page as n8n's HTML node shows it: the only attribute that is left is style. */
const inN8n = (html: string) => html.replace(/ (?!style=)[a-z]+="[^"]*"/g, '');

/** What a reader sees of a page. */
const plain = (html: string) =>
	html
		.replace(/<[^>]*>/g, ' ')
		.replaceAll('&nbsp;', ' ')
		.replace(/\s+/g, ' ');
