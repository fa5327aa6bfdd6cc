import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { startEmulator } from '../emulator/index.ts';
import { operations } from '../support/runSample.ts';
import { samplesFor } from '../support/samples.ts';
import { EVENTS } from '../support/stage.ts';
import { ID } from './server.ts';

export interface Target {
	operation: string;
	parameters: INodeParameters;
	items?: IDataObject[];
}

// The emulator only names records here. All of them become the one record of the hostile server.
const emulator = await startEmulator({ data: 'small' });
const samples = samplesFor(emulator);
await emulator.close();

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Every operation with good parameters. The first of each operation is its usual form. */
export const TARGETS: Target[] = operations.flatMap((operation) => {
	const { parameters, also = [], items } = samples[operation]!;
	return [parameters, ...also].map((one) => {
		const text = JSON.stringify({ operation, parameters: one, items }).replace(UUID, ID);
		return JSON.parse(text) as Target;
	});
});

/** One target for each operation. */
export const USUAL = TARGETS.filter(
	({ operation }, at) => TARGETS[at - 1]?.operation !== operation,
);

/** Every event of the trigger, with good parameters. */
export const TRIGGERS: INodeParameters[] = Object.entries(EVENTS).map(
	([event, { parameters }]) => ({ event, ...parameters }),
);
