import type { NodeApiError } from 'n8n-workflow';

import type { Names } from '../api/names';
import { isObject } from '../json';
import { callSubject, groupCalls } from '../statistics/callStatistics';
import { largestFirst } from '../statistics/groupings';
import { orderSubject, REVENUE_STATUSES } from '../statistics/orderStatistics';
import { currencyIn, tabulate } from '../statistics/tabulate';
import { UNGROUPED, type Grouping, type Periods } from '../statistics/tabulation';
import { walletSubject } from '../statistics/walletStatistics';
import { CallFilter, splitCallFilters } from '../filters/callFilters';
import type { RunContext } from '../table/operation';
import type { Format } from './format';
import { SECTIONS, type SectionName as Name } from './names';
import type { Section } from './page';
import {
	busiestHours,
	callsByAgent,
	callsByStatus,
	callsInTime,
	keyFigures,
	orders,
	wallet,
	type Rows,
	type Unit,
} from './sections';

/** What a section is made from. */
interface Asked {
	periods: Periods;
	wanted: readonly Name[];
	/** For the sections about calls. */
	filters: { agent_id?: string; call_status?: string[] };
	format: Format;
}

/** A section, and the rows that it draws. */
interface Drawn {
	section: Section;
	rows: Rows;
}

type Drawings = Partial<Record<Name, Drawn>>;

type Reader = (context: RunContext, asked: Asked) => Promise<Drawings>;

/** Which list each section reads. */
const READERS: ReadonlyArray<readonly [names: readonly Name[], read: Reader]> = [
	[['keyFigures', 'callsByDay', 'callsByStatus', 'callsByAgent', 'busiestHours'], readCalls],
	[['orders'], readOrders],
	[['wallet'], readWallet],
];

/** The sections of a page, their figures, and those that could not be read. */
interface Read {
	sections: Section[];
	/** The rows of Get Statistics, by section. */
	figures: Partial<Record<Name, Rows>>;
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
	const read: Read = { sections: [], figures: {}, failed: [] };
	const names = (Object.keys(SECTIONS) as Name[]).filter((name) => wanted.includes(name));
	for (const name of names) {
		const result = results[needed.findIndex(([own]) => own.includes(name))]!;
		if (result.status === 'fulfilled') {
			const { section, rows } = result.value[name]!;
			read.sections.push(section);
			read.figures[name] = rows;
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

async function readCalls({ api, tell, now }: RunContext, asked: Asked): Promise<Drawings> {
	const { periods, filters, wanted } = asked;
	const { status, byNode } = splitCallFilters(filters);
	const drawers = Object.entries(callSections(asked, now, api.names)).filter(([name]) =>
		wanted.includes(name as Name),
	);
	const filter = new CallFilter(byNode, api.names);
	const tabulation = await tabulate(
		{
			...{ api, tell },
			request: {
				method: 'GET',
				path: '/call-history',
				query: status,
			},
			partsOf: (call) => (filter.isWanted(call) ? [call] : []),
		},
		{
			subject: callSubject(api.names),
			groupings: [...new Set(drawers.map(([, { by }]) => by))],
			periods,
			dateFields: ['created_at'],
		},
	);
	filter.finish(tell);
	const drawings: Drawings = {};
	for (const [name, { by, order, draw }] of drawers) {
		const shown = tabulation.shows(by) ? tabulation.rows(by) : undefined;
		const rows = shown && (order?.(shown) ?? shown);
		drawings[name as Name] = { section: draw(rows), rows: rows ?? [] };
	}
	return drawings;
}

/** A section about calls. */
interface CallSection {
	by: Grouping;
	order?: (rows: Rows) => Rows;
	/** @param rows undefined if no call shows its group */
	draw(rows: Rows | undefined): Section;
}

function callSections(
	{ periods, format }: Asked,
	now: RunContext['now'],
	names: Names,
): Partial<Record<Name, CallSection>> {
	const unit = unitFor(periods);
	const legend = legendOf(periods, format, now);
	return {
		keyFigures: { by: UNGROUPED, draw: (rows) => keyFigures(rows![0]!, format) },
		callsByDay: {
			by: groupCalls(unit, periods, now, names),
			draw: (rows) => callsInTime(rows!, unit, legend, format),
		},
		callsByStatus: { by: UNGROUPED, draw: (rows) => callsByStatus(rows![0]!, format) },
		callsByAgent: {
			by: groupCalls('agent', periods, now, names),
			order: (rows) => largestFirst(rows, 'calls'),
			draw: (rows) => callsByAgent(rows, format),
		},
		busiestHours: {
			by: groupCalls('hour', periods, now, names),
			draw: (rows) => busiestHours(rows!, legend, format),
		},
	};
}

/** Days as long as they fit side by side, then weeks, then months. */
function unitFor({ chosen: { start, end } }: Periods): Unit {
	const { days } = end.diff(start, 'days');
	if (days <= 32) return 'day';
	return days <= 190 ? 'week' : 'month';
}

const legendOf = ({ chosen, before }: Periods, format: Format, now: RunContext['now']) => ({
	now: format.period(chosen.start, now > chosen.start && now < chosen.end ? now : chosen.end),
	...(before && { before: format.period(before.start, before.end) }),
});

async function readOrders({ api, tell }: RunContext, { periods, format }: Asked) {
	const tabulation = await tabulate(
		{ api, tell, request: { method: 'GET', path: '/orders', query: { sort: '-created_at' } } },
		{
			subject: orderSubject(REVENUE_STATUSES),
			groupings: [UNGROUPED],
			periods,
			dateFields: ['created_at'],
			currencyOf: currencyIn(api.names),
			currencies: api.names.currency,
		},
	);
	const rows = tabulation.rows();
	return { orders: { section: orders(rows, format), rows } };
}

async function readWallet({ api, tell }: RunContext, { periods, format }: Asked) {
	const tabulation = await tabulate(
		{ api, tell, request: { method: 'GET', path: '/wallet/transactions' } },
		{
			subject: walletSubject(api.names),
			groupings: [UNGROUPED],
			periods,
			dateFields: api.names.transactionDate,
			currencyOf: currencyIn(api.names),
			currencies: api.names.currency,
		},
	);
	const rows = tabulation.rows();
	return { wallet: { section: wallet(await withCurrency(rows, api, tell), format), rows } };
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
