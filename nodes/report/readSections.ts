import { DateTime } from 'luxon';

import { pageIn } from '../api/lists';
import type { Api } from '../api/session';
import { ASSUMED } from '../domain/assumed';
import { directionReader } from '../domain/direction';
import { currencyIn } from '../domain/money';
import { fitting, isObject, type JsonObject } from '../json';
import { callSubject, groupCalls, type Group } from '../statistics/callStatistics';
import { largestFirst } from '../statistics/groupings';
import { orderSubject, REVENUE_STATUSES } from '../statistics/orderStatistics';
import {
	tabulate,
	UNGROUPED,
	type Grouping,
	type Layout,
	type Periods,
	type Source,
	type Tabulation,
} from '../statistics/tabulate';
import { walletSubject } from '../statistics/walletStatistics';
import { callFilter, splitCallFilters, type CallFilters } from '../filters/callFilters';
import type { RowApi } from '../table/rowApi';
import { filled, type Format } from './format';
import type { SectionName as Name } from './labels';
import type { Section } from './page';
import {
	bothDirections,
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

interface Asked {
	periods: Periods;
	wanted: readonly Name[];
	filters: CallFilters;
	format: Format;
}

interface ListRead {
	/** In the order of the page. A period without calls has one section for all that are wanted. */
	sections: Section[];
	figures: Partial<Record<Name | 'directions', Rows>>;
	/** Whether the sections show the period before. */
	isCompared: boolean;
	sentence?: string;
}

/** Which sections each list is read for, in the order of the page. */
const LISTS: ReadonlyArray<
	[names: Name[], read: (api: RowApi, asked: Asked) => Promise<ListRead>]
> = [
	[['keyFigures', 'callsByDay', 'callsByStatus', 'callsByAgent', 'busiestHours'], readCalls],
	[['orders'], readOrders],
	[['wallet'], readWallet],
];

/** Reads each list that the sections need once. @throws Error if one of them cannot be read */
export async function readSections(api: RowApi, asked: Asked): Promise<ListRead> {
	const needed = LISTS.filter(([names]) => names.some((name) => asked.wanted.includes(name)));
	const lists = await Promise.all(needed.map(async ([, read]) => await read(api, asked)));
	return {
		sections: lists.flatMap(({ sections }) => sections),
		figures: Object.assign({}, ...lists.map(({ figures }) => figures)) as ListRead['figures'],
		isCompared: lists.some(({ isCompared }) => isCompared),
		sentence: lists[0]?.sentence,
	};
}

/**
 * Counts a list, and compares it if the account has data of the whole period before.
 * @returns `rows` of a grouping hold the period before only then; `notes` stand below the first section
 */
async function countList(
	source: Source,
	layout: Omit<Layout, 'periods' | 'compare'>,
	{ periods, format }: Asked,
) {
	const { before } = periods;
	const tabulation = await tabulate(source, { ...layout, periods, compare: before !== undefined });
	const start = before && (await lateStart(tabulation, source, before.start));
	const { labels, longDay } = format;
	return {
		isCompared: before !== undefined && start === undefined && tabulation.read > 0,
		rows(grouping: Grouping) {
			const rows = tabulation.shows(grouping) ? tabulation.rows(grouping) : [];
			return start === undefined ? rows : rows.map(withoutBefore);
		},
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
	{ api, request }: Source,
	start: DateTime,
): Promise<DateTime | undefined> {
	if (earliest === Infinity || earliest < start.plus({ days: 1 }).toMillis()) return undefined;
	const query = { ...request.query, limit: 1, offset: 0 };
	const { total } = pageIn(await api.send({ ...request, query }), api);
	return total === read ? DateTime.fromMillis(earliest, { zone: start.zone }) : undefined;
}

const withoutBefore = (row: JsonObject) => fitting(row, (name) => !name.endsWith('_before'));

async function readCalls(api: RowApi, asked: Asked): Promise<ListRead> {
	const { now, tell } = api;
	const { periods, filters, wanted, format } = asked;
	const { chosen, before } = periods;
	const { status, byNode } = splitCallFilters(filters);
	const unit = unitFor(periods);
	const by = (group: Group) => groupCalls(group, periods, now, api.names);
	const inTime = by(unit);
	const [byAgent, byHour, byDirection] = [by('agent'), by('hour'), by('direction')];
	const directionOf = directionReader();
	const filter = callFilter(byNode, api.names, directionOf);
	const partsOf = async (call: JsonObject) =>
		(await filter.isWanted(call, api))
			? [{ ...call, direction: await directionOf(call, api) }]
			: [];
	const request = { method: 'GET', path: '/call-history', query: status } as const;
	const { isCompared, rows, notes } = await countList(
		{ api, request, partsOf },
		{
			subject: callSubject(api.names),
			groupings: [UNGROUPED, inTime, byAgent, byHour, byDirection],
			dateFields: ['created_at'],
		},
		asked,
	);
	filter.finish(tell);
	const [totals, days, hours] = [rows(UNGROUPED), rows(inTime), rows(byHour)];
	const agents = largestFirst(rows(byAgent), 'calls');
	const directions = rows(byDirection);
	const both = bothDirections(directions);
	const legend = {
		now: format.period(chosen.start, DateTime.min(chosen.end, DateTime.max(now, chosen.start))),
		...(before && isCompared && { before: format.period(before.start, before.end) }),
	};
	// A Saturday beside a Thursday would say nothing.
	const isUneven = unit === 'day' && before?.start.weekday !== chosen.start.weekday;
	const byDay = { rows: days, unit, legend: isUneven ? { now: legend.now } : legend };
	const byStatus = both.length > 0 ? both : totals;
	const parts: Array<[name: Name, rows: Rows, draw: () => Section | Section[]]> = [
		['keyFigures', totals, () => keyFigures(totals[0]!, directions, format)],
		['callsByDay', days, () => callsInTime(byDay, format)],
		['callsByStatus', totals, () => byStatus.map((row) => callsByStatus(row, format))],
		['callsByAgent', agents, () => callsByAgent(agents, format)],
		['busiestHours', hours, () => busiestHours(hours, legend, format)],
	];
	const shown = parts.filter(([name]) => wanted.includes(name));
	const figures = Object.fromEntries(shown.map(([name, rows]) => [name, rows]));
	const isEmpty = totals[0]!.calls === 0;
	const sections = isEmpty
		? [noCalls(totals[0]!, legend.before, format)]
		: shown.flatMap(([, , draw]) => draw());
	sections[0]!.notes.push(...notes);
	const past = days.filter(({ day }) => typeof day === 'string' && day < now.toISODate()!);
	const sentence = isEmpty ? undefined : sentenceOf(totals[0]!, both, past, periods, format);
	return { sections, figures: { ...figures, directions }, isCompared, sentence };
}

/** Days as long as they fit side by side, then weeks, then months. */
function unitFor({ chosen: { start, end } }: Periods): Unit {
	const { days } = end.diff(start, 'days');
	if (days <= 32) return 'day';
	return days <= 190 ? 'week' : 'month';
}

async function readOrders(api: RowApi, asked: Asked): Promise<ListRead> {
	const request = { method: 'GET', path: '/orders', query: { sort: '-created_at' } } as const;
	const layout = { subject: orderSubject(REVENUE_STATUSES), dateFields: ['created_at'] };
	const draw = (rows: Rows) => orders(rows, asked.format);
	return await readAmounts('orders', { api, request }, layout, asked, draw);
}

async function readWallet(api: RowApi, asked: Asked): Promise<ListRead> {
	const request = { method: 'GET', path: '/wallet/transactions' } as const;
	const layout = { subject: walletSubject(api.names), dateFields: ASSUMED.transactionDate };
	const draw = async (rows: Rows) => wallet(await withCurrency(rows, api), asked.format);
	return await readAmounts('wallet', { api, request }, layout, asked, draw);
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
	const { isCompared, rows, notes } = await countList(source, whole, asked);
	const figures = rows(UNGROUPED);
	const section = await draw(figures);
	section.notes.push(...notes);
	return { sections: [section], figures: { [name]: figures }, isCompared };
}

/** If no transaction shows its currency, that of the wallet. Reference: Wallet response. */
async function withCurrency(rows: Rows, api: Api): Promise<Rows> {
	if (rows.some(({ currency }) => currency !== null)) return rows;
	const found = await api.find({ method: 'GET', path: '/wallet' });
	const currency = isObject(found) ? found.currency : undefined;
	return typeof currency === 'string' ? rows.map((row) => ({ ...row, currency })) : rows;
}
