import { authentication } from '../api/authentication';
import { listSearch } from '../editor/pickers';
import { properties as ofEvents } from '../trigger/properties';

/** What the editor shows of the trigger. Ships as JSON: see "Load" in CONTRIBUTING.md. */
export const properties = [authentication, ...ofEvents];

/** The methods that the properties name. */
export const methodNames = { listSearch: Object.keys(listSearch) };
