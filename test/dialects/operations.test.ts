import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it, onTestFinished } from 'vitest';

import { showsRecord } from '../emulator/api.ts';
import type { Readings } from '../emulator/index.ts';
import { accountForEachTest, emulator, fail, named, run, succeed } from '../support/account.ts';
import { operations } from '../support/description.ts';
import type { NodeResult } from '../support/harness.ts';
import { locator, samplesFor } from '../support/samples.ts';
import { sleepOn } from '../support/sleep.ts';
import { SERVERS } from './servers.ts';
import { asWritten, errorWithoutNames, inStoreWords, namesFor } from './user.ts';

/** Operations whose sample looks at the record that comes back. Some servers answer a change without it. */
const ANSWERED = /^(agentTool.update|(catalogue|contact|item).create|(contact|item).upsert)$/;

/** What a server with these readings cannot do, and what the error must name. */
function reasonAgainst(operation: string, { callAgent, readOnly, refusal }: Readings) {
	const needsAgent = /^(call.(getStatistics|count)|report.create)$/.test(operation);
	if (needsAgent && callAgent === 'absent') return /agent/i;
	// A PUT is refused because of a field that was only read, and no `details` of the envelope name it.
	const isPut = /^((contact|item).(update|upsert)|catalogue.update)$/.test(operation);
	const isRefused = readOnly === 'refused, revision' && refusal === 'html';
	return isPut && isRefused ? /Keep Other Fields/ : undefined;
}

const textOf = ({ error }: NodeResult) => error && `${error.message} | ${error.description}`;

describe.each(SERVERS)('$name', ({ readings }) => {
	accountForEachTest({ readings });

	it.each(operations)('%s works, or says which name it needs', async (name) => {
		const sample = samplesFor(emulator)[name]!;
		const runWith = async (parameters: INodeParameters, names = namesFor(emulator)) =>
			await run(name, asWritten(name, parameters, emulator), sample.items, named(names));
		const error = errorWithoutNames(name, emulator);
		if (error) expect(textOf(await runWith(sample.parameters, {}))).toContain(error);
		const reason = reasonAgainst(name, emulator.readings);

		const result = await runWith(sample.parameters);
		if (reason && result.error) {
			expect(textOf(result)).toMatch(reason);
			return;
		}
		expect(textOf(result)).toBeUndefined();
		if (ANSWERED.test(name) && !showsRecord(emulator.readings)) expect(result.json).toHaveLength(1);
		else sample.check(inStoreWords(name, result.json, emulator), emulator);

		for (const further of sample.also ?? []) {
			const more = await runWith(further);
			const text = textOf(more);
			if (reason && text) expect(text).toMatch(reason);
			else expect(text).toBeUndefined();
			if (!text) expect(more.json.length).toBeGreaterThan(0);
		}
		if (!error) expect(emulator.unknown).toEqual([]);
	});

	it('a rate limit is waited out', async () => {
		onTestFinished(sleepOn({ advance: () => {} }));
		emulator.faults.add({ kind: 'limited', seconds: 1 });
		const { json } = await succeed('contactList.getAll');
		expect(json).toHaveLength(emulator.store.contactLists.size);
	});

	it('a refusal says its status and the API’s words', async () => {
		const order_id = locator(emulator.store.addOrder({ status: 'completed' }).id);
		const error = await fail('order.update', { order_id, updateFields: { status: 'confirmed' } });
		expect(error.httpCode).toBe('400');
		const said = `${error.message} ${error.description}`;
		expect(said).toContain('an order that is completed cannot become confirmed');
	});
});
