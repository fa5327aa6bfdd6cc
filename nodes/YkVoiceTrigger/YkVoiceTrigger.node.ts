import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { deferred } from '../deferred';
import { methodNames, properties, subtitle } from './properties.static';

/** What the node runs. It is loaded when it is needed, because n8n loads this file at its start. */
const engine = async () => await import('../engine');

/** What happens once the workflow is published. */
const POLLS =
	'The first poll remembers what exists and starts nothing. Later polls start the workflow with what is new.';

/** The polling trigger. Its events are a table in nodes/trigger/events. */
export class YkVoiceTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'YK Voice Trigger',
		name: 'ykVoiceTrigger',
		icon: { light: 'file:../../icons/yk-voice.svg', dark: 'file:../../icons/yk-voice.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle,
		// On an empty canvas, n8n shows this for both nodes (seen in 2.41).
		description:
			'Start a workflow on new calls and orders, or work with agents, campaigns and reports',
		documentationUrl:
			'https://github.com/n8n-nodes-yk-voice/n8n-nodes-yk-voice/blob/main/docs/trigger.md',
		defaults: { name: 'YK Voice Trigger' },
		polling: true,
		activationMessage: POLLS,
		triggerPanel: {
			activationHint: {
				inactive: `<b>Fetch Test Event</b> gets the newest record, and remembers nothing. Then publish the workflow. ${POLLS}`,
				active: 'This workflow is published: each poll starts it with what is new.',
			},
		},
		builderHint: {
			searchHint:
				'Starts a workflow on new or changed records, of one YK Voice account or of all accounts of a credential. For many clients one trigger is enough: each item has account.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-yk-voice.ykVoice',
					relationHint:
						'Reads and changes the records that this trigger reports, in the account that their field account names',
				},
			],
		},
		hints: [
			{
				type: 'info',
				message:
					'One poll may return several items, and <em>Send and Wait</em> asks once for all of them. To ask about each, let <em>Loop Over Items</em> call a sub-workflow that asks.',
				whenToDisplay: 'beforeExecution',
				location: 'outputPane',
			},
		],
		inputs: [],
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
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		const { poll } = await engine();
		return await poll(this);
	}
}
