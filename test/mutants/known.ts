/** A mistake that a test has to notice. */
export interface KnownMistake {
	/** What is wrong then. */
	name: string;
	/** Where it is made, and by which edits. Each text stands there once. */
	file: string;
	edits: ReadonlyArray<readonly [from: string, to: string]>;
	/** The file in test/unit that has to fail, and in the model of the trigger for which event. */
	test: string;
}

/**
 * Mistakes that were made once, here or in n8n's own triggers, or that are easily made. If the code that
 * they edit changes, they have to change as well.
 */
export const KNOWN: readonly KnownMistake[] = [
	{
		name: 'Look Back is ignored',
		file: 'nodes/watching/progress.ts',
		edits: [['newest - lookBack - LIMITS.margin', 'newest - 1000']],
		test: 'trigger.model newOrder',
	},
	{
		name: 'no margin below Look Back',
		file: 'nodes/watching/progress.ts',
		edits: [['newest - lookBack - LIMITS.margin', 'newest - lookBack']],
		test: 'watching',
	},
	{
		name: 'the first activation trusts n8n’s clock, though the answers have no date',
		file: 'nodes/watching/listWatcher.ts',
		edits: [['(this.#hasClock ? 0 : LIMITS.drift)', '0']],
		test: 'watching',
	},
	{
		name: 'n8n’s clock counts instead of the API’s',
		file: 'nodes/watching/listWatcher.ts',
		edits: [['this.#began ??= Math.min(at, sentAt);', '']],
		test: 'trigger.model callReady',
	},
	{
		name: 'records older than the floor are new',
		file: 'nodes/watching/progress.ts',
		edits: [['(created >= floor || Object.hasOwn(waiting, id))', 'created > -Infinity']],
		test: 'watching',
	},
	{
		name: 'records that wait below the floor are ignored',
		file: 'nodes/watching/listWatcher.ts',
		edits: [['await this.#judgeAll(below, progress, 1);', '']],
		test: 'trigger.model callReady',
	},
	{
		name: 'the floor passes what waits',
		file: 'nodes/watching/progress.ts',
		edits: [['if (created < floor) waiting.set(id, created);', '']],
		test: 'trigger.model callReady',
	},
	{
		name: 'the floor passes what the limit delays',
		file: 'nodes/watching/progress.ts',
		edits: [['else delayed = Math.min(delayed, one.created);', '']],
		test: 'trigger.model newOrder',
	},
	{
		name: 'what the limit delays is done',
		file: 'nodes/watching/progress.ts',
		edits: [
			[`(typeof verdict === 'object' && items.length < limit)`, `typeof verdict === 'object'`],
			[
				`if (typeof verdict === 'object') items.push`,
				`if (typeof verdict === 'object' && items.length < limit) items.push`,
			],
		],
		test: 'trigger.model newOrder',
	},
	{
		name: 'done records are forgotten above the floor',
		file: 'nodes/watching/progress.ts',
		edits: [
			[
				'if (second * SECOND < floor) done.delete',
				'if (second * SECOND < floor + 600_000) done.delete',
			],
		],
		test: 'trigger.model newOrder',
	},
	{
		name: 'items come in the order of the list',
		file: 'nodes/watching/progress.ts',
		edits: [['found.toSorted(byAge)', 'found.toReversed()']],
		test: 'trigger.model newOrder',
	},
	{
		name: 'what was there before starts the workflow',
		file: 'nodes/watching/listWatcher.ts',
		edits: [['advance(progress, fresh, verdicts,', 'advance(progress, [], verdicts,']],
		test: 'trigger.model newOrder',
	},
	{
		name: 'parts of a record that fail are given up at once',
		file: 'nodes/watching/listWatcher.ts',
		edits: [['const waitFor = this.#watching.lookBack;', 'const waitFor = 0;']],
		test: 'trigger.model callReady',
	},
	{
		name: 'a damaged list state is used',
		file: 'nodes/watching/progress.ts',
		edits: [['!isTimes(done) || ', '']],
		test: 'watching',
	},
	{
		name: 'a damaged state of a whole list is used',
		file: 'nodes/watching/memory.ts',
		edits: [['if (!isTimes(gone) || !isTimes(failing) || !isObject(left)) return undefined;', '']],
		test: 'watching',
	},
	{
		name: 'no copy of the state',
		file: 'nodes/trigger/storage.ts',
		edits: [['this.#workflowData[copyKey(this.#node)] = copy as never;', '']],
		test: 'trigger.model newOrder',
	},
	{
		name: 'the copy is ahead of the items',
		file: 'nodes/trigger/storage.ts',
		edits: [
			[
				'this.#copy({ ...before, batch: saved.batch - 1, name, next: saved.id });',
				'this.#copy(saved);',
			],
		],
		test: 'trigger.model newOrder',
	},
	{
		name: 'a beginning is no batch',
		file: 'nodes/trigger/storage.ts',
		edits: [
			[
				'const saved = this.#nextBatch(found);\n\t\tthis.#write(saved, this.#stored()',
				`const { stored } = this.#stored();
		const saved = stored ? { ...stored, ...found } : this.#nextBatch(found);
		this.#write(saved, this.#stored()`,
			],
		],
		test: 'watching',
	},
	{
		name: 'the process remembers nothing',
		file: 'nodes/trigger/storage.ts',
		edits: [['Object.assign(this.#memory, { saved, follows });', '']],
		test: 'trigger.model newOrder',
	},
	{
		name: 'items that n8n could not save count as handed over',
		file: 'nodes/trigger/storage.ts',
		edits: [
			[
				'const isOlder = stored.batch < saved.batch && Date.now() - handedAt < MINUTE;',
				`if (stored.batch < saved.batch) return saved;
		const isOlder = false;`,
			],
		],
		test: 'trigger.model newOrder',
	},
	{
		name: 'polls that overlap do not give way',
		file: 'nodes/trigger/onePollAtATime.ts',
		edits: [
			['if (isBusy && !isActivation) return undefined;', ''],
			['turns.get(node) === turn', 'turn !== undefined'],
		],
		test: 'trigger.model newOrder',
	},
	{
		name: 'moves that the limit delays are dropped',
		file: 'nodes/watching/statesWatcher.ts',
		edits: [
			['const places = this.#watched.queues === true ? BOUNDS.delayed : 0;', 'const places = 0;'],
		],
		test: 'trigger.model orderStatusChanged',
	},
	{
		name: 'an answer that is out of date counts',
		file: 'nodes/watching/memory.ts',
		edits: [['before === state && isRecent(BOUNDS.stale, at, now)', 'false']],
		test: 'watching',
	},
	{
		name: 'a field that is new does not count',
		file: 'nodes/watching/statesWatcher.ts',
		edits: [
			[
				'const fields = this.#differsOnlyBy(',
				'if (this.#differsOnlyBy(newFields, one)) return;\n\t\t\tconst fields = this.#differsOnlyBy(',
			],
		],
		test: 'watching',
	},
	{
		name: 'a broken record blocks the others of a whole list',
		file: 'nodes/watching/statesWatcher.ts',
		edits: [
			['const isGivenUp =', 'if (error !== undefined) throw error;\n\t\t\t\tconst isGivenUp ='],
		],
		test: 'trigger.model orderStatusChanged',
	},
	{
		name: 'a call in progress at the activation counts as done',
		file: 'nodes/watching/listWatcher.ts',
		edits: [[`this.#list.isOpen?.(one.record) ? 'waiting' : 'unwanted'`, `'unwanted'`]],
		test: 'trigger.model newCall',
	},
	{
		name: 'changes that wait are stored without end',
		file: 'nodes/watching/statesWatcher.ts',
		edits: [['? BOUNDS.delayed : 0;', '? Infinity : 0;']],
		test: 'watching',
	},
	{
		name: 'an answer that omits a record makes it new',
		file: 'nodes/watching/memory.ts',
		edits: [['[key, before.gone[key] ?? now] as const', '[key, 0] as const']],
		test: 'trigger.model newContact',
	},
	{
		name: 'an alert goes off with each poll',
		file: 'nodes/watching/thresholdWatcher.ts',
		edits: [['(!state.fired || isNewPeriod(', '(state.fired !== undefined || isNewPeriod(']],
		test: 'trigger.model lowBalance',
	},
	{
		name: 'a period that is not recognised counts as a new one',
		file: 'nodes/domain/usage.ts',
		edits: [["before !== '' && after !== '' &&", "after === '' ||"]],
		test: 'trigger.model lowMinutes',
	},
	{
		name: 'a UUID is demanded of every id',
		file: 'nodes/table/schema.ts',
		edits: [['return isAddress(name) ? lastUuidIn(name) : name;', 'return uuidIn(name);']],
		test: 'schema',
	},
	{
		name: 'a short page ends a list',
		file: 'nodes/api/pages.ts',
		edits: [['total !== offset + length || ', '']],
		test: 'pages',
	},
	{
		name: 'a wrong total ends a list with a full page',
		file: 'nodes/api/pages.ts',
		edits: [[' || length >= Math.min(full, limit ?? Infinity)', '']],
		test: 'pages',
	},
	{
		name: 'a page that leaves a gap is taken',
		file: 'nodes/api/chain.ts',
		edits: [
			[
				'return offset === this.#start || keys.some((key) => this.#known.has(key));',
				'return true;',
			],
		],
		test: 'pages',
	},
	{
		name: 'records with the same date that change places between two pages are lost',
		file: 'nodes/api/chain.ts',
		edits: [['return repeated > shared + Math.max(0, total - this.#most);', 'return false;']],
		test: 'pages',
	},
	{
		name: 'a list whose order changes counts as whole',
		file: 'nodes/api/chain.ts',
		edits: [['if (this.#isReordered && !isAll) throw new Error(REORDERED);', '']],
		test: 'pages',
	},
	{
		name: 'pages of records without IDs are put together',
		file: 'nodes/api/chain.ts',
		edits: [['if (!this.#areIds && offset > this.#start && records.length > 1)', 'if (false)']],
		test: 'pages',
	},
	{
		name: 'a list has no end',
		file: 'nodes/api/chain.ts',
		edits: [['if (this.#known.size > MOST_RECORDS) throw new Error(NO_END);', '']],
		test: 'pages',
	},
	{
		name: 'a page with one record ends a list of such pages',
		file: 'nodes/api/pages.ts',
		edits: [
			[
				'return length === 0 || (length === 1 && (await read(offset + 1)).records.length === 0);',
				'return length <= 1;',
			],
		],
		test: 'pages',
	},
	{
		name: 'a reader that stops goes on sending',
		file: 'nodes/api/pages.ts',
		edits: [['stopping.abort();', '']],
		test: 'pages',
	},
	{
		name: 'a page that fails before its turn is an unhandled rejection',
		file: 'nodes/api/pages.ts',
		edits: [['page.catch(() => {});', '']],
		test: 'pages',
	},
	{
		name: 'a total that only fits at the end is a count, though the offset is ignored',
		file: 'nodes/api/lists.ts',
		edits: [
			['return isLast && !isFirstAgain ? total : undefined;', 'return isLast ? total : undefined;'],
		],
		test: 'lists',
	},
	{
		name: 'any total is a count',
		file: 'nodes/api/lists.ts',
		edits: [['last.records.length === 1 && last.total === total', 'true']],
		test: 'lists',
	},
	{
		name: '204 is a failure',
		file: 'nodes/api/answer.ts',
		edits: [[`if (isEmpty(body) && (mayBeEmpty || form === 'json')) return undefined;`, '']],
		test: 'answer',
	},
	{
		name: 'every redirect is refused',
		file: 'nodes/api/answer.ts',
		edits: [['if (!isRepeatable.includes(status)) return undefined;', 'return undefined;']],
		test: 'answer',
	},
	{
		name: 'a test call takes the call of another one to the same number',
		file: 'nodes/waiting/findCall.ts',
		edits: [
			['more.length === 0 && !others.some((other) => fits(only, other))', 'more.length === 0'],
		],
		test: 'findCall',
	},
	{
		name: 'a test call takes a call that was listed before it was placed',
		file: 'nodes/waiting/findCall.ts',
		edits: [["!isEarlier && !before.has(textIn(id) ?? '')", '!isEarlier']],
		test: 'findCall',
	},
	{
		name: 'a call that names another task is taken for its number',
		file: 'nodes/waiting/findCall.ts',
		edits: [['if (task !== undefined && shown(call, fields.task).length > 0)', 'if (false)']],
		test: 'findCall',
	},
	{
		name: 'each call that joins makes the rounds frequent again',
		file: 'nodes/waiting/rounds.ts',
		edits: [['if (this.#waiters.size === 0) {', 'if (true) {']],
		test: 'rounds',
	},
	{
		name: 'the sum of the transactions decides the sign of spending',
		file: 'nodes/statistics/walletStatistics.ts',
		edits: [['return negative > positive ?', "return total.sum('consumed')!.units < 0n ?"]],
		test: 'statistics',
	},
	{
		name: 'a sum that nobody knows is 0',
		file: 'nodes/statistics/tally.ts',
		edits: [['return known === 0 && unknown > 0 ? undefined : amount;', 'return amount;']],
		test: 'statistics',
	},
	{
		name: 'a blank currency is a currency of its own',
		file: 'nodes/statistics/currencies.ts',
		edits: [['textIn(code)?.toUpperCase()', 'code.trim().toUpperCase()']],
		test: 'statistics',
	},
	{
		name: 'amounts that may be of two currencies are added up',
		file: 'nodes/statistics/tabulation.ts',
		edits: [['currency === null && this.doubt !== undefined', 'currency === undefined']],
		test: 'statistics',
	},
	{
		name: 'the number of a line is that of the API',
		file: 'nodes/domain/order.ts',
		edits: [["own === 'line_number' ? 'line_own_number' : own", 'own']],
		test: 'order',
	},
	{
		name: 'the time of a turn can be a link',
		file: 'nodes/domain/transcript.ts',
		edits: [['`(${escaped(time)})`', '`(${time})`']],
		test: 'transcript',
	},
	{
		name: 'a text with line breaks poses as another turn',
		file: 'nodes/domain/transcript.ts',
		edits: [['text: onOneLine(text), ...', 'text, ...']],
		test: 'transcript',
	},
	{
		name: 'a parameter is shown for operations that do not have it',
		file: 'nodes/table/properties.ts',
		edits: [['!Object.hasOwn(resources[resource]!.operations, operation)', 'true']],
		test: 'operation',
	},
	{
		name: 'a row that runs by itself sends its whole input',
		file: 'nodes/action/perform.ts',
		edits: [['(row.run ? {} : rest)', 'rest']],
		test: 'operation',
	},
	{
		name: 'an error of TLS counts as a request that was not sent',
		file: 'nodes/api/noAnswer.ts',
		edits: [['|EAI_AGAIN|ERR_TLS_CERT_ALTNAME_INVALID)$|', '|EAI_AGAIN|EPROTO)$|^ERR_(TLS|SSL)|']],
		test: 'noAnswer',
	},
	{
		name: 'a month that goes on is compared with less and less of a shorter one',
		file: 'nodes/filters/period.ts',
		edits: [['samePoint: isCut ? ', 'samePoint: !isCut ? ']],
		test: 'period',
	},
	{
		name: 'what was said in another turn counts as said in a row',
		file: 'nodes/checks/checkCall.ts',
		edits: [['at > 0 && speakers[at] === speakers[at - 1]', 'at > 0']],
		test: 'checks',
	},
];
