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
				'Begins with yk_ and belongs to one organization. Reading needs the permission READ or READ_WRITE, changing READ_WRITE, a test call WRITE with MAKE_OUTBOUND_CALLS.',
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
	 * Adds the bearer header, after the two mistakes that no answer of the server would explain.
	 * @throws Error when the key lacks its prefix or the base URL cannot be used
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
						'The API did not accept this key (401). Copy the whole key, from yk_ on, and check that it was not revoked.',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 403,
					message:
						'The key is genuine, but it may not read (403): it lacks the permission READ or READ_WRITE. Operations that its own permissions allow will work.',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 404,
					message:
						"The server answers, but not at this path (404). Check the 'Base URL': it ends in /v1 or /external/v1.",
				},
			},
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'ok',
					value: undefined,
					message: "The server answers, but it is not the YK Voice API. Check the 'Base URL'.",
				},
			},
			// n8n reads rules of both kinds from one list; only its type keeps them apart.
		] as ICredentialTestRequest['rules'],
	};
}
