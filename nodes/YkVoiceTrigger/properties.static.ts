import { form } from '../table/form';
import { accounts, authentication } from '../table/handling';
import { listSearch, loadOptions } from '../editor/pickers';
import { subtitleOf } from '../table/properties';
import { toProperties } from '../trigger/properties';

/** The trigger's parameters. They ship as JSON: see docs/development/decisions.md. */
export const properties = [...form({ authentication, accounts }).properties, ...toProperties()];

/** Shown below the node's name on the canvas, such as "New Call". */
export const subtitle = subtitleOf(properties, 'event');

/** Names of the methods that the parameters use. */
export const methodNames = {
	listSearch: Object.keys(listSearch),
	loadOptions: Object.keys(loadOptions),
};
