// Everything that runs. n8n loads it with the first execution, poll or list in the editor.
import { testCredential } from './editor/credentialTest';
import { resourceMapping } from './editor/mappers';
import { listSearch, loadOptions } from './editor/pickers';

export { run } from './action/run';
export { resources } from './resources';
export { poll } from './trigger/poll';

/** The methods of both nodes that n8n's editor calls. */
export const methods = {
	credentialTest: { testCredential },
	listSearch,
	loadOptions,
	resourceMapping,
};
