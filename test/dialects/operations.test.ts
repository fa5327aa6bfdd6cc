import assert from 'node:assert/strict';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { operations } from '../support/description.ts';
import type { Emulator, Readings } from '../emulator/index.ts';
import { successOf, type Outcome } from '../emulator/envelope.ts';
import { accountForEachTest, credentials, emulator, run } from '../support/account.ts';
import type { NodeResult } from '../support/harness.ts';
import { samplesFor, type Sample } from '../support/samples.ts';
import { SERVERS } from './servers.ts';
import { asWritten, errorWithoutNames, inStoreWords, namesFor } from './user.ts';

/** How to check the account after a change that the server answers without a record. */
const UNANSWERED: Record<string, [Outcome, (emulator: Emulator) => boolean]> = {
	'agentTool.update': [
		'changed',
		({ store }) =>
			[...store.tools.values()].some(
				(tools) => tools['transfer-to-phone']?.phone_number === '+390612345678',
			),
	],
	'catalogue.create': [
		'created',
		({ store }) => store.catalogues.all().some(({ name }) => name === 'Autumn menu'),
	],
	'contact.create': [
		'created',
		({ store }) => store.contacts.all().some((one) => one.phone_number === '+393470001111'),
	],
	'contact.upsert': [
		'created',
		({ store }) =>
			store.contacts
				.all()
				.some((one) => one.phone_number === '+393470002222' && one.first_name === 'Grace'),
	],
	'item.create': [
		'created',
		({ store }) =>
			store.items.all().some(({ name, price }) => name === 'Tiramisù' && price === 6.5),
	],
	'item.upsert': ['changed', ({ store }) => store.items.all()[0]?.price === 8.5],
};

type Check = (output: IDataObject[], emulator: Emulator) => void;

/** The check in place of the sample's, if the output depends on the readings. */
const OTHERWISE: Readonly<Record<string, Check>> = {
	'order.getStatistics': ([totals], { store, readings }) => {
		const orders = store.orders.all();
		assert.equal(totals?.orders, orders.length);
		// The reference does not say that an order names its currency.
		assert.equal(totals?.currency, readings.names === 'ours' ? 'EUR' : undefined);
		assert.equal(totals?.refused, orders.filter(({ status }) => status === 'refused').length);
	},
};

function check(name: string, sample: Sample, output: IDataObject[], emulator: Emulator): void {
	const { readings } = emulator;
	const [outcome, holds] = UNANSWERED[name] ?? [];
	if (outcome && holds && successOf({ outcome }, readings).body !== 'record') {
		assert.equal(output.length, 1);
		assert.ok(holds(emulator));
		return;
	}
	const said = inStoreWords(name, output, emulator);
	(OTHERWISE[name] ?? sample.check)(said, emulator);
}

/** A PUT is refused because of fields that were only read, and no `details` of the envelope name them. */
const refusesInWords = ({ readOnly, refusal }: Readings) =>
	readOnly === 'refused' && refusal !== 'envelope';

/** Operations that a server with these readings cannot do, and what the error must name. */
const IMPOSSIBLE: ReadonlyArray<
	readonly [operation: string, isSo: (readings: Readings) => boolean, named: RegExp]
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

	it.each(operations)('%s', async (name) => {
		const sample = samplesFor(emulator)[name]!;
		const runWith = async (parameters: INodeParameters, names = namesFor(emulator)) =>
			await run(name, asWritten(name, parameters, emulator), sample.items, {
				credentials: credentials(undefined, undefined, names),
			});
		const error = errorWithoutNames(name, emulator);
		if (error) {
			const without = await runWith(sample.parameters, {});
			expect(textOf(without)).toContain(error);
		}
		const [, isSo, named] = IMPOSSIBLE.find(([operation]) => operation === name) ?? [];
		const isImpossible = isSo?.(emulator.readings) ?? false;

		const result = await runWith(sample.parameters);
		if (isImpossible && result.error) {
			expect(textOf(result)).toMatch(named!);
			return;
		}
		expect(textOf(result)).toBeUndefined();
		check(name, sample, result.json, emulator);

		for (const further of sample.also ?? []) {
			const more = await runWith(further);
			const text = textOf(more);
			if (isImpossible && text) expect(text).toMatch(named!);
			else expect(text).toBeUndefined();
			if (!text) expect(more.json.length).toBeGreaterThan(0);
		}
		if (!error) expect(emulator.unknown).toEqual([]);
	});
});
