import { DateTime } from 'luxon';
import type { NodeApiError } from 'n8n-workflow';

import { pageIn } from '../api/lists';
import type { Request } from '../api/session';
import { isObject, type JsonObject } from '../json';
import { callSubject, groupCalls } from '../statistics/callStatistics';
import { largestFirst } from '../statistics/groupings';
import { orderSubject, REVENUE_STATUSES } from '../statistics/orderStatistics';
import { currencyIn, tabulate, type Source } from '../statistics/tabulate';
import { UNGROUPED, type Layout, type Periods, type Tabulation } from '../statistics/tabulation';
import { walletSubject } from '../statistics/walletStatistics';
import { CallFilter, splitCallFilters } from '../filters/callFilters';
import type { RunContext } from '../table/operation';
import { filled, type Format } from './format';
import { SECTIONS, type SectionName as Name } from './names';
import type { Section } from './page';
import {
	busiestHours,
	callsByAgent,
	callsByStatus,
	callsInTime,
	keyFigures,
	left,
	noCalls,
	orders,
	wallet,
	type Rows,
	type Unit,
} from './sections';
import { sentenceOf } from './sentence';

/** What a section is made from. */
interface Asked {
	periods: Periods;
	wanted: readonly Name[];
	/** For the sections about calls. */
	filters: { agent_id?: string; call_status?: string[] };
	format: Format;
}

/** What was made of one list. */
interface ListRead {
	/** A period without calls has one section for all of them. */
	sections: Partial<Record<Name, Section>>;
	/** The rows of Get Statistics, by section. */
	figures: Partial<Record<Name, Rows>>;
	/** Whether the sections show the period before. */
	isCompared: boolean;
	sentence?: string;
}

type Reader = (context: RunContext, asked: Asked) => Promise<ListRead>;

/** Which list each section reads. */
const READERS: ReadonlyArray<readonly [names: readonly Name[], read: Reader]> = [
	[['keyFigures', 'callsByDay', 'callsByStatus', 'callsByAgent', 'busiestHours'], readCalls],
	[['orders'], readOrders],
	[['wallet'], readWallet],
];

/** What was made of all lists, in the order of the page, and the sections that could not be read. */
interface Read extends Omit<ListRead, 'sections'> {
	sections: Section[];
	failed: Array<{ section: string; error: string }>;
}

/**
 * Reads each list that the sections need once. A list that cannot be read leaves the others: its sections
 * say that they could not be read.
 *
 * @throws Error if no list could be read
 */
export async function readSections(context: RunContext, asked: Asked): Promise<Read> {
	const { wanted, format } = asked;
	const needed = READERS.filter(([names]) => names.some((name) => wanted.includes(name)));
	const results = await Promise.allSettled(
		needed.map(async ([, read]) => await read(context, asked)),
	);
	const failures = results.filter((result) => result.status === 'rejected');
	if (failures.length === results.length) throw failures[0]!.reason;
	const lists = results.filter((result) => result.status === 'fulfilled').map(({ value }) => value);
	const read: Read = {
		sections: [],
		figures: {},
		failed: [],
		isCompared: lists.some(({ isCompared }) => isCompared),
		sentence: lists[0]!.sentence,
	};
	const names = (Object.keys(SECTIONS) as Name[]).filter((name) => wanted.includes(name));
	for (const name of names) {
		const result = results[needed.findIndex(([own]) => own.includes(name))]!;
		if (result.status === 'fulfilled') {
			read.sections.push(...[result.value.sections[name] ?? []].flat());
			read.figures[name] = result.value.figures[name];
		} else {
			const { message, description } = result.reason as NodeApiError;
			read.sections.push({ title: format.labels[name], notes: [format.labels.failed] });
			read.failed.push({
				section: SECTIONS[name],
				error: [message, description].filter(Boolean).join('. '),
			});
		}
	}
	return read;
}

/** A list that was counted for a page. */
interface CountedList {
	tabulation: Tabulation;
	isCompared: boolean;
	/** The rows as the page shows them. */
	shown(rows: Rows): Rows;
	/** What stands below the first section. */
	notes: string[];
}

/** Counts a list, and compares it if the account has data of the whole period before. */
async function countList(
	source: Source,
	layout: Omit<Layout, 'periods' | 'compare'>,
	{ periods, format }: Asked,
): Promise<CountedList> {
	const { before } = periods;
	const tabulation = await tabulate(source, { ...layout, periods, compare: before !== undefined });
	const start = before && (await lateStart(tabulation, source, before.start));
	const { labels, longDay } = format;
	return {
		tabulation,
		isCompared: before !== undefined && start === undefined && tabulation.read > 0,
		shown: (rows) => (start === undefined ? rows : rows.map(withoutBefore)),
		notes: [
			...(start === undefined ? [] : [filled(labels.dataBegins, longDay(start))]),
			...left({ none: tabulation.withoutDate }, 'none', labels.withoutDate, format),
		],
	};
}

/**
 * When the data of an account begins, if that is after the first day of the period to compare with. The list
 * has no older records if its own total counts no more than what was read.
 */
async function lateStart(
	{ earliest, read }: Tabulation,
	{ api, request }: { api: RunContext['api']; request: Request },
	start: DateTime,
): Promise<DateTime | undefined> {
	if (earliest === Infinity || earliest < start.plus({ days: 1 }).toMillis()) return undefined;
	const query = { ...request.query, limit: 1, offset: 0 };
	const { total } = pageIn(await api.send({ ...request, query }), api);
	return total === read ? DateTime.fromMillis(earliest, { zone: start.zone }) : undefined;
}

const withoutBefore = (row: JsonObject): JsonObject =>
	Object.fromEntries(Object.entries(row).filter(([name]) => !name.endsWith('_before')));

async function readCalls({ api, tell, now }: RunContext, asked: Asked): Promise<ListRead> {
	const { periods, filters, wanted, format } = asked;
	const { chosen, before } = periods;
	const { status, byNode } = splitCallFilters(filters);
	const unit = unitFor(periods);
	const by = {
		keyFigures: UNGROUPED,
		callsByDay: groupCalls(unit, periods, now, api.names),
		callsByStatus: UNGROUPED,
		callsByAgent: groupCalls('agent', periods, now, api.names),
		busiestHours: groupCalls('hour', periods, now, api.names),
	};
	const filter = new CallFilter(byNode, api.names);
	const request = { method: 'GET', path: '/call-history', query: status } as const;
	const { tabulation, isCompared, shown, notes } = await countList(
		{ api, tell, request, partsOf: (call) => (filter.isWanted(call) ? [call] : []) },
		{
			subject: callSubject(api.names),
			groupings: [...new Set(Object.values(by))],
			dateFields: ['created_at'],
		},
		asked,
	);
	filter.finish(tell);
	const [totals] = shown(tabulation.rows(UNGROUPED)) as [JsonObject];
	const legend = {
		now: format.period(chosen.start, DateTime.min(chosen.end, DateTime.max(now, chosen.start))),
		...(before && isCompared && { before: format.period(before.start, before.end) }),
	};
	// A Saturday beside a Thursday would say nothing.
	const isUneven = unit === 'day' && before?.start.weekday !== chosen.start.weekday;
	const draw: Record<keyof typeof by, (rows: Rows) => Section> = {
		keyFigures: () => keyFigures(totals, format),
		callsByDay: (rows) =>
			isUneven
				? callsInTime(rows.map(withoutBefore), unit, { now: legend.now }, format)
				: callsInTime(rows, unit, legend, format),
		callsByStatus: () => callsByStatus(totals, format),
		callsByAgent: (rows) =>
			callsByAgent(tabulation.shows(by.callsByAgent) ? rows : undefined, format),
		busiestHours: (rows) => busiestHours(rows, legend, format),
	};
	const names = (Object.keys(by) as Array<keyof typeof by>).filter((name) => wanted.includes(name));
	const list: ListRead = { sections: {}, figures: {}, isCompared };
	const isEmpty = totals.calls === 0;
	for (const name of names) {
		const rows = tabulation.shows(by[name]) ? tabulation.rows(by[name]) : [];
		list.figures[name] = name === 'callsByAgent' ? largestFirst(rows, 'calls') : rows;
		if (!isEmpty) list.sections[name] = draw[name](shown(list.figures[name]));
	}
	if (isEmpty) {
		list.sections[names[0]!] = noCalls(totals, legend.before, format);
	} else {
		const today = now.toISODate()!;
		const days = tabulation.rows(by.callsByDay);
		const past = days.filter(({ day }) => typeof day === 'string' && day < today);
		list.sentence = sentenceOf(totals, past, periods, format);
	}
	list.sections[names[0]!]!.notes.push(...notes);
	return list;
}

/** Days as long as they fit side by side, then weeks, then months. */
function unitFor({ chosen: { start, end } }: Periods): Unit {
	const { days } = end.diff(start, 'days');
	if (days <= 32) return 'day';
	return days <= 190 ? 'week' : 'month';
}

async function readOrders({ api, tell }: RunContext, asked: Asked): Promise<ListRead> {
	const request = { method: 'GET', path: '/orders', query: { sort: '-created_at' } } as const;
	const layout = { subject: orderSubject(REVENUE_STATUSES), dateFields: ['created_at'] };
	const draw = (rows: Rows) => orders(rows, asked.format);
	return await readAmounts('orders', { api, tell, request }, layout, asked, draw);
}

async function readWallet({ api, tell }: RunContext, asked: Asked): Promise<ListRead> {
	const request = { method: 'GET', path: '/wallet/transactions' } as const;
	const layout = { subject: walletSubject(api.names), dateFields: api.names.transactionDate };
	const draw = async (rows: Rows) => wallet(await withCurrency(rows, api, tell), asked.format);
	return await readAmounts('wallet', { api, tell, request }, layout, asked, draw);
}

async function readAmounts(
	name: 'orders' | 'wallet',
	source: Source,
	layout: Pick<Layout, 'subject' | 'dateFields'>,
	asked: Asked,
	draw: (rows: Rows) => Section | Promise<Section>,
): Promise<ListRead> {
	const { names } = source.api;
	const whole = {
		...layout,
		groupings: [UNGROUPED],
		currencyOf: currencyIn(names),
		currencies: names.currency,
	};
	const { tabulation, isCompared, shown, notes } = await countList(source, whole, asked);
	const rows = tabulation.rows();
	const section = await draw(shown(rows));
	section.notes.push(...notes);
	return { sections: { [name]: section }, figures: { [name]: rows }, isCompared };
}

/** If no transaction shows its currency, that of the wallet. Reference: Wallet response. */
async function withCurrency(
	rows: Rows,
	api: RunContext['api'],
	tell: RunContext['tell'],
): Promise<Rows> {
	if (rows.some(({ currency }) => currency !== null)) return rows;
	const found = await api.find({ method: 'GET', path: '/wallet' }).catch((error: Error) => {
		tell(`The currency of the wallet could not be read. ${error.message}`);
		return null;
	});
	const currency = isObject(found) ? found.currency : undefined;
	return typeof currency === 'string' ? rows.map((row) => ({ ...row, currency })) : rows;
}
