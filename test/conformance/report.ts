import { Account, type Access, type Listed } from './account.ts';
import { NOT_SHOWN, type NotShown } from '../../scripts/docs/notShown.ts';
import { PROBES, type Finding, type Subject } from './probes.ts';

type Verdict = 'confirmed' | 'refuted' | 'not to be told';

export interface Row extends Finding {
	subject: Subject;
	verdict: Verdict;
	/** What README says of it. */
	assumption: Pick<NotShown, 'what' | 'assumed' | 'works'>;
	/** What to change in the node, if the assumption is wrong. */
	change: string | null;
}

export interface Report {
	rows: Row[];
	requests: Listed[];
}

/** A finding refutes the assumption if it is not what the node needs without further settings. */
function verdictOf({ needs }: NotShown, { found }: Finding, subject: Subject): Verdict {
	if (found === undefined) return 'not to be told';
	const wanted = needs?.[subject];
	return wanted === undefined || wanted === found ? 'confirmed' : 'refuted';
}

/**
 * Reads an account, by GET alone, and says which assumptions of the node hold there.
 * @throws if the account cannot be read at all
 */
export async function examine(access: Access): Promise<Report> {
	const account = new Account(access);
	const rows: Row[] = [];
	try {
		const { status, body } = await account.get('/contacts', {}, { limit: '100' });
		if (status !== 200 || body === undefined)
			throw new Error(
				`GET /contacts answered ${status}${body === undefined ? ', and no JSON' : ''}: ` +
					'check the base URL, which ends in /v1, and that the key has READ.',
			);
		for (const assumption of NOT_SHOWN) {
			for (const name of assumption.subjects ?? []) {
				const subject = name as Subject;
				const finding = await PROBES[subject](account);
				const verdict = verdictOf(assumption, finding, subject);
				const { what, assumed, works, change } = assumption;
				rows.push({
					subject,
					verdict,
					...finding,
					assumption: { what, assumed, works },
					change: verdict === 'refuted' ? (change ?? null) : null,
				});
			}
		}
	} finally {
		await account.close();
	}
	return { rows, requests: account.requests };
}

/** The report as text: each request, then each assumption. */
export function written({ rows, requests }: Report): string {
	const widest = Math.max(...rows.map(({ subject }) => subject.length));
	const lines = rows.map(({ subject, verdict, found, evidence, assumption, change }) => {
		const head = `${subject.padEnd(widest)}  ${verdict.padEnd(14)}  ${found ?? '–'}`;
		const mended = change === null ? '' : `\n    Change it: ${change}`;
		return `${head}\n    ${assumption.what}: ${assumption.assumed}\n    ${evidence}${mended}`;
	});
	const sent = requests.map(({ request, status }) => `${status}  ${request}`);
	return [`${requests.length} requests`, ...sent, '', 'Assumptions', ...lines, ''].join('\n');
}
