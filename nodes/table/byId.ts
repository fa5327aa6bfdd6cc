import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { form, type Parameter } from './form';
import type { Operation } from './operation';

/** Makes rows whose only parameter is the record they are about: Get, Delete and the like. */
export const rowsFor =
	(picker: INodeProperties, schema: z.ZodType<unknown, z.ZodTypeDef, unknown>) =>
	(row: Omit<Operation, 'fields' | 'input'>): Operation => ({
		...row,
		fields: [picker],
		input: () => z.object({ [picker.name]: schema }),
	});

/** Makes rows whose only parameter is the record they are about: Get, Delete and the like. */
export const rowsAbout =
	<T>(record: Readonly<Record<string, Parameter<T>>>) =>
	(row: Omit<Operation, 'fields'>): Operation => ({ ...row, fields: () => form(record) });
