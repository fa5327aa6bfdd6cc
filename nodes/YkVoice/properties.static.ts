import { authentication } from '../api/authentication';
import { resourceMapping } from '../editor/mappers';
import { toProperties } from '../table/operation';
import { listSearch, loadOptions } from '../editor/pickers';
import { resources } from '../resources';

/** What the editor shows of the node. Ships as JSON: see "Load" in CONTRIBUTING.md. */
export const properties = [authentication, ...toProperties(resources)];

/** The methods that the properties name. */
export const methodNames = {
	listSearch: Object.keys(listSearch),
	loadOptions: Object.keys(loadOptions),
	resourceMapping: Object.keys(resourceMapping),
};
