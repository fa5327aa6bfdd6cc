import { form } from '../table/form';
import { account, authentication } from '../table/handling';
import { resourceMapping } from '../editor/mappers';
import { subtitleOf, toProperties } from '../table/properties';
import { listSearch, loadOptions } from '../editor/pickers';
import { resources } from '../resources';

/** The node's parameters. They ship as JSON: see docs/development/decisions.md. */
export const properties = [
	...form({ authentication, account }).properties,
	...toProperties(resources),
];

/** Shown below the node's name on the canvas, such as "Get Many: Call". */
export const subtitle = subtitleOf(properties, 'operation', 'resource');

/** Names of the methods that the parameters use. */
export const methodNames = {
	listSearch: Object.keys(listSearch),
	loadOptions: Object.keys(loadOptions),
	resourceMapping: Object.keys(resourceMapping),
};
