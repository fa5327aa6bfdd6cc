import type { IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';

import type { About } from '../api/errors';
import { MAX_WINDOW } from '../api/pace';
import { DEFAULT_REQUEST_SETTINGS, type RequestSettings } from '../api/session';
import { requestOptions } from '../table/fields';
import { problems, readParameters } from '../table/parameters';
import { collection, integer, number } from '../table/schema';
import { refusal, withoutValue } from './failures';

const schema = z.object({
	[requestOptions.name]: collection({
		concurrency: integer(1, MAX_WINDOW),
		writes: integer(1, MAX_WINDOW),
		timeout: number(1, 3600),
		maxWait: number(0, 24 * 3600),
	}),
});

/** What the user set in Request Options. */
export type RequestOptions = RequestSettings & {
	/** How many items may change something in parallel. */
	writes: number;
};

/**
 * The Request Options of the first item.
 * @throws NodeOperationError if they cannot be used
 */
export function readRequestOptions(context: IExecuteFunctions, about: About): RequestOptions {
	const given = context.getNode().parameters;
	const { values, empty } = readParameters(context, given, [requestOptions], 0);
	if (empty.length > 0) throw refusal(context, about, withoutValue(empty));
	const parsed = schema.safeParse(values);
	if (!parsed.success) {
		const wrong = problems(parsed.error.issues, [requestOptions], values);
		throw refusal(context, about, wrong.join('; '));
	}
	const { concurrency, writes = 1, timeout, maxWait } = parsed.data[requestOptions.name]!;
	const defaults = DEFAULT_REQUEST_SETTINGS;
	return {
		concurrency,
		writes,
		timeout: timeout === undefined ? defaults.timeout : timeout * 1000,
		maxWait: maxWait === undefined ? defaults.maxWait : maxWait * 1000,
	};
}
