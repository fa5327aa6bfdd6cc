import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { deferred } from '../deferred';
import { methodNames, properties, subtitle } from './properties.static';

/** What the node runs. It is loaded when it is needed, because n8n loads this file at its start. */
const engine = async () => await import('../engine');

/** The action node. Its operations are a table in nodes/resources. */
export class YkVoice implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'YK Voice',
		name: 'ykVoice',
		icon: { light: 'file:../../icons/yk-voice.svg', dark: 'file:../../icons/yk-voice.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle,
		description: 'Work with AI voice agents, calls, orders, contacts, campaigns and reports',
		documentationUrl:
			'https://github.com/n8n-nodes-yk-voice/n8n-nodes-yk-voice/blob/main/docs/operations.md',
		defaults: { name: 'YK Voice' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				'For many clients give one item each, and set Account to its name. For a client report use Report: Create, for figures Get Statistics. For new records use the YK Voice Trigger.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-yk-voice.ykVoiceTrigger',
					relationHint:
						'Starts a workflow on new calls, orders and other events, of one account or of all',
				},
			],
		},
		// The signed address of a voice's preview.
		sensitiveOutputFields: ['file.url'],
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		// Written out in both nodes, because n8n's lint looks here for `testedBy` and the conditions.
		credentials: [
			{
				name: 'ykVoiceApi',
				required: true,
				testedBy: 'testCredential',
				displayOptions: { show: { authentication: ['apiKey'] } },
			},
			{
				name: 'ykVoiceAccountsApi',
				required: true,
				testedBy: 'testCredential',
				displayOptions: { show: { authentication: ['accounts'] } },
			},
			{
				name: 'ykVoiceOAuth2Api',
				required: true,
				displayOptions: { show: { authentication: ['oAuth2'] } },
			},
		],
		properties: [...properties],
	};

	methods = {
		credentialTest: deferred(engine, 'credentialTest', ['testCredential']),
		listSearch: deferred(engine, 'listSearch', methodNames.listSearch),
		loadOptions: deferred(engine, 'loadOptions', methodNames.loadOptions),
		resourceMapping: deferred(engine, 'resourceMapping', methodNames.resourceMapping),
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { resources, run } = await engine();
		return await run.call(this, resources);
	}
}
