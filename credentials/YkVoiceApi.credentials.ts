import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
	Icon,
} from 'n8n-workflow';

import { addressBelow, assertAllowed, normalizeBaseUrl } from '../nodes/api/baseUrl';
import { ownKeyOf } from '../nodes/api/namedAccounts';
import { namesProperty } from '../nodes/api/readNames';
import { without } from '../nodes/json';

/** What switches redirects off in both of n8n's request helpers, in all versions. */
const NO_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
	maxRedirects: 0,
	sendCredentialsOnCrossOriginRedirect: false,
};

/** Headers by which a server in between chooses the site that gets the request. */
const STEERING = /^(host|forwarded|x-forwarded-.*|x-original-.*|x-rewrite-.*)$/i;

/** The `yk_` bearer key. Its test is in nodes/editor. Reference: "Authentication" 1 to 4. */
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
			default: '',
			placeholder: 'e.g. yk_…',
			description:
				"Your key, which begins with yk_. Leave it empty if you fill in 'Accounts'. It belongs to one organization. To read data it needs the permission READ or READ_WRITE, to change data READ_WRITE, to place test calls WRITE and MAKE_OUTBOUND_CALLS.",
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
			default: '{}',
			description:
				'For several accounts, such as those of your clients: a name and a key for each. Nodes then choose an account by its name. To change a name, enter its key again. For one key, leave {} as it is.',
			hint: 'For several accounts only, e.g. { "North & Sons": "yk_…", "South Pizza": "yk_…" }',
		},
		namesProperty,
	];

	/**
	 * Adds the bearer header to a request of any node, also of n8n's HTTP Request node, whose address and
	 * options come from whoever may use the credential. So the request may only go below the Base URL, by no
	 * proxy, and it follows no redirect.
	 *
	 * Key and Base URL are checked first, because the server's answer to a wrong one would not explain it. Our
	 * nodes hand over the key of one account as `apiKey`. Other nodes cannot choose an account.
	 * @throws Error if the key has no yk_ prefix, the Base URL cannot be used, or the request leads elsewhere,
	 *   by its address or by a header
	 */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions & { uri?: unknown },
	): Promise<IHttpRequestOptions> {
		const baseUrl = normalizeBaseUrl(credentials.baseUrl);
		const apiKey = ownKeyOf(credentials);
		assertAllowed(baseUrl, credentials);
		const { uri, proxy, ...rest } = without(request, 'baseURL');
		const url = addressBelow(baseUrl, String(rest.url ?? uri));
		if (url === undefined) {
			throw new Error(
				"This credential sends requests only to addresses below its 'Base URL'. Nothing was sent.",
			);
		}
		if (Object.keys(rest.headers ?? {}).some((name) => STEERING.test(name.trim()))) {
			throw new Error(
				'This credential sends no header that leads a request to another site, such as Host. Nothing was sent.',
			);
		}
		if (proxy) {
			throw new Error(
				'This credential sends no requests through a proxy that is set in a node. Nothing was sent.',
			);
		}
		return {
			...rest,
			...NO_REDIRECTS,
			url,
			headers: { ...rest.headers, Authorization: `Bearer ${apiKey}` },
		};
	}
}
