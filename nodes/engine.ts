import { resourceMapping } from './YkVoice/core/mappers';
import { listSearch, loadOptions } from './YkVoice/core/pickers';

// All that runs, for both nodes: one file, so that they know of each other's rate limit.
export { run } from './YkVoice/core/run';
export { resources } from './YkVoice/resources';
export { poll } from './YkVoiceTrigger/poll';

/** The methods that n8n's editor calls. */
export const methods = { listSearch, loadOptions, resourceMapping };
