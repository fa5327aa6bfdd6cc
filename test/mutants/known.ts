/** A mistake that the tests have to notice: edits of the sources, each of a text that stands there once. */
export interface KnownMutant {
	name: string;
	file: string;
	edits: ReadonlyArray<readonly [from: string, to: string]>;
	/** The test that has to fail, and which of it. */
	test: string;
	only?: string;
}

const MODEL = 'test/unit/trigger.model.test.ts';
const KINDS = 'test/unit/trigger-kinds.test.ts';

/**
 * What was wrong once, here or in n8n's own triggers, or is easily got wrong: `npm run test:mutants --
 * --known`. A line that changes in the sources has to be changed here as well.
 */
export const KNOWN: readonly KnownMutant[] = [
	{
		name: 'no look-back',
		file: 'nodes/trigger/kinds/progress.ts',
		edits: [['newest - lookBack - LIMITS.margin', 'newest - 1000']],
		test: MODEL,
		only: 'newOrder',
	},
	{
		name: 'no margin below the look-back',
		file: 'nodes/trigger/kinds/progress.ts',
		edits: [['newest - lookBack - LIMITS.margin', 'newest - lookBack']],
		test: KINDS,
	},
	{
		name: 'a beginning without dates trusts the clock of n8n',
		file: 'nodes/trigger/kinds/list.ts',
		edits: [['(hasClock ? 0 : LIMITS.drift)', '0']],
		test: KINDS,
	},
	{
		name: 'the clock of n8n',
		file: 'nodes/trigger/kinds/list.ts',
		edits: [['this.began ??= answer.at ?? sentAt;', '']],
		test: MODEL,
		only: 'callReady',
	},
	{
		name: 'no floor',
		file: 'nodes/trigger/kinds/progress.ts',
		edits: [['(at >= floor || Object.hasOwn(waiting, id))', 'at > -Infinity']],
		test: KINDS,
	},
	{
		name: 'records that wait below the floor are ignored',
		file: 'nodes/trigger/kinds/list.ts',
		edits: [['await this.judge(below, progress, 1);', '']],
		test: MODEL,
		only: 'callReady',
	},
	{
		name: 'the floor passes what waits',
		file: 'nodes/trigger/kinds/progress.ts',
		edits: [['if (at < floor) waiting[id] = date;', 'if (at < -1) waiting[id] = date;']],
		test: MODEL,
		only: 'callReady',
	},
	{
		name: 'the floor passes what the limit delays',
		file: 'nodes/trigger/kinds/progress.ts',
		edits: [['else unjudged = Math.min(unjudged, one.at);', '']],
		test: MODEL,
		only: 'newOrder',
	},
	{
		name: 'what the limit delays is done',
		file: 'nodes/trigger/kinds/progress.ts',
		edits: [
			[`(typeof verdict === 'object' && emit.length < limit)`, `typeof verdict === 'object'`],
			[
				`if (typeof verdict === 'object') emit.push`,
				`if (typeof verdict === 'object' && emit.length < limit) emit.push`,
			],
		],
		test: MODEL,
		only: 'newOrder',
	},
	{
		name: 'done records are forgotten above the floor',
		file: 'nodes/trigger/kinds/progress.ts',
		edits: [
			[
				'if (second * SECOND < floor) done.delete',
				'if (second * SECOND < floor + 600_000) done.delete',
			],
		],
		test: MODEL,
		only: 'newOrder',
	},
	{
		name: 'emitted as it was read',
		file: 'nodes/trigger/kinds/progress.ts',
		edits: [['fresh.toSorted(byAge)', 'fresh.toReversed()']],
		test: MODEL,
		only: 'newOrder',
	},
	{
		name: 'what was there before starts the workflow',
		file: 'nodes/trigger/kinds/list.ts',
		edits: [['settle(progress, fresh, verdicts,', 'settle(progress, [], verdicts,']],
		test: MODEL,
		only: 'newOrder',
	},
	{
		name: 'parts of a record that fail are given up at once',
		file: 'nodes/trigger/kinds/list.ts',
		edits: [['>= this.watching.lookBack', '>= 0']],
		test: MODEL,
		only: 'callReady',
	},
	{
		name: 'a damaged list state is used',
		file: 'nodes/trigger/kinds/progress.ts',
		edits: [
			[
				`if (typeof packed !== 'string' || !PACKED.test(packed)) return undefined;`,
				`if (typeof packed !== 'string') return undefined;`,
			],
		],
		test: KINDS,
	},
	{
		name: 'a damaged state of a whole list is used',
		file: 'nodes/trigger/kinds/memory.ts',
		edits: [['if (!isTimes(gone) || !isTimes(left)) return undefined;', '']],
		test: KINDS,
	},
	{
		name: 'no copy of the state',
		file: 'nodes/trigger/storage.ts',
		edits: [['if (isBatch) shared[copyKey(node)] = copy as never;', '']],
		test: MODEL,
		only: 'newOrder',
	},
	{
		name: 'the copy is ahead of the items',
		file: 'nodes/trigger/storage.ts',
		edits: [
			[
				'const copy = before === undefined ? saved : { ...before, batch: batch - 1, name, next: id };',
				'const copy = saved;',
			],
		],
		test: MODEL,
		only: 'newOrder',
	},
	{
		name: 'a beginning is no batch',
		file: 'nodes/trigger/storage.ts',
		edits: [
			[
				'const isBatch = hasItems || before === undefined;',
				'const isBatch = hasItems || stored === undefined;',
			],
			['const copy = before === undefined', 'const copy = stored === undefined'],
		],
		test: KINDS,
	},
	{
		name: 'the process remembers nothing',
		file: 'nodes/trigger/storage.ts',
		edits: [['Object.assign(memory, { saved, base: hasItems ? saved.id : stored?.id });', '']],
		test: MODEL,
		only: 'newOrder',
	},
	{
		name: 'what n8n refused counts as handed over',
		file: 'nodes/trigger/storage.ts',
		edits: [
			[
				'const isBehind = stored.batch < saved.batch && Date.now() - handedAt < MINUTE;',
				`if (stored.batch < saved.batch) return saved;
		const isBehind = false;`,
			],
		],
		test: MODEL,
		only: 'newOrder',
	},
	{
		name: 'polls that overlap do not give way',
		file: 'nodes/trigger/storage.ts',
		edits: [
			['if (isBusy && !isActivation) return false;', ''],
			['return this.memory.turn !== this.turn;', 'return false;'],
		],
		test: MODEL,
		only: 'newOrder',
	},
	{
		name: 'moves that the limit delays are dropped',
		file: 'nodes/trigger/kinds/states.ts',
		edits: [['const delayed = queues ? all.slice(limit) : [];', 'const delayed: Delayed[] = [];']],
		test: MODEL,
		only: 'orderStatusChanged',
	},
	{
		name: 'an answer that is out of date counts',
		file: 'nodes/trigger/kinds/memory.ts',
		edits: [['!isRecent(BOUNDS.stale, left[key + state], now)', 'true']],
		test: KINDS,
	},
	{
		name: 'a change of the API counts as one of the records',
		file: 'nodes/trigger/kinds/states.ts',
		edits: [['const isReshaped = isOfShape &&', 'const isReshaped = !isOfShape &&']],
		test: KINDS,
	},
	{
		name: 'an answer that omits a record makes it new',
		file: 'nodes/trigger/kinds/memory.ts',
		edits: [['[key, before.gone[key] ?? now] as const', '[key, 0] as const']],
		test: MODEL,
		only: 'newContact',
	},
	{
		name: 'an alert goes off with each poll',
		file: 'nodes/trigger/kinds/threshold.ts',
		edits: [['(!state.fired || isNewPeriod(', '(state.fired !== undefined || isNewPeriod(']],
		test: MODEL,
		only: 'lowBalance',
	},
	{
		name: 'a period that is not recognised counts as a new one',
		file: 'nodes/domain/usage.ts',
		edits: [["if (before === '' || after === '') return false;", "if (after === '') return true;"]],
		test: MODEL,
		only: 'lowMinutes',
	},
	{
		name: 'a UUID is demanded of every id',
		file: 'nodes/table/schema.ts',
		edits: [['return isAddress(name) ? lastUuidIn(name) : name;', 'return uuidIn(name);']],
		test: 'test/unit/schema.test.ts',
	},
	{
		name: 'a short page ends a list',
		file: 'nodes/api/pages/page.ts',
		edits: [['total === offset + length &&', '']],
		test: 'test/unit/pages.test.ts',
	},
	{
		name: '204 is a failure',
		file: 'nodes/api/answer.ts',
		edits: [['if (isEmpty(body) && mayBeEmpty) return undefined;', '']],
		test: 'test/unit/answer.test.ts',
	},
	{
		name: 'every redirect is refused',
		file: 'nodes/api/answer.ts',
		edits: [['if (!isRepeatable.includes(status)) return undefined;', 'return undefined;']],
		test: 'test/unit/answer.test.ts',
	},
];
