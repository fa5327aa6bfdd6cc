import { expect } from 'vitest';

import type { Emulator, Store } from '../../emulator/index.ts';
import { outputOf, succeeded, type Execution, type WorkflowJson } from '../n8n.ts';
import {
	credential,
	emulator,
	enter,
	EXAMPLES,
	modelCredential,
	n8n,
	type Json,
} from '../shared.ts';
import {
	changesData,
	choose,
	every,
	isTable,
	withAnswers,
	withCredential,
	withMappings,
	type CredentialRef,
} from '../workflows.ts';

/** By node: what its user enters. */
type Chosen = Record<string, Json>;

/** By node: the items that a person, a table or a service hands on; one object: for each item, this. */
export type Answers = Record<string, Json | Json[]>;

/** What comes to an example from outside in a test. */
export interface Given {
	/** What its trigger brings; default: what it reads itself, or one empty item. */
	brings?: Json[];
	chosen?: Chosen;
	answers?: Answers;
	/** The credential with the accounts of all clients, for the nodes that name one. */
	clients?: CredentialRef;
	/** Whether the nodes that ask a language model are switched on. */
	hasModel?: boolean;
	/** What the execution must fail with; default: it must succeed. */
	fails?: RegExp;
}

export type SetUp = (given?: Given) => WorkflowJson;

/** Sets the example up, and runs it from one of its triggers. */
export type Run = (start: string, given?: Given) => Promise<Execution>;

/** How one example of `examples/` is set up, starts, and what it must do. */
export interface Example {
	/** What its user chooses. */
	chosen?: (store: Store) => Chosen;
	/** What others answer. */
	answers?: (store: Store) => Answers;
	/** By trigger: what it brings from an account as it is; nothing: one empty item. */
	starts: Record<string, ((store: Store) => Json[]) | undefined>;
	/** From this trigger, with a messy account, it ends in an error with these words: somebody has to look. */
	tells?: Record<string, RegExp>;
	/** What a user gets, in words. */
	does?: string;
	/**
	 * What happens in its account, and what each node of another service would send then. It starts from its
	 * first trigger; if that is one of YK Voice, it is active meanwhile.
	 */
	sends?: (store: Store) => Record<string, unknown[]>;
	/** What takes more than that to see. */
	test?: (run: Run, setUp: SetUp) => Promise<void>;
	/** In place of the test, or beside what it sends: several. */
	tests?: (run: Run, setUp: SetUp) => void;
}

export type Examples = Record<string, Example>;

/** What stands for a service from which a file comes: the name of each item, as a file. */
const FILE = {
	type: 'n8n-nodes-base.convertToFile',
	typeVersion: 1.1,
	disabled: false,
	parameters: { operation: 'toText', sourceProperty: 'name', options: {} },
};

/** An example as its user sets it up. Without a table that was chosen, all its tables are switched off. */
export function setUp(
	name: string,
	{ chosen = {}, answers = {}, clients, hasModel = false }: Given = {},
	account = credential,
): WorkflowJson {
	const workflow = withCredential(enter(structuredClone(EXAMPLES.get(name)!), chosen), account);
	const isAnyTableChosen = Object.values(chosen).some((values) => 'dataTableId' in values);
	for (const node of workflow.nodes) {
		if (isTable(node) && !isAnyTableChosen) node.disabled = true;
		if (node.parameters.operation === 'download') Object.assign(node, FILE);
		if (clients && 'account' in node.parameters) Object.assign(node, choose(node, clients));
	}
	const ready = withAnswers(withMappings(workflow), answers);
	for (const node of ready.nodes.filter(
		({ type }) => hasModel && /langchain|evaluation$/.test(type),
	)) {
		node.disabled = false;
		if (/lmChatOpenAi$/.test(node.type)) node.credentials = { openAiApi: modelCredential };
	}
	return ready;
}

/** Runs an example from one trigger. It must fail with this, or succeed. */
export async function execute(name: string, start: string, given: Given): Promise<Execution> {
	const { brings, answers } = given;
	const workflow = setUp(name, {
		...given,
		answers: { ...answers, ...(brings && { [start]: brings }) },
	});
	if (!workflow.nodes.some((node) => node.name === start)) throw new Error(`There is no ${start}`);
	const execution = await n8n.run(await n8n.saveWorkflow(workflow), start, given.fails);
	expectAllowedRequests(workflow, emulator);
	return execution;
}

/** Activates an example, lets something happen in its account, and waits for what this starts. */
export async function live(
	workflow: WorkflowJson,
	account: Emulator,
	happen: () => void,
): Promise<Execution[]> {
	for (const node of workflow.nodes) {
		if (/ykVoiceTrigger$/.test(node.type)) node.parameters.pollTimes = every(20);
	}
	const saved = await n8n.saveWorkflow(workflow);
	await n8n.activate(saved);
	const { requests } = account;
	// n8n says yes before it has activated; what comes before the first look has ended is not new.
	await n8n.until(() => requests.filter(({ path }) => path === requests[0]!.path).length >= 2);
	happen();
	await n8n.until(async () => (await n8n.listed(saved.id)).length > 0);
	const polled = requests.length;
	// Two polls more, which must not start it again.
	await n8n.until(() => requests.length >= polled + 2);
	const executions = await n8n.listed(saved.id);
	const ended = await Promise.all(executions.map(async ({ id }) => await n8n.finished(id)));
	await n8n.deactivate(saved);
	expectAllowedRequests(workflow, account);
	return ended.map(succeeded);
}

/** Expects requests that the API's reference knows, and only reads if the example only reads. */
function expectAllowedRequests(workflow: WorkflowJson, account: Emulator): void {
	if (!changesData(workflow)) expect(written(account)).toEqual([]);
	expect(account.unknown).toEqual([]);
}

/** The requests that changed something. */
export const written = ({ requests }: Emulator = emulator) =>
	requests.filter(({ method }) => method !== 'GET');

/** What a node of another service, which is switched off, would send: its fields by their names. */
export const sent = (execution: Execution, node: string) => outputOf(execution, `${node}: mapped`);

/** Expects of each of these nodes that it would send exactly these items. */
export function expectSent(execution: Execution, expected: Record<string, unknown[]>): void {
	for (const [node, items] of Object.entries(expected)) {
		expect(sent(execution, node), node).toEqual(items);
	}
}

/** A text that has this in it. */
export const text = (pattern: string | RegExp) => expect.stringMatching(pattern) as string;

/** A message with this text. */
export const says = (pattern: string | RegExp) => ({ text: text(pattern) });

/** What a reader sees of a page, in one line. */
const seen = (html: string) =>
	html
		.replace(/<[^>]*>/g, ' ')
		.replace(/&nbsp;|\s+/g, ' ')
		.replace(/ +/g, ' ');

/** A page of which a reader sees all of this. */
export const page = (...patterns: RegExp[]) =>
	({
		asymmetricMatch: (html: string) => patterns.every((pattern) => pattern.test(seen(html))),
		toString: () => `a page that shows ${patterns.join(' and ')}`,
	}) as unknown as string;

/** The file of one of the items that a node made, as the editor downloads it. */
export async function fileOf(
	{ data }: Execution,
	node: string,
	at = 0,
): Promise<{ name: string; text: string }> {
	const item = data.resultData.runData[node]?.[0]?.data?.main[0]?.[at];
	const { binary } = item as unknown as {
		binary: { data: { id?: string; data: string; fileName: string } };
	};
	const { id, data: content, fileName: name } = binary.data;
	if (id === undefined) return { name, text: Buffer.from(content, 'base64').toString() };
	const file = await n8n.fetch(`/rest/binary-data?id=${encodeURIComponent(id)}&action=download`);
	return { name, text: await file.text() };
}

/** The phone numbers of the contacts on a list. */
export const numbersOn = ({ id }: { id: string }, { store } = emulator) =>
	[...store.members.get(id)!].map((member) => store.contacts.get(member)?.phone_number);

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

export const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

/** Noon of a day of this month or, with an offset of -1, of the last. */
export const dayOf = (offset: number, day: number) => {
	const now = new Date();
	return new Date(
		Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, day, 12),
	).toISOString();
};

/** A date as a message has it, in the time zone of n8n, which is UTC here. */
export const minuteOf = (date: string) => date.slice(0, 16).replace('T', ' ');
