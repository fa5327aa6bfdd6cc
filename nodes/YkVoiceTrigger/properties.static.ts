import { authentication } from '../table/authentication';
import { listSearch } from '../editor/pickers';
import { subtitleOf } from '../table/subtitle';
import { properties as ofEvents } from '../trigger/properties';

/** What the editor shows of the trigger. Ships as JSON: see "Load" in CONTRIBUTING.md. */
export const properties = [authentication, ...ofEvents];

/** What the canvas shows below the node's name, such as "New Call". */
export const subtitle = subtitleOf(properties, 'event');

/** The methods that the properties name. */
export const methodNames = { listSearch: Object.keys(listSearch) };
