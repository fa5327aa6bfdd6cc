import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { operations } from '../support/description.ts';
import type { Emulator, Readings } from '../emulator/index.ts';
import { successOf } from '../emulator/envelope.ts';
import { accountForEachTest, emulator, named, run } from '../support/account.ts';
import type { NodeResult } from '../support/harness.ts';
import { samplesFor } from '../support/samples.ts';
import { SERVERS } from './servers.ts';
import { asWritten, errorWithoutNames, inStoreWords, namesFor } from './user.ts';

/** Operations whose sample looks at the record that comes back. Some servers answer a change without it. */
const ANSWERED = /^(agentTool.update|(catalogue|contact|item).create|(contact|item).upsert)$/;

const answersWithRecord = (name: string, { readings }: Emulator) => {
	const outcome = /create|contact.upsert/.test(name) ? 'created' : 'changed';
	return successOf({ outcome }, readings).body === 'record';
};

/** A PUT is refused because of fields that were only read, and no `details` of the envelope name them. */
const refusesInWords = ({ readOnly, refusal }: Readings) =>
	readOnly === 'refused' && refusal !== 'envelope';

/** Operations that a server with these readings cannot do, and what the error must name. */
const IMPOSSIBLE: ReadonlyArray<
	readonly [operation: string, isSo: (readings: Readings) => boolean, reason: RegExp]
> = [
	['call.getStatistics', ({ callAgent }) => callAgent === 'absent', /agent/i],
	['call.count', ({ callAgent }) => callAgent === 'absent', /agent/i],
	// Tools have no IDs, and an agent has more of them than this server puts in a page.
	['agentTool.getAll', ({ pageCap }) => pageCap === 'every list', /cannot be read to its end/],
	['report.create', ({ callAgent }) => callAgent === 'absent', /agent/i],
	...['catalogue.update', 'contact.update', 'contact.upsert', 'item.update', 'item.upsert'].map(
		(name) => [name, refusesInWords, /Keep Other Fields/] as const,
	),
];

const textOf = ({ error }: NodeResult) => error && `${error.message} | ${error.description}`;

describe.each(SERVERS)('$name', ({ readings }) => {
	accountForEachTest({ readings });

	it.each(operations)('%s works, or says which name it needs', async (name) => {
		const sample = samplesFor(emulator)[name]!;
		const runWith = async (parameters: INodeParameters, names = namesFor(emulator)) =>
			await run(name, asWritten(name, parameters, emulator), sample.items, named(names));
		const error = errorWithoutNames(name, emulator);
		if (error) {
			const without = await runWith(sample.parameters, {});
			expect(textOf(without)).toContain(error);
		}
		const [, isSo, reason] = IMPOSSIBLE.find(([operation]) => operation === name) ?? [];
		const isImpossible = isSo?.(emulator.readings) ?? false;

		const result = await runWith(sample.parameters);
		if (isImpossible && result.error) {
			expect(textOf(result)).toMatch(reason!);
			return;
		}
		expect(textOf(result)).toBeUndefined();
		if (ANSWERED.test(name) && !answersWithRecord(name, emulator))
			expect(result.json).toHaveLength(1);
		else sample.check(inStoreWords(name, result.json, emulator), emulator);

		for (const further of sample.also ?? []) {
			const more = await runWith(further);
			const text = textOf(more);
			if (isImpossible && text) expect(text).toMatch(reason!);
			else expect(text).toBeUndefined();
			if (!text) expect(more.json.length).toBeGreaterThan(0);
		}
		if (!error) expect(emulator.unknown).toEqual([]);
	});
});
