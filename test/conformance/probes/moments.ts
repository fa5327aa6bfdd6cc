import { rowsOf, type Account, type Row } from '../account.ts';
import {
	CALLS,
	listOf,
	manyOf,
	MOMENT,
	most,
	said,
	tally,
	untold,
	type Finding,
} from './finding.ts';

/** The date-times in a record's fields, whatever their names. */
const momentsOf = (row: Row): RegExpExecArray[] =>
	Object.values(row)
		.map((value) => (typeof value === 'string' ? MOMENT.exec(value) : null))
		.filter((match) => match !== null);

const formsOf = async (account: Account, form: (match: RegExpExecArray) => string) =>
	tally((await manyOf(account, [CALLS, '/orders', '/contacts'])).flatMap(momentsOf).map(form));

const mostOf = (counts: ReadonlyMap<string, number>): string | undefined =>
	[...counts].sort(([, one], [, other]) => other - one)[0]?.[0];

export async function zone(account: Account): Promise<Finding> {
	const counts = await formsOf(account, ([, , zone]) =>
		zone === 'Z' ? 'Z' : zone ? 'offset' : 'none',
	);
	return { found: mostOf(counts), evidence: said(counts) };
}

export async function fraction(account: Account): Promise<Finding> {
	const counts = await formsOf(account, ([, digits]) =>
		digits === undefined ? 'no digits' : `${digits.length} digits`,
	);
	return { found: mostOf(counts), evidence: said(counts) };
}

/** Whether a call belongs to the answer after a moment. */
async function comesAfter(account: Account, id: unknown, moment: string): Promise<boolean> {
	const query = { created_after: moment, sort: '-created_at', ...most };
	const answer = await account.get(CALLS, {}, query, ['created_after']);
	return rowsOf(answer).some((row) => row.id === id);
}

interface Cursor {
	/** Whether a call comes after its own moment, after an earlier one of its second, and after a later one. */
	at: boolean;
	before: boolean;
	behind: boolean;
	digits: number;
}

async function cursor(account: Account): Promise<Cursor | undefined> {
	const calls = await listOf(account, CALLS);
	const dated = calls.flatMap((row) => {
		const match = MOMENT.exec(String(row.created_at));
		return match ? [{ id: row.id, match }] : [];
	});
	// At the very start of a second, moments of one second cannot be told apart.
	const tested = dated.find(({ match: [, digits = ''] }) => /[1-9]/.test(digits)) ?? dated[0];
	if (!tested) return undefined;
	const { id, match } = tested;
	const [written, digits = '', zone = ''] = match;
	const second = written.slice(0, 19);
	const moment = (fraction: string) => `${second}.${fraction}${zone}`;
	return {
		at: await comesAfter(account, id, written),
		before: await comesAfter(account, id, moment('000')),
		behind: await comesAfter(account, id, moment('999999')),
		digits: Number(digits === '' ? 0 : digits.replace(/0+$/, '').length),
	};
}

export async function bound(account: Account): Promise<Finding> {
	const seen = await cursor(account);
	if (!seen) return untold('no call with a date');
	const evidence = `a call ${seen.at ? 'comes' : 'does not come'} again after its own moment`;
	// If the server cuts what it writes, the call is later than the moment that it shows.
	if (seen.digits === 0 && seen.at && !seen.behind) return untold(evidence);
	return { found: seen.at ? 'inclusive' : 'exclusive', evidence };
}

export async function grain(account: Account): Promise<Finding> {
	const seen = await cursor(account);
	if (!seen) return untold('no call with a date');
	if (seen.at && seen.behind)
		return { found: 'second', evidence: 'it comes after a later moment of its second' };
	if (!seen.at && !seen.before && seen.digits > 0)
		return { found: 'second', evidence: 'it does not come after an earlier moment of its second' };
	if (!seen.at && !seen.before)
		return { found: 'second', evidence: 'it does not come after its second' };
	return { found: 'finer', evidence: 'moments of one second differ' };
}
