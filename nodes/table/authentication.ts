import type { INodeCredentialDescription } from 'n8n-workflow';

/** The credentials of both nodes. The parameter that chooses between them is in handling.ts. */
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
