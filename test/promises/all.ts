import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { expect } from 'vitest';

import { startEmulator } from '../emulator/index.ts';
import { operations } from '../support/description.ts';
import { samplesFor } from '../support/samples.ts';
import { ID, UUID } from '../support/server.ts';
import { EVENTS } from '../support/stage.ts';

// All operations and events with good parameters, for promises that hold for each of them.

/** An operation with good parameters, as `run` takes it. */
export type Target = [operation: string, parameters: INodeParameters, items: IDataObject[]];

// The emulator only names records here. All of them become the one record of the server.
const emulator = await startEmulator({ data: 'small' });
const samples = samplesFor(emulator);
await emulator.close();

/** All operations, each with the parameters of its sample. No record has another ID than this. */
export const targetsFor = (id = ID): Target[] =>
	operations.map((operation) => {
		const { parameters, items = [{}] } = samples[operation]!;
		const target = [operation, { ...parameters, waitAtMost: 0 }, items];
		return JSON.parse(JSON.stringify(target).replace(UUID, id)) as Target;
	});

export const TARGETS = targetsFor();

export const targetOf = (name: string) => TARGETS.find(([operation]) => operation === name)!;

/** Every event of the trigger, with good parameters. */
export const TRIGGERS = Object.entries(EVENTS).map(
	([event, { parameters }]) => [event, { event, ...parameters }] as const,
);

/** Tries each case, and tells which ones failed, and how. Each case begins with its name. */
export async function tryEach<Case extends readonly [string, ...unknown[]]>(
	cases: readonly Case[],
	work: (tried: Case) => Promise<unknown>,
): Promise<void> {
	const failed: string[] = [];
	for (const tried of cases) {
		await work(tried).catch(({ message }: Error) => failed.push(`${tried[0]}: ${message}`));
	}
	expect(failed).toEqual([]);
}
