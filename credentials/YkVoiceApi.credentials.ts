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

/** One `yk_` bearer key. Its test is in nodes/editor. Reference: "Authentication" 1 to 4. */
export class YkVoiceApi implements ICredentialType {
	name = 'ykVoiceApi';

	displayName = 'YK Voice API';

	documentationUrl =
		'https://github.com/n8n-nodes-yk-voice/n8n-nodes-yk-voice/blob/main/docs/credentials.md';

	icon: Icon = { light: 'file:../icons/yk-voice.svg', dark: 'file:../icons/yk-voice.dark.svg' };

	properties: INodeProperties[] = [
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			placeholder: 'e.g. yk_…',
			description:
				'Your key, which begins with yk_. It belongs to one organization. To read data it needs the permission READ or READ_WRITE, to change data READ_WRITE, to place test calls WRITE and MAKE_OUTBOUND_CALLS.',
		},
		baseUrlProperty,
		namesProperty,
	];

	/** @throws Error if the key or the Base URL cannot be used, or the request leads elsewhere */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return await Promise.resolve(authorized(credentials, request));
	}
}
