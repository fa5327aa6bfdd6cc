import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeError } from 'n8n-workflow';

import { accountsOf, isTool, type CredentialError } from '../api/account';
import { groupedBy } from '../json';
import { changes, doesOf, type Resources, type Task } from '../table/operation';
import { accountReader, findOperation, readSharedParameters, type Chosen } from './chosen';
import { failedResult, toNodeError, refusal, type Result } from './failures';
import { Queues } from './queues';
import { addInputFields } from './inputFields';
import { showFields } from './output';
import { runTask } from './perform';
import { readTasks } from './tasks';
import { cut, quoted, withoutMarkup, withShortTexts } from '../words';

/**
 * Runs one operation for every input item. All items are checked before the first is sent, so a mistake
 * in the last item does not leave the others done. Then reads run in parallel, and writes one after
 * another unless the user raises it. The output has the order and the pairing of the items. Without
 * Continue On Fail the first failure stops new requests.
 *
 * @throws NodeOperationError for bad input, before anything is sent
 * @throws NodeApiError for what the API or the network answered
 */
export async function run(
	this: IExecuteFunctions,
	resources: Resources,
): Promise<INodeExecutionData[][]> {
	const output = runAll(this, resources).catch((error: unknown) => {
		throw withShortTexts(isTool(this.getNode()) ? toNodeError(error, this.getNode(), 0) : error);
	});
	if (!this.continueOnFail()) return [await output.catch(stopping(this.getInputData().length))];
	// If this were thrown, n8n would hand on the input as if the node had succeeded.
	const allFailed = (error: unknown) =>
		this.getInputData().flatMap((_, item) => failedResult(this, error, [item]).output);
	return [await output.catch(allFailed)];
}

/** Throws the error that stops all items, and says how the others can go on. */
const stopping = (items: number) => (error: unknown) => {
	if (items > 1 && error instanceof NodeError && error.context.itemIndex !== undefined)
		error.description = [error.description, LET_OTHERS_GO_ON].filter(Boolean).join(' ');
	throw error;
};

const LET_OTHERS_GO_ON =
	"To let the other items continue, set 'On Error' to 'Continue' in the settings of the node.";

async function runAll(
	context: IExecuteFunctions,
	resources: Resources,
): Promise<INodeExecutionData[]> {
	const chosen = findOperation(context, resources);
	const common = readSharedParameters(context);
	const accounts = await accountsOf(context, common.authentication, accountReader(context)).catch(
		(error: CredentialError) => {
			if (!context.continueOnFail()) throw error;
			return context.getInputData().map(() => error);
		},
	);
	const { tasks, refused } = readTasks(context, chosen, accounts, common);
	const { allowed, rejected } = arrange(context, chosen, tasks, refused.length);
	const accountsUsed = allowed.map(({ account }) => account);
	const queues = new Queues(context, accountsUsed, common, chosen.about);
	try {
		const running = allowed.map(
			async (task) => await runTask(context, chosen, queues, task, common.ifNotFound),
		);
		await Promise.allSettled(running);
		const done = await Promise.all(running);
		const results = [...refused, ...rejected, ...done].toSorted((a, b) => a.item - b.item);
		showFields(results, context.getTimezone());
		addInputFields(context, results, common.inputFields);
		showNotices(context, [
			...noticesOf(results),
			doubtAbout(chosen, allowed, common.inputFields),
			misspelt(context, common.inputFields),
		]);
		return results.flatMap(({ output }) => output);
	} finally {
		queues.close();
	}
}

/**
 * The tasks as the row joins them, or the results of items that must not be sent together.
 * @throws the first error, without Continue On Fail
 */
function arrange(
	context: IExecuteFunctions,
	{ row }: Chosen,
	tasks: Task[],
	refused: number,
): { allowed: Task[]; rejected: Result[] } {
	try {
		return { allowed: row.arrange?.(tasks, refused, context) ?? tasks, rejected: [] };
	} catch (why) {
		const rejected = tasks.map(({ items }): Result => {
			const error = refusal(context, (why as Error).message, items[0]);
			if (!context.continueOnFail()) throw error;
			return failedResult(context, error, items);
		});
		return { allowed: [], rejected };
	}
}

/** Items of several clients that were all read with one key have the same figures under several names. */
function doubtAbout({ row }: Chosen, tasks: Task[], names: readonly string[]): string | undefined {
	const isNamed = names.length > 0 && !names.includes('*');
	const isChange = tasks.some(({ input }) => changes(doesOf(row, input)));
	if (!isNamed || tasks.length < 2 || isChange) return undefined;
	const asked = ({ account, input }: Task) => JSON.stringify([account.identity, input]);
	const first = asked(tasks[0]!);
	return tasks.every((task) => asked(task) === first)
		? `All ${tasks.length} items asked the same account for the same. If they are of several clients, set 'Account' to an expression that names the client.`
		: undefined;
}

/** Names in Include Input Fields that no item has. Without a hint, their columns are empty and nobody knows why. */
function misspelt(context: IExecuteFunctions, names: readonly string[]): string | undefined {
	const items = context.getInputData();
	const isThere = (name: string) => items.some(({ json }) => Object.hasOwn(json, name));
	const missing = names.filter((name) => name !== '*' && !isThere(name));
	return missing.length > 0
		? `No input item has the field ${quoted(missing)}, which 'Include Input Fields' names.`
		: undefined;
}

/** The hints of all items. One that is not about all of them names the rows of their table, from 1 on. */
function noticesOf(results: readonly Result[]): string[] {
	const all = results.flatMap(({ item, notices = [] }) =>
		notices.map((notice) => ({ notice, row: item + 1 })),
	);
	return [...groupedBy(all, ({ notice }) => notice)].map(([, same]) => {
		const rows = [...new Set(same.map(({ row }) => row))];
		const named = `Row ${rows.slice(0, 20).join(', ')}${rows.length > 20 ? ', …' : ''}: `;
		return (rows.length < results.length ? named : '') + same[0]!.notice;
	});
}

function showNotices(context: IExecuteFunctions, notices: Array<string | undefined>): void {
	for (const message of new Set(notices)) {
		if (!message) continue;
		context.addExecutionHints?.({ message: withoutMarkup(cut(message)), location: 'outputPane' });
	}
}
