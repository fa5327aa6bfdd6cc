import { DIALECTS } from '../emulator/dialects.ts';
import type { Readings } from '../emulator/index.ts';
import { TRAITS } from '../emulator/readings.ts';
import { pairwise } from './pairwise.ts';

export interface Server {
	name: string;
	readings: Partial<Readings>;
}

/** The dialects; with DIALECTS=pairs, servers that combine every two readings of two traits. */
export const SERVERS: readonly Server[] =
	process.env.DIALECTS === 'pairs'
		? pairwise(TRAITS).map((readings, index) => ({
				name: `pairs ${index + 1}`,
				// No real server answers 501: the emulator does so for tests that must use no wrong path.
				readings: { ...readings, noRoute: '404' },
			}))
		: Object.entries(DIALECTS).map(([name, { readings }]) => ({ name, readings }));
