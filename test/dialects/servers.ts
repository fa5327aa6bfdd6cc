import { DIALECTS } from '../emulator/dialects.ts';
import { startEmulator, type Emulator, type Readings } from '../emulator/index.ts';
import { TRAITS } from '../emulator/readings.ts';
import { pairwise } from './pairwise.ts';

export interface Server {
	name: string;
	readings: Partial<Readings>;
}

/** The dialects; or, with DIALECTS=pairs, servers among which every two readings of two traits meet. */
export const SERVERS: readonly Server[] =
	process.env.DIALECTS === 'pairs'
		? pairwise(TRAITS).map((readings, index) => ({
				name: `pairs ${index + 1}`,
				// A 501 is the emulator's own, for tests in which no path may be wrong.
				readings: { ...readings, noRoute: '404' },
			}))
		: Object.entries(DIALECTS).map(([name, { readings }]) => ({ name, readings }));

export const startServer = async ({ readings }: Server): Promise<Emulator> =>
	await startEmulator({ data: 'small', readings });
