import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Broken, history, play } from './trigger-model.ts';
import type { History, Subject } from './trigger-model.ts';

const HISTORIES = 3000;
/** The sources, below `nodes/trigger`, in the order in which they need each other. */
const SOURCES = {
	cursor: 'reading/cursor',
	sweep: 'reading/sweep',
	memory: 'memory',
	turns: 'overlap',
} as const;

type Edit = readonly [file: keyof typeof SOURCES, from: string, to: string];

/** Each takes one thought out of the sources; the model must notice. */
const MUTANTS: Record<string, readonly Edit[]> = {
	'no look-back': [['cursor', 'return l - lookBack - limits.margin', 'return l']],
	"a look-back from the lap's end, not its beginning": [
		['cursor', 'live.f, lastChance(lap, rules)', 'live.f, lastChance({ ...lap, l: h }, rules)'],
	],
	'no re-read of the live state': [
		['sweep', 'commit(live, reading.lap', 'commit(state, reading.lap'],
	],
	"n8n's clock as the watermark": [['cursor', 'newest(dates, now, limits) ?? live.h', 'now']],
	'a date in the future as the watermark': [['cursor', 'at <= now + limits.ahead && ', '']],
	'no floor': [['cursor', 'at >= state.f && !(key', '!(key']],
	'a strict floor': [['cursor', 'at >= state.f && !(key', 'at > state.f && !(key']],
	'a full state loses its floor': [
		['cursor', 'return { ...state, f, ids', 'return { ...state, ids'],
	],
	'a full state lifts its floor over unread records': [
		['cursor', 'Math.min(dates[excess - 1]! + 1, ceiling)', 'dates[excess - 1]! + 1'],
	],
	'no bound': [['cursor', 'excess <= 0', 'true']],
	'no pruning': [
		[
			'cursor',
			'Object.entries(state.ids).filter(([, at]) => at >= state.f)',
			'Object.entries(state.ids)',
		],
	],
	'no mirror': [['memory', 'this.global[this.key] = saved as unknown as IDataObject;', '']],
	'no own': [['memory', 'this.own.saved = saved as unknown as IDataObject;', '']],
	'the mirror first': [['memory', 'return places\n', 'return [...places].reverse()\n']],
	'what an earlier life left comes back': [
		['memory', '.filter((saved) => saved?.life === life)', ''],
	],
	'a rename begins no new life': [['memory', ' && places[0]?.life === life', '']],
	'a new beginning begins no new life': [['memory', '!isAnew && ', '']],
	'polls that hand over are not counted': [['memory', 'handed + (withItems ? 1 : 0)', 'handed']],
	"an old copy's age told by its mirror": [
		['memory', 'places.find((saved) => saved?.life === life)?.handed ?? 0', 'this.read().handed'],
	],
	'an old copy hands over': [['turns', 'return isOldCopy || ', 'return ']],
	'a poll that was overtaken hands over': [['turns', ' || this.underWay.get(key) !== turn;', ';']],
	'each poll overtakes the one under way': [
		['turns', '< budget) return undefined', '< 0) return undefined'],
	],
	'a poll that hangs is waited for': [
		['turns', '< budget) return undefined', '< Infinity) return undefined'],
	],
	'what was not saved is waited for': [['turns', ' && at - last.at < 2 * budget', '']],
	'what was not saved is not waited for': [['turns', '2 * budget', '0']],
	'an activation waits for the poll under way': [['turns', 'isFirst || (isAnew', '(isAnew']],
	'a new beginning waits for a poll of what was watched before': [
		['turns', 'isFirst || (isAnew && other?.scope !== scope)', 'isFirst'],
	],
	'what was watched before makes a copy old': [
		['turns', 'last?.scope === scope', 'last !== undefined'],
	],
	'an overtaken poll ends the one that overtook it': [
		['turns', 'if (this.underWay.get(key) === turn) this', 'this'],
	],
	'an activation waits for what was handed over': [
		['turns', 'if (isFirst) this.handedOver.delete(key);', ''],
	],
	'no scope': [['cursor', ' || raw.scope !== scope', '']],
	'a limit that drops': [
		['cursor', 'finished = false;\n\t\t\t// Nobody', '// Nobody'],
		['cursor', "reached = is === 'stuck' ? undefined : passed;", ''],
	],
	unsorted: [['cursor', '.sort(byAge)', '']],
	'the live state mutated': [
		['cursor', '{ ...(ids as Record<string, number>) }', '(ids as Record<string, number>)'],
		['cursor', 'const ids = { ...live.ids }', 'const ids = live.ids'],
	],
	'created_after without an overlap': [
		['cursor', '(Math.floor(at / 1000) - 1) * 1000', 'Math.floor(at / 1000) * 1000'],
	],
	'a first activation that remembers nothing': [
		['cursor', 'Object.fromEntries(records.map(({ key, at }) => [key, at]))', '{}'],
	],
	'a first activation that trusts what it could not read': [
		['cursor', 'unread ? Math.max(full, oldest + 1) : full', 'full'],
	],
	'an empty account that trusts the clock': [['cursor', '?? now - limits.drift', '?? now']],
	'a failed page as the end of the list': [
		['sweep', 'if (lap.reached === undefined) throw error;', 'lap.finished = true;'],
	],
	'offsets trusted while the list shifts': [
		['sweep', '!begins && !(anchor && joins(records, anchor, toward))', 'false'],
	],
	'pages joined by equal dates': [
		['sweep', 'precedes(first, anchor, toward)', '!precedes(anchor, first, toward)'],
	],
	'a newest-first list taken as it comes': [
		['sweep', 'const along = runs === toward', 'const along = true'],
	],
	'a resumed lap that never starts over': [
		['sweep', 'state.r !== undefined && lap.finished', 'false'],
	],
	'a lap that resumes in the future': [['cursor', 'Math.min(reached, now)', 'reached']],
	'every poll from the start': [['cursor', 'const open = resume && ', 'const open = false && ']],
};

/** Where only some histories can tell, only those are played. */
const PINS: Record<string, Partial<History['setup']>> = {
	'a resumed lap that never starts over': { engine: 'scheduler', totals: true, limit: 1 },
	'a lap that resumes in the future': {
		engine: 'legacy',
		ids: 3,
		limit: 1,
		skew: 0,
		futures: true,
		filtered: false,
		initial: [],
	},
};

let folder: string;
let sources: Record<string, string>;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'mutants-'));
	const textOf = async (path: string) =>
		await readFile(new URL(`../../nodes/${path}.ts`, import.meta.url), 'utf8');
	const read = async ([name, path]: [string, string]) => [name, await textOf(`trigger/${path}`)];
	sources = Object.fromEntries(await Promise.all(Object.entries(SOURCES).map(read)));
	await writeFile(join(folder, 'json.mjs'), stripTypeScriptTypes(await textOf('json')));
});
afterAll(() => rm(folder, { recursive: true }));

async function subject(label: string, edits: readonly Edit[]): Promise<Subject> {
	const mutated = { ...sources };
	for (const [file, from, to] of edits) {
		expect(mutated[file]!.split(from), `${label}: the text to replace, once`).toHaveLength(2);
		mutated[file] = mutated[file]!.replace(from, () => to);
	}
	const modules: object[] = [];
	for (const name of Object.keys(SOURCES)) {
		const file = join(folder, `${label.replace(/\W+/g, '-')}.${name}.mjs`);
		const linked = mutated[name]!.replaceAll(
			"'./cursor'",
			`'./${label.replace(/\W+/g, '-')}.cursor.mjs'`,
		).replaceAll(/'[./]+\/json'/g, "'./json.mjs'");
		await writeFile(file, stripTypeScriptTypes(linked));
		modules.push((await import(/* @vite-ignore */ pathToFileURL(file).href)) as object);
	}
	return Object.assign({}, ...modules) as Subject;
}

async function firstFailure(mutant: Subject, numRuns: number, pins?: Partial<History['setup']>) {
	const property = fc.asyncProperty(history, async ({ setup, steps }) => {
		await play({ setup: { ...setup, ...pins }, steps }, mutant);
	});
	const found = await fc.check(property, { seed: 1, numRuns, endOnFailure: true });
	return { error: found.errorInstance, after: found.numRuns };
}

test('the sources as they are pass', async () => {
	expect((await firstFailure(await subject('unchanged', []), 300)).error).toBeNull();
});

test.each(Object.entries(MUTANTS))('%s is noticed', { timeout: 120_000 }, async (label, edits) => {
	const { error, after } = await firstFailure(await subject(label, edits), HISTORIES, PINS[label]);
	expect(error, `${HISTORIES} histories passed`).toBeInstanceOf(Broken);
	process.stdout.write(`${label}: history ${after}, ${(error as Error).message}\n`);
});
