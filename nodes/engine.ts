import { resourceMapping } from './editor/mappers';
import { listSearch, loadOptions } from './editor/pickers';

// All that runs, for both nodes: one file, loaded with the first run.
export { run } from './action/run';
export { resources } from './resources';
export { poll } from './trigger/poll';

/** The methods that n8n's editor calls. */
export const methods = { listSearch, loadOptions, resourceMapping };
