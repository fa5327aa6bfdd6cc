import type { IExecuteFunctions } from 'n8n-workflow';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';

import { noteRun } from '../../nodes/waiting/onlyOnce.ts';

/** A time of its own: whoever waits shortest goes on first. */
class Time {
	readonly #waiting: Array<{ until: number; wake: () => void }> = [];

	#now = 0;

	readonly pause = async (ms: number) =>
		await new Promise<void>((wake) => this.#waiting.push({ until: this.#now + ms, wake }));

	async run<T>(work: Promise<T>): Promise<T> {
		let isOver = false;
		void work.finally(() => (isOver = true)).catch(() => {});
		while (!isOver) {
			await setImmediate();
			this.#waiting.sort((a, b) => a.until - b.until);
			const next = this.#waiting.shift();
			if (next === undefined) continue;
			this.#now = next.until;
			next.wake();
		}
		return await work;
	}
}

type Answers = Array<'new' | 'processed' | Error>;

/** An execution, whose database is asked by `ask`. */
const executing = (ask: (note: string) => Promise<string>, executionId = '1', workflow = 'w') =>
	({
		getNode: () => ({ id: 'node' }),
		getWorkflow: () => ({ id: workflow }),
		getExecutionId: () => executionId,
		getWorkflowDataProxy: () => ({ $runIndex: 0 }),
		helpers: {
			checkProcessedAndRecord: async ([note]: [string]) => {
				const isNew = (await ask(note)) === 'new';
				return { new: isNew ? [note] : [], processed: isNew ? [] : [note] };
			},
		},
	}) as unknown as IExecuteFunctions;

/** What becomes of a run whose database answers so, and how often it was asked. */
async function after(answers: Answers, workflow?: string) {
	let asked = 0;
	const answer = async () => {
		const given = answers[Math.min(asked++, answers.length - 1)]!;
		return given instanceof Error ? await Promise.reject(given) : given;
	};
	const noted = noteRun(executing(answer, '1', workflow), async () => {});
	const outcome = await noted.then(
		() => 'runs',
		({ message }: Error) => message,
	);
	return [outcome, asked];
}

const UNIQUE = new Error('SQLITE_CONSTRAINT: UNIQUE constraint failed: processed_data.context');
const RAN_BEFORE = expect.stringContaining('n8n runs this execution again') as string;
const NOT_NOTED = expect.stringContaining('none was placed') as string;

describe('a run that must not be repeated', () => {
	it.each<[what: string, answers: Answers, outcome: string, asked: number]>([
		['is noted when n8n knows its note later', ['new', 'processed'], 'runs', 2],
		['is noted again if the note vanished', ['new', 'new', UNIQUE, 'processed'], 'runs', 4],
		['is noted after another first run', [UNIQUE, 'new', 'processed'], 'runs', 3],
		['does not begin a second time', ['processed'], RAN_BEFORE, 1],
		['does not begin if its first note failed, but is there', [UNIQUE, 'processed'], RAN_BEFORE, 2],
		['does not begin without a note', [new Error('database is locked')], NOT_NOTED, 20],
		['does not begin if its note never stays', ['new'], NOT_NOTED, 20],
	])('%s', async (_what, answers, ...outcome) => {
		expect(await after(answers)).toEqual(outcome);
	});

	it.each([
		'SQLITE_CONSTRAINT: FOREIGN KEY constraint failed',
		'insert or update on table "processed_data" violates foreign key constraint "FK_06a69a"',
	])('begins without a note if its workflow was never saved: %s', async (message) => {
		expect(await after([new Error(message)])).toEqual(['runs', 1]);
		expect(await after([], '')).toEqual(['runs', 0]);
	});

	// Asked once each, 147 of 600 notes vanish here.
	it('keeps its note, also if two others of the node begin at the same moment', async () => {
		for (let round = 0; round < 200; round++) {
			const time = new Time();
			let row: string[] | undefined;
			/** n8n reads the row, and then overwrites it. */
			const ask = async (note: string) => {
				await time.pause(Math.random() * 5);
				const read = row;
				await time.pause(Math.random() * 5);
				if (read === undefined && row !== undefined) throw UNIQUE;
				const isNew = read?.includes(note) !== true;
				row = isNew ? [...(read ?? []), note] : read;
				return isNew ? 'new' : 'processed';
			};
			const ids = ['1', '2', '3'];
			const runs = ids.map(async (id) => await noteRun(executing(ask, id), time.pause));
			await time.run(Promise.all(runs));
			expect(row?.toSorted()).toEqual(ids.map((id) => `node ${id} 0`));
		}
	});
});
