import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { connect, type Api, type Authentication } from '../api/session';
import { accessOf } from '../domain/access';

/**
 * Reads for the editor, from the account of the node that the user edits.
 *
 * @param path a path that is read: some need another scope
 * @param advice what to do if the credential has an expression that needs an item. The editor has no items
 */
export async function editorApi(
	context: ILoadOptionsFunctions,
	path: string,
	advice: string,
): Promise<Api> {
	const authentication = context.getNodeParameter('authentication', 'apiKey') as Authentication;
	const session = await connect(context, authentication, advice);
	return session.api(accessOf(`GET ${path}`));
}
