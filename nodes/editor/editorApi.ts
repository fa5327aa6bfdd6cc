import { NodeOperationError, type ILoadOptionsFunctions } from 'n8n-workflow';

import { accountOf, allAccountsOf } from '../api/account';
import { DEFAULT_REQUEST_SETTINGS, Session, type Api, type Authentication } from '../api/session';
import { accessOf } from '../domain/access';
import type { JsonObject } from '../json';
import { isExpression, textOfLocator } from '../table/place';

/**
 * What the node has in Account, or the trigger in Account Names or IDs.
 * @throws NodeOperationError if it is not one name: the editor has no items for an expression
 */
function accountIn(context: ILoadOptionsFunctions, advice: string): string {
	const { account, accounts } = (context.getCurrentNodeParameters() ?? {}) as JsonObject;
	const isTrigger = context.getNode().type.endsWith('Trigger');
	const label = isTrigger ? 'Account Names or IDs' : 'Account';
	const [name = '', ...others] = isTrigger ? [accounts ?? []].flat() : [textOfLocator(account)];
	const text = String(name).trim();
	if (text !== '' && others.length === 0 && !isExpression(text)) return text;
	throw new NodeOperationError(
		context.getNode(),
		`To see this list, choose one account under '${label}'. With an expression there, it stays empty. ${advice}`,
	);
}

export const accountNames = async (context: ILoadOptionsFunctions): Promise<string[]> => [
	...(await allAccountsOf(context, 'Enter the name by hand.')).keys(),
];

/**
 * The API of the account that the edited node names.
 *
 * @param path a path that is read: some need another scope
 * @param advice what to do if the account depends on an item. The editor has no items
 */
export async function editorApi(
	context: ILoadOptionsFunctions,
	path: string,
	advice: string,
): Promise<Api> {
	const authentication = context.getNodeParameter('authentication', 'apiKey') as Authentication;
	const account = authentication === 'accounts' ? accountIn(context, advice) : undefined;
	const used = await accountOf(context, authentication, { advice, account });
	const session = new Session(context, used, { ...DEFAULT_REQUEST_SETTINGS, isFirst: true });
	return session.api(accessOf(`GET ${path}`));
}
