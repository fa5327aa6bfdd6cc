import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { accountOf, namedAccountsOf } from '../api/account';
import { DEFAULT_REQUEST_SETTINGS, Session, type Api, type Authentication } from '../api/session';
import { accessOf } from '../domain/access';
import { isObject, type JsonObject } from '../json';
import { isExpression, textOfLocator } from '../table/place';

/** The kind of credential that the user has chosen. */
const authenticationIn = (context: ILoadOptionsFunctions) =>
	context.getNodeParameter('authentication', 'apiKey') as Authentication;

/**
 * What the node has in Account, or the trigger in Accounts; undefined if it has neither.
 * @throws NodeOperationError if it is an expression, as the editor has no items, or several accounts
 */
function accountIn(context: ILoadOptionsFunctions, advice: string): unknown {
	const { account, options } = (context.getCurrentNodeParameters() ?? {}) as JsonObject;
	const refuse = (problem: string) => {
		throw new NodeOperationError(context.getNode(), `${problem} ${advice}`);
	};
	if (isObject(options) && options.accounts !== undefined) {
		const [account, ...others] = [options.accounts].flat();
		if (others.length === 0 && !isExpression(String(account))) return account ?? null;
		return refuse(
			"To choose from a list, choose one account under 'Account Names or IDs', not by an expression.",
		);
	}
	const name = textOfLocator(account);
	if (!isExpression(name)) return name.trim() === '' ? undefined : name;
	return refuse("'Account' is an expression, so the editor cannot know which account to read.");
}

/**
 * The names in the field Accounts of the node's credential.
 * @throws NodeOperationError with what to do if there is none
 */
export async function accountNames(context: ILoadOptionsFunctions): Promise<string[]> {
	const isOAuth = authenticationIn(context) === 'oAuth2';
	const accounts = isOAuth ? undefined : await namedAccountsOf(context, 'Enter the name by hand.');
	if (accounts?.size) return [...accounts.keys()];
	throw new NodeOperationError(
		context.getNode(),
		isOAuth
			? "An OAuth2 credential has one account. Leave 'Account' empty, or choose 'API Key' in 'Authentication'."
			: "The credential has one key. Leave 'Account' empty, or fill in 'Accounts' of the credential.",
	);
}

/**
 * Reads for the editor, from the account of the node that the user edits.
 *
 * @param path a path that is read: some need another scope
 * @param advice what to do if the account depends on an item. The editor has no items
 */
export async function editorApi(
	context: ILoadOptionsFunctions,
	path: string,
	advice: string,
): Promise<Api> {
	const use = { advice, account: accountIn(context, advice) };
	const account = await accountOf(context, authenticationIn(context), use);
	const session = new Session(context, account, DEFAULT_REQUEST_SETTINGS);
	return session.api(accessOf(`GET ${path}`));
}
