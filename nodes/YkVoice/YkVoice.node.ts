import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { authentication, credentials } from './core/authentication';
import { resourceMapping } from './core/mappers';
import { toProperties } from './core/operation';
import { listSearch, loadOptions } from './core/pickers';
import { run } from './core/run';
import { resources } from './resources';

/** The action node: a table of operations, and one way to run them. */
export class YkVoice implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'YK Voice',
		name: 'ykVoice',
		icon: { light: 'file:../../icons/yk-voice.svg', dark: 'file:../../icons/yk-voice.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description:
			'Work with the agents, calls, orders, contacts and campaigns of a voice-agent platform',
		defaults: { name: 'YK Voice' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials,
		properties: [authentication, ...toProperties(resources)],
	};

	methods = { listSearch, loadOptions, resourceMapping };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run.call(this, resources);
	}
}
