import { resourceMapping } from '../editor/mappers';
import { listSearch, loadOptions } from '../editor/pickers';

/** The methods that n8n's editor calls, of both nodes: loaded with the first call of one. */
export const methods = { listSearch, loadOptions, resourceMapping };
