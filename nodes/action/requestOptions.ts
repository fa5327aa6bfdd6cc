import type { IExecuteFunctions } from 'n8n-workflow';

import type { Authentication } from '../api/account';
import type { About } from '../api/errors';
import type { RequestSettings } from '../api/requestSettings';
import { outputOptions, requestOptions } from '../table/common';
import { form, type InputOf } from '../table/form';
import { authentication } from '../table/handling';
import { readForm, valuesOf } from '../table/reader';
import { isTool } from './asTool';
import { refusal } from './failures';

/** What the user set in Request Options. */
export type RequestOptions = RequestSettings & {
	/** How many items may change something in parallel. */
	writes: number;
};

const shared = form({ authentication, ...outputOptions, requestOptions });

/** What the user set in Output Options. */
export type OutputOptions = NonNullable<InputOf<typeof shared>['outputOptions']>;

/**
 * The parameters that hold for all items: they are read for the first.
 * @throws NodeOperationError if they cannot be used
 */
export function readSharedParameters(
	context: IExecuteFunctions,
	about: About,
): { authentication: Authentication; options: RequestOptions; output: OutputOptions } {
	const given = context.getNode().parameters;
	const values = valuesOf(shared.names, given, (name) => context.getNodeParameter(name, 0, null));
	const { input, problems } = readForm(shared, values, given, {
		isTool: isTool(context.getNode()),
	});
	if (problems !== '') throw refusal(context, about, problems);
	const { timeout, maxWait, ...others } = input.requestOptions;
	return {
		authentication: input.authentication,
		output: input.outputOptions ?? {},
		options: { ...others, timeout: timeout * 1000, maxWait: maxWait * 1000 },
	};
}
