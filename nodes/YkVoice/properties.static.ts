import { authentication } from '../table/authentication';
import { resourceMapping } from '../editor/mappers';
import { toProperties } from '../table/operation';
import { subtitleOf } from '../table/subtitle';
import { listSearch, loadOptions } from '../editor/pickers';
import { resources } from '../resources';

/** What the editor shows of the node. Ships as JSON: see "Load" in CONTRIBUTING.md. */
export const properties = [authentication, ...toProperties(resources)];

/** What the canvas shows below the node's name, such as "Get Many: Call". */
export const subtitle = subtitleOf(properties, 'operation', 'resource');

/** The methods that the properties name. */
export const methodNames = {
	listSearch: Object.keys(listSearch),
	loadOptions: Object.keys(loadOptions),
	resourceMapping: Object.keys(resourceMapping),
};
