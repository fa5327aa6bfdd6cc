import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
	Icon,
} from 'n8n-workflow';

import { normalizeApiKey } from '../nodes/api/apiKey';
import { normalizeBaseUrl } from '../nodes/api/baseUrl';

/** The `yk_` bearer key. Reference: "Authentication" 1 to 4. */
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
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://api.example.com/v1',
			description: 'The address of the API, ending in /v1 or /external/v1',
		},
	];

	/**
	 * Adds the bearer header. Checks key and Base URL first, because the server's answer to a wrong one
	 * would not explain it.
	 * @throws Error if the key has no yk_ prefix or the Base URL cannot be used
	 */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return {
			...request,
			baseURL: normalizeBaseUrl(credentials.baseUrl),
			headers: {
				...request.headers,
				Authorization: `Bearer ${normalizeApiKey(credentials.apiKey)}`,
			},
		};
	}

	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{ $credentials.baseUrl }}',
			url: '/agents/',
			qs: { limit: 1 },
		},
		rules: [
			{
				type: 'responseCode',
				properties: {
					value: 401,
					message:
						'The API did not accept this key (401). Copy the whole key, starting with yk_, and check that it was not revoked.',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 403,
					message:
						'The key is valid, but it may not read data (403). Give it the permission READ or READ_WRITE. You can save it anyway to use its other permissions.',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 404,
					message:
						"The server has nothing at this address (404). Check the 'Base URL': it must end in /v1 or /external/v1.",
				},
			},
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'ok',
					value: undefined,
					message:
						"A server answers at this address, but it is not the YK Voice API. Check the 'Base URL'.",
				},
			},
			// n8n accepts rules of both kinds in one list, but its type does not.
		] as ICredentialTestRequest['rules'],
	};
}
