import fc from 'fast-check';

import { DIALECTS } from '../emulator/dialects.ts';
import { TRAITS, TRAIT_NAMES, type Readings } from '../emulator/readings.ts';

/** How many servers are drawn at random, by `npm run test:all` and `WORLDS=100 SEED=2 npx vitest run test/dialects`. */
const WORLDS = Number(process.env.WORLDS ?? 0);

const anyReadings = fc.record(
	Object.fromEntries(TRAIT_NAMES.map((trait) => [trait, fc.constantFrom(...TRAITS[trait])])),
) as unknown as fc.Arbitrary<Readings>;

/** The dialects, each with its name, and servers whose readings are drawn at random. */
export const SERVERS: Array<{ name: string; readings: Partial<Readings> }> = [
	...Object.entries(DIALECTS).map(([name, { readings }]) => ({ name, readings })),
	...fc.sample(anyReadings, WORLDS).map((readings, at) => ({ name: `world ${at}`, readings })),
];
