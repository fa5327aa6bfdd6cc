import type { IExecuteFunctions } from 'n8n-workflow';

import { methodOf, type RunContext } from '../table/operation';
import type { Chosen } from './chosen';
import { failed, nodeErrorOf, type Result } from './failures';
import type { Lanes } from './lanes';
import { outputOf } from './output';
import { perform } from './perform';
import type { Task } from './tasks';

/**
 * Runs one task when its account has a place for it.
 *
 * @returns the result, also of a task that failed, with Continue On Fail
 * @throws NodeApiError, NodeOperationError; then nothing more is sent for any task
 */
export async function runTask(
	context: IExecuteFunctions,
	chosen: Chosen,
	lanes: Lanes,
	task: Task,
): Promise<Result> {
	const { row, about } = chosen;
	const { session, reads, changes } = lanes.of(task.account);
	const ofAccount = methodOf(row, task.input) === 'GET' ? reads : changes;
	const places = row.isOneByOne?.(task.input) ? lanes.oneByOne : ofAccount;
	const endTurn = await places.take();
	const hints = { ...row.hints, ...row.hintsFor?.(task.input) };
	const api = session.api({ ...about, hints }, task.items[0]);
	const remember = lanes.remembered.of(task.account);
	try {
		return await resultOf(context, chosen, lanes, task, { api, remember, endTurn });
	} catch (error) {
		api.stop();
		remember.forget();
		const known = nodeErrorOf(error, context.getNode(), task.items[0], about);
		if (context.continueOnFail()) return failed(context, known, task.items);
		lanes.stop();
		throw known;
	} finally {
		endTurn();
	}
}

async function resultOf(
	context: IExecuteFunctions,
	{ row, now }: Chosen,
	lanes: Lanes,
	task: Task,
	{ api, remember, endTurn }: Pick<RunContext, 'api' | 'remember' | 'endTurn'>,
): Promise<Result> {
	const notices: string[] = [];
	const records = await perform(row, task.input, task.wanted, {
		api,
		share: lanes.of(task.account).share,
		shareInRun: lanes.shareInRun,
		remember,
		now,
		tell: (message) => void notices.push(message),
		endTurn,
	});
	const notice = row.notice?.(task.input, records);
	if (notice !== undefined) notices.push(notice);
	return { item: task.items[0], output: await outputOf(context, row, task, records), notices };
}
