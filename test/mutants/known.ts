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

/**
 * What was wrong once, here or in n8n's own triggers, or is easily got wrong: `npm run test:mutants --
 * --known`. A line that changes in the sources has to be changed here as well.
 */
export const KNOWN: readonly KnownMutant[] = [
	{
		name: 'no look-back',
		file: 'nodes/trigger/reading/window.ts',
		edits: [['?? -Infinity) - lookBack - limits.margin', '?? -Infinity) - 1000']],
		test: MODEL,
		only: 'newOrder',
	},
	{
		name: 'the clock of n8n',
		file: 'nodes/trigger/kinds/list.ts',
		edits: [['this.began ?? Date.now()', 'Date.now()']],
		test: MODEL,
		only: 'callReady',
	},
	{
		name: 'no floor',
		file: 'nodes/trigger/reading/window.ts',
		edits: [["(at >= floor || Object.hasOwn(open, idOf(record) ?? ''))", 'at > -Infinity']],
		test: MODEL,
		only: 'newTransaction',
	},
	{
		name: 'those that wait below the floor are ignored',
		file: 'nodes/trigger/kinds/list.ts',
		edits: [['if (failure === undefined) await this.readOpen(state, judging);', '']],
		test: MODEL,
		only: 'callReady',
	},
	{
		name: 'the floor passes what was not read',
		file: 'nodes/trigger/reading/window.ts',
		edits: [['let ceiling = found.until;', 'let ceiling = Infinity;']],
		test: 'test/unit/window.test.ts',
	},
	{
		name: 'the floor passes what the limit holds back',
		file: 'nodes/trigger/reading/window.ts',
		edits: [['else if (one.at >= live.floor) ceiling = Math.min(ceiling, one.at);', '']],
		test: MODEL,
		only: 'newOrder',
	},
	{
		name: 'what the limit holds back is done with',
		file: 'nodes/trigger/reading/window.ts',
		edits: [
			["(typeof verdict === 'object' && emit.length < limit)", "typeof verdict === 'object'"],
			[
				"if (typeof verdict === 'object') emit.push",
				"if (typeof verdict === 'object' && emit.length < limit) emit.push",
			],
		],
		test: MODEL,
		only: 'newOrder',
	},
	{
		name: 'what is done with is forgotten above the floor',
		file: 'nodes/trigger/reading/window.ts',
		edits: [['filter(([, at]) => at >= 0)', 'filter(([, at]) => at >= 600)']],
		test: MODEL,
		only: 'newOrder',
	},
	{
		name: 'emitted as it was read',
		file: 'nodes/trigger/reading/window.ts',
		edits: [['found.fresh.toSorted(byAge)', 'found.fresh.toReversed()']],
		test: MODEL,
		only: 'newOrder',
	},
	{
		name: 'what was there before fires',
		file: 'nodes/trigger/kinds/list.ts',
		edits: [['baseline(scope, floor, events)', 'baseline(scope, floor, [])']],
		test: MODEL,
		only: 'newOrder',
	},
	{
		name: 'the end of a list is not proven',
		file: 'nodes/trigger/reading/pages.ts',
		edits: [
			['if (offset === 0 && (length === 0 || length >= size)) throw new DisorderError();', ''],
			['let count = total + 1;', 'let count = total;'],
		],
		test: 'test/unit/oldestFirst.test.ts',
	},
	{
		name: 'no mirror of the state',
		file: 'nodes/trigger/memory.ts',
		edits: [
			[
				'this.global[this.key] = { ...saved, ...(unsaved && { unsaved }) } as unknown as IDataObject;',
				'',
			],
		],
		test: MODEL,
		only: 'newOrder',
	},
	{
		name: 'the process remembers nothing',
		file: 'nodes/trigger/memory.ts',
		edits: [['follows ? [later!, ...stored] : stored', 'stored']],
		test: MODEL,
		only: 'newOrder',
	},
	{
		name: 'what n8n refused counts as handed over',
		file: 'nodes/trigger/memory.ts',
		edits: [['(later.handed > stored.handed && !isApart)', 'later.handed > stored.handed']],
		test: MODEL,
		only: 'newOrder',
	},
	{
		name: 'polls that overlap do not give way',
		file: 'nodes/trigger/overlap.ts',
		edits: [
			['if (!overtakes && now - (other?.began ?? -Infinity) < budget) return undefined;', ''],
			['return isOldCopy || this.underWay.get(key) !== turn;', 'return false;'],
		],
		test: MODEL,
		only: 'newOrder',
	},
	{
		name: 'the state of version 0.1 is not taken over',
		file: 'nodes/trigger/reading/state.ts',
		edits: [['raw.v !== 1 || !isTime(raw.f)', 'raw.v !== 0 || !isTime(raw.f)']],
		test: MODEL,
		only: 'newTransaction',
	},
	{
		name: 'moves that the limit holds back are dropped',
		file: 'nodes/trigger/kinds/statuses.ts',
		edits: [['moves.filter((move) => !emitted.has(move))', '[]']],
		test: MODEL,
		only: 'orderStatusChanged',
	},
	{
		name: 'moves between two polls are passed over',
		file: 'nodes/trigger/kinds/statuses.ts',
		edits: [['?? ways[0] ?? [status]', '?? [status]']],
		test: MODEL,
		only: 'orderStatusChanged',
	},
	{
		name: 'an alert goes off with each poll',
		file: 'nodes/trigger/kinds/threshold.ts',
		edits: [['const isWaiting = live.fired &&', 'const isWaiting = false &&']],
		test: MODEL,
		only: 'lowBalance',
	},
	{
		name: 'a rise between two polls raises no other alert',
		file: 'nodes/trigger/kinds/threshold.ts',
		edits: [['saved.fired && (await this.hasRisen(saved))', 'false']],
		test: MODEL,
		only: 'lowBalance',
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
