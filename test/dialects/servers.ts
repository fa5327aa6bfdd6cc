import fc from 'fast-check';

import { readingsOf, SERVERS as ALL, TRAITS, type Readings } from '../emulator/readings.ts';

/** How many servers are drawn at random, by `npm run test:all` and `WORLDS=100 SEED=2 npx vitest run test/dialects`. */
const WORLDS = Number(process.env.WORLDS ?? 0);

const anyReadings = fc.record(
	Object.fromEntries(
		Object.entries(TRAITS).map(([trait, readings]) => [trait, fc.constantFrom(...readings)]),
	),
) as unknown as fc.Arbitrary<Readings>;

/** The dialects, each with its name, and servers whose readings are drawn at random. */
export const SERVERS = [
	...Object.keys(ALL).map((name) => ({ name, readings: readingsOf(name) })),
	...fc.sample(anyReadings, WORLDS).map((readings, at) => ({ name: `world ${at}`, readings })),
].filter(({ name }) => name !== 'usual');
