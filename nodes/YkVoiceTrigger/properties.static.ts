import { authentication } from '../YkVoice/core/authentication';
import { listSearch } from '../YkVoice/core/pickers';
import { properties as ofEvents } from './events';

/** What the editor shows of the trigger. Ships as JSON: see "Load" in CONTRIBUTING.md. */
export const properties = [authentication, ...ofEvents];

/** The methods that the properties name. */
export const methodNames = { listSearch: Object.keys(listSearch) };
