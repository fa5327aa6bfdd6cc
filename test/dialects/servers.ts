import { DIALECTS } from '../emulator/dialects.ts';

/** The dialects, each with its name. */
export const SERVERS = Object.entries(DIALECTS).map(([name, { readings }]) => ({ name, readings }));
