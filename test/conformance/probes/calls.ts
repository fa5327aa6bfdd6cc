import { isObject, type Account, type Row } from '../account.ts';
import { CALLS, fieldOf, listOf, namesOf, typeOf, untold, type Finding } from './finding.ts';

export const callStatus = async (account: Account) =>
	await fieldOf(account, CALLS, ['call_status', 'status']);

export async function callAgent(account: Account): Promise<Finding> {
	const [call] = await listOf(account, CALLS);
	if (!call) return untold('no call');
	const evidence = `fields: ${namesOf(call)}`;
	if ('agent_id' in call) return { found: 'id', evidence };
	return { found: isObject(call.agent) ? 'object' : 'absent', evidence };
}

/** A call in the list, and the same call at its own path. */
interface Both {
	row: Row;
	detail: Row;
}

const ofCall =
	(judge: (call: Both) => Finding) =>
	async (account: Account): Promise<Finding> => {
		const [row] = await listOf(account, CALLS);
		if (!row) return untold('no call');
		const { data } = await account.get(`${CALLS}/{call_id}`, { call_id: String(row.id) });
		return judge({ row, detail: isObject(data) ? data : {} });
	};

/** Whether the list shows these fields, or only the detail does, or neither. */
const whereShown = (isShown: (shown: Row) => boolean, otherwise?: string) =>
	ofCall(({ row, detail }) => {
		const evidence = `fields of the list: ${namesOf(row)}; of the detail: ${namesOf(detail)}`;
		if (isShown(row)) return { found: 'list', evidence };
		return { found: isShown(detail) ? 'detail' : otherwise, evidence };
	});

const hasOneOf = (names: readonly string[]) => (shown: Row) => names.some((name) => name in shown);

/** The names that the node knows for the number that was called. */
const NUMBERS = ['phone_number', 'to_number', 'called_number', 'to'];

export const transferTime = whereShown(hasOneOf(['transfer_time']));

export const providers = whereShown(
	(shown) => 'ai_provider' in shown && 'ai_provider_fallback_used' in shown,
);

export const callNumber = whereShown(hasOneOf(NUMBERS), 'another name');

export const callTask = whereShown(hasOneOf(['task_id', 'task']), 'none');

export async function underWay(account: Account): Promise<Finding> {
	const states = (await listOf(account, CALLS)).map((row) => String(row.call_status ?? row.status));
	const some = states.some((state) => /progress|queued|ringing/i.test(state));
	return some
		? { found: 'listed', evidence: 'a call that has not ended is listed' }
		: untold('no call that has not ended');
}

/** The summary or transcript of a call that has one, and of a call that has none. */
async function parts(account: Account, part: 'summary' | 'transcript') {
	const calls = await listOf(account, CALLS);
	const talked = (row: Row) => /^completed$/i.test(String(row.call_status ?? row.status));
	const [one, other] = [calls.find(talked), calls.find((row) => !talked(row))];
	const read = async (row: Row | undefined) =>
		row && (await account.get(`${CALLS}/{call_id}/${part}`, { call_id: String(row.id) }));
	return { there: await read(one), missing: await read(other) };
}

export async function noSummary(account: Account): Promise<Finding> {
	const { missing } = await parts(account, 'summary');
	if (!missing) return untold('no call without a talk');
	if (missing.status !== 200)
		return { found: String(missing.status), evidence: `status ${missing.status}` };
	const text = isObject(missing.data) ? missing.data.summary : missing.data;
	if (text !== null && text !== undefined && String(text).trim() !== '')
		return untold('every call has one');
	return {
		found: text === '' ? 'blank' : 'null',
		evidence: `status 200, summary: ${typeOf(text)}`,
	};
}

/** The list of turns: the transcript itself, or one of its fields. */
const turnsIn = (data: unknown): unknown[] | undefined =>
	Array.isArray(data) ? data : isObject(data) ? Object.values(data).find(Array.isArray) : undefined;

export async function transcript(account: Account): Promise<Finding> {
	const { there } = await parts(account, 'transcript');
	if (!there || there.status !== 200) return untold('no call with a transcript');
	const { data } = there;
	if (typeof data === 'string') return { found: 'text', evidence: 'text' };
	const turn = turnsIn(data)?.[0];
	const evidence = `${typeOf(data)}${isObject(data) ? ` of ${namesOf(data)}` : ''}; a turn: ${isObject(turn) ? namesOf(turn) : typeOf(turn)}`;
	if (Array.isArray(data)) return { found: 'list', evidence };
	const name = isObject(data) && Object.keys(data).find((key) => Array.isArray(data[key]));
	return { found: name || 'another form', evidence };
}

export async function noTranscript(account: Account): Promise<Finding> {
	const { missing } = await parts(account, 'transcript');
	if (!missing) return untold('no call without a talk');
	if (missing.status !== 200)
		return { found: String(missing.status), evidence: `status ${missing.status}` };
	const { data } = missing;
	const evidence = `status 200, ${typeOf(data)}`;
	if (data === null) return { found: 'null', evidence };
	const isEmpty = data === '' || turnsIn(data)?.length === 0;
	return isEmpty ? { found: 'empty', evidence } : untold('every call has one');
}
