import { authentication } from './core/authentication';
import { resourceMapping } from './core/mappers';
import { toProperties } from './core/operation';
import { listSearch, loadOptions } from './core/pickers';
import { resources } from './resources';

/** What the editor shows of the node. Ships as JSON: see "Load" in CONTRIBUTING.md. */
export const properties = [authentication, ...toProperties(resources)];

/** The methods that the properties name. */
export const methodNames = {
	listSearch: Object.keys(listSearch),
	loadOptions: Object.keys(loadOptions),
	resourceMapping: Object.keys(resourceMapping),
};
