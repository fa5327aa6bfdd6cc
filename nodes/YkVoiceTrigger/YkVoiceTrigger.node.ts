import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { authentication, credentials } from '../YkVoice/core/authentication';
import { listSearch } from '../YkVoice/core/pickers';
import { properties } from './events';
import { poll } from './poll';

/** The polling trigger: new calls, orders and transactions, each exactly once. */
export class YkVoiceTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'YK Voice Trigger',
		name: 'ykVoiceTrigger',
		icon: { light: 'file:../../icons/yk-voice.svg', dark: 'file:../../icons/yk-voice.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["event"] }}',
		description: 'Starts the workflow on new calls, orders and wallet transactions',
		defaults: { name: 'YK Voice Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials,
		properties: [authentication, ...properties],
	};

	methods = { listSearch };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this);
	}
}
