import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
	Icon,
} from 'n8n-workflow';

import { authorized } from '../nodes/api/authorized';
import { baseUrlProperty } from '../nodes/api/baseUrl';
import { namesProperty } from '../nodes/api/readNames';

/** A `yk_` bearer key for each of several accounts. A node chooses the account by its name. */
export class YkVoiceAccountsApi implements ICredentialType {
	name = 'ykVoiceAccountsApi';

	displayName = 'YK Voice Accounts API';

	documentationUrl =
		'https://github.com/n8n-nodes-yk-voice/n8n-nodes-yk-voice/blob/main/docs/credentials.md';

	icon: Icon = { light: 'file:../icons/yk-voice.svg', dark: 'file:../icons/yk-voice.dark.svg' };

	properties: INodeProperties[] = [
		{
			displayName: 'Accounts',
			name: 'accounts',
			type: 'json',
			// n8n hides each key, and restores it by its name when the credential is saved.
			typeOptions: { redactJsonLeaves: true },
			// n8n refuses text that is no JSON only in a required field without an expression. If it saved such
			// text, all hidden keys would be lost.
			required: true,
			noDataExpression: true,
			default: '',
			description:
				'A name and a key for each account. Nodes choose an account by its name. To change a name, enter its key again.',
			hint: 'e.g. { "North & Sons": "yk_…", "South Pizza": "yk_…" }',
		},
		baseUrlProperty,
		namesProperty,
	];

	/**
	 * Our nodes hand over the key of one account as `apiKey`. Other nodes cannot choose an account.
	 * @throws Error if another node sends, the key or the Base URL cannot be used, or the request leads elsewhere
	 */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		if (credentials.apiKey === undefined) {
			throw new Error(
				"Only the YK Voice nodes can choose an account of this credential. For another node, use a credential 'YK Voice API', which has one key.",
			);
		}
		return await Promise.resolve(authorized(credentials, request));
	}
}
