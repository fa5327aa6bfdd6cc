import type { ICredentialType, INodeProperties, Icon } from 'n8n-workflow';

import { baseUrlProperty } from '../nodes/api/baseUrl';
import { namesProperty } from '../nodes/api/readNames';

/**
 * OAuth2 access tokens. The reference does not show the authorization and token addresses, so the
 * user enters them. Reference: "Authentication" 5 and 8.
 */
export class YkVoiceOAuth2Api implements ICredentialType {
	name = 'ykVoiceOAuth2Api';

	displayName = 'YK Voice OAuth2 API';

	extends = ['oAuth2Api'];

	documentationUrl =
		'https://github.com/n8n-nodes-yk-voice/n8n-nodes-yk-voice/blob/main/docs/credentials.md';

	icon: Icon = { light: 'file:../icons/yk-voice.svg', dark: 'file:../icons/yk-voice.dark.svg' };

	properties: INodeProperties[] = [
		baseUrlProperty,
		{
			displayName: 'Scope',
			name: 'scope',
			type: 'string',
			default: 'agents:read agents:write usage:read offline_access',
			description:
				'Scopes separated by spaces. agents:read and agents:write are for agents, usage:read for usage, offline_access for portal access. For everything else an API key is safer, because OAuth tokens may be refused.',
		},
		namesProperty,
		// n8n adds these two fields to each credential, with the default All. n8n signs a request with OAuth2
		// itself, so this type cannot check where the HTTP Request node sends it.
		{
			displayName: 'Allowed HTTP Request Domains',
			name: 'allowedHttpRequestDomains',
			type: 'options',
			options: [
				{ name: 'All', value: 'all', description: 'Allow requests to any server' },
				{ name: 'None', value: 'none', description: 'Allow no requests' },
				{
					name: 'Specific Domains',
					value: 'domains',
					description: 'Allow requests only to the servers of a list',
				},
			],
			default: 'none',
			description:
				"Where n8n's HTTP Request and GraphQL nodes may send requests with this credential. The nodes of YK Voice work with None.",
		},
		{
			displayName: 'Allowed Domains',
			name: 'allowedDomains',
			type: 'string',
			default: '',
			placeholder: 'e.g. api.example.com, *.example.com',
			description:
				"Names of servers, separated by commas. The server of the 'Base URL' must be one of them.",
			displayOptions: { show: { allowedHttpRequestDomains: ['domains'] } },
		},
	];
}
