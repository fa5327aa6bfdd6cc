import { resourceMapping } from './YkVoice/core/mappers';
import { listSearch, loadOptions } from './YkVoice/core/pickers';

// All that runs, for both nodes: one file, loaded with the first run.
export { run } from './YkVoice/core/run';
export { resources } from './YkVoice/resources';
export { poll } from './YkVoiceTrigger/poll';

/** The methods that n8n's editor calls. */
export const methods = { listSearch, loadOptions, resourceMapping };
