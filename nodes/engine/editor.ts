import { testApiKey } from '../editor/credentialTest';
import { resourceMapping } from '../editor/mappers';
import { listSearch, loadOptions } from '../editor/pickers';

/** The methods of both nodes that n8n's editor calls, loaded with the first call. */
export const methods = { credentialTest: { testApiKey }, listSearch, loadOptions, resourceMapping };
