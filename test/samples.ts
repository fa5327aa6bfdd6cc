import assert from 'node:assert/strict';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Emulator } from './emulator/index.ts';

/** One run of one operation that must succeed, against the emulator's small data. */
export interface Sample {
	/** Everything but resource and operation, as a saved workflow holds it. */
	parameters: INodeParameters;
	/** One input item each; default is one empty item. */
	items?: IDataObject[];
	/** What must hold of the output items and of the account afterwards. */
	check(output: IDataObject[], emulator: Emulator): void;
}

export const locator = (value: unknown, mode = 'id'): INodeParameters => ({
	__rl: true,
	mode,
	value: value as string,
});

const all = { returnAll: true };

const isRecord = (id: string) => (output: IDataObject[]) => {
	assert.equal(output.length, 1);
	assert.equal(output[0]?.id, id);
};

const hasEvery = (ids: string[]) => (output: IDataObject[]) => {
	assert.deepEqual(output.map(({ id }) => id).sort(), [...ids].sort());
};

/** The samples by `resource.operation`: every row of the table has exactly one. */
export function samplesFor({ store }: Emulator): Record<string, Sample> {
	const agent = store.agents.find(({ agent_type: type }) => type === 'inbound')!;
	const call = store.calls.find(({ call_status: status }) => status === 'Completed')!;
	const pending = store.orders.find(({ status }) => status === 'pending')!;
	const ids = (table: { all(): Array<{ id: string }> }) => table.all().map(({ id }) => id);

	return {
		'agent.get': {
			parameters: { agent_id: locator(agent.id), simplify: false },
			check: isRecord(agent.id),
		},
		'agent.getAll': { parameters: all, check: hasEvery(ids(store.agents)) },
		'agent.getModels': {
			parameters: all,
			check: (output) => assert.equal(output.length, store.models.length),
		},
		'agent.getVoices': {
			parameters: { ...all, filters: { model_name: locator('base') } },
			check: (output) => {
				assert.ok(output.length > 0);
				assert.ok(output.every(({ ai_provider: provider }) => provider === 'base'));
			},
		},
		'agent.update': {
			parameters: {
				agent_id: locator(agent.id),
				updateFields: { prompt_instructions: 'Be brief.' },
				clearFields: ['first_message'],
			},
			check: (output, emulator) => {
				assert.equal(output[0]?.prompt_instructions, 'Be brief.');
				assert.equal(emulator.store.agents.get(agent.id)?.first_message, null);
			},
		},
		'call.get': { parameters: { call_id: locator(call.id) }, check: isRecord(call.id) },
		'call.getAll': {
			parameters: { ...all, options: { include: ['detail', 'summary', 'transcript'] } },
			check: (output) => {
				hasEvery(ids(store.calls))(output);
				assert.ok(output.some(({ summary }) => typeof summary === 'string'));
				assert.ok(output.some(({ transcript }) => typeof transcript === 'object'));
			},
		},
		'call.getSummary': {
			parameters: { call_id: locator(call.id) },
			check: ([summary]) => assert.equal(typeof summary?.summary, 'string'),
		},
		'call.getTranscript': {
			parameters: { call_id: locator(call.id) },
			check: ([transcript]) => assert.ok(Array.isArray(transcript?.turns)),
		},
		'order.get': { parameters: { order_id: locator(pending.id) }, check: isRecord(pending.id) },
		'order.getAll': { parameters: all, check: hasEvery(ids(store.orders)) },
		'order.update': {
			parameters: {
				order_id: locator(pending.id),
				updateFields: { status: 'refused', status_reason: 'Out of stock' },
			},
			check: (_output, emulator) => {
				assert.equal(emulator.store.orders.get(pending.id)?.status, 'refused');
			},
		},
	};
}
