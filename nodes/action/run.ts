import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Authentication } from '../api/account';
import { accountsOf } from '../api/accounts';
import type { Resources } from '../table/operation';
import { isTool } from './asTool';
import { chosenOperation, type Chosen } from './chosen';
import { failedItems, nodeErrorOf, refusal } from './failures';
import { gathered } from './gather';
import { Lanes } from './lanes';
import { readRequestOptions } from './requestOptions';
import type { Result } from './result';
import { runTask } from './runTask';
import { readTasks, type Task } from './tasks';

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
		throw isTool(this.getNode()) ? nodeErrorOf(error, this.getNode(), 0) : error;
	});
	if (!this.continueOnFail()) return [await output];
	// If this were thrown, n8n would hand on the input as if the node had succeeded.
	const allFailed = (error: unknown) =>
		this.getInputData().flatMap((_, item) =>
			failedItems(this, nodeErrorOf(error, this.getNode(), item), [item]),
		);
	return [await output.catch(allFailed)];
}

async function runAll(
	context: IExecuteFunctions,
	resources: Resources,
): Promise<INodeExecutionData[]> {
	const chosen = chosenOperation(context, resources);
	const options = readRequestOptions(context, chosen.about);
	const authentication = context.getNodeParameter('authentication', 0) as Authentication;
	const accounts = await accountsOf(context, authentication);
	const { tasks, refused } = readTasks(context, chosen, accounts);
	assertMayGoTogether(context, chosen, tasks, refused.length);

	const lanes = new Lanes(
		context,
		tasks.map(({ account }) => account),
		options,
		chosen,
	);
	const done = await Promise.all(
		gathered(tasks, chosen.row).map(async (task) => await runTask(context, chosen, lanes, task)),
	);
	const results = [...refused, ...done].sort((one, other) => one.item - other.item);
	showNotices(context, results, lanes);
	return results.flatMap(({ output }) => output);
}

/** @throws NodeOperationError if the items may not be sent together, although each of them is right */
function assertMayGoTogether(
	context: IExecuteFunctions,
	{ row, about }: Chosen,
	tasks: Task[],
	refused: number,
): void {
	const inputs = tasks.map(({ input }) => input);
	const objection = row.refuse?.(inputs, refused, context.getNode());
	if (objection !== undefined) throw refusal(context, about, objection);
}

function showNotices(context: IExecuteFunctions, results: Result[], lanes: Lanes): void {
	const isWhole = results.every(({ isFailed }) => !isFailed);
	const notices = [...results.flatMap(({ notices }) => notices ?? []), lanes.notice(isWhole)];
	for (const message of new Set(notices)) {
		if (message) context.addExecutionHints?.({ message, location: 'outputPane' });
	}
}
