import type { INodeCredentialDescription, INodeProperties } from 'n8n-workflow';

/** The parameter that chooses between the two kinds of credentials, in both nodes. */
export const authentication: INodeProperties = {
	displayName: 'Authentication',
	name: 'authentication',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'API Key', value: 'apiKey' },
		{ name: 'OAuth2', value: 'oAuth2' },
	],
	default: 'apiKey',
};

export const credentials: INodeCredentialDescription[] = [
	{
		name: 'ykVoiceApi',
		required: true,
		displayOptions: { show: { authentication: ['apiKey'] } },
	},
	{
		name: 'ykVoiceOAuth2Api',
		required: true,
		displayOptions: { show: { authentication: ['oAuth2'] } },
	},
];
