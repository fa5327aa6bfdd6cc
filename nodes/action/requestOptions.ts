import type { IExecuteFunctions } from 'n8n-workflow';

import type { About } from '../api/errors';
import type { RequestSettings } from '../api/session';
import { requestOptions } from '../table/common';
import { form } from '../table/form';
import { readForm, valuesOf } from '../table/reader';
import { refusal } from './failures';

/** What the user set in Request Options. */
export type RequestOptions = RequestSettings & {
	/** How many items may change something in parallel. */
	writes: number;
};

const options = form({ requestOptions });

/**
 * The Request Options of the first item.
 * @throws NodeOperationError if they cannot be used
 */
export function readRequestOptions(context: IExecuteFunctions, about: About): RequestOptions {
	const given = context.getNode().parameters;
	const values = valuesOf(options.names, given, (name) => context.getNodeParameter(name, 0, null));
	const { input, problems } = readForm(options, values, given, {});
	if (problems !== '') throw refusal(context, about, problems);
	const { timeout, maxWait, ...others } = input.requestOptions;
	return { ...others, timeout: timeout * 1000, maxWait: maxWait * 1000 };
}
