import { form, type Parameter } from './form';
import type { Operation } from './operation';

/** Makes rows whose only parameter is the record they are about: Get, Delete and the like. */
export const rowsAbout =
	<T>(record: Readonly<Record<string, Parameter<T>>>) =>
	(row: Omit<Operation, 'fields'>): Operation => ({ ...row, fields: () => form(record) });
