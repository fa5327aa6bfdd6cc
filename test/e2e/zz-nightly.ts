import { startDemo } from './demo.ts';
import { chain, locator, ykVoice } from './workflows.ts';
const demo = await startDemo();
const { n8n, emulator, credential } = demo;
try {
	const { store } = emulator;
	store.testCallCourse = { beginsAfter: 200, endsAfter: 400 };
	const agent_id = store.agents.find(({ agent_type: type }) => type === 'outbound')!.id;
	const [phone_number] = store.verifiedNumbers;
	const project = await n8n.rest<{ id: string }>('GET', '/projects/personal');
	const tables = `/projects/${project.id}/data-tables`;
	const types: Record<string, string> = { test: 'string', agent_id: 'string', phone_number: 'string', must_say: 'string', passed: 'boolean', score: 'number', failed_checks: 'string' };
	const columns = Object.entries(types).map(([name, type]) => ({ name, type }));
	const { id } = await n8n.rest<{ id: string }>('POST', tables, { name: 'Agent tests', columns });
	await n8n.rest('POST', `${tables}/${id}/insert`, { data: [
		{ test: 'Hours', agent_id, phone_number, must_say: 'until eleven' },
		{ test: 'Wrong', agent_id, phone_number: '12', must_say: 'x' },
		{ test: 'Nothing', agent_id, phone_number, must_say: null },
	], returnType: 'id' });
	const schedule = { name: 'Every night', type: 'n8n-nodes-base.scheduleTrigger', typeVersion: 1.2, position: [0, 0] as [number, number], parameters: { rule: { interval: [{ field: 'days', triggerAtHour: 2 }] } } };
	const table = { __rl: true, mode: 'id', value: id };
	const get = { name: 'Get', type: 'n8n-nodes-base.dataTable', typeVersion: 1, position: [0, 0] as [number, number], parameters: { operation: 'get', dataTableId: table, returnAll: true } };
	const call = { ...ykVoice({ resource: 'playground', operation: 'makeTestCall', agent_id: { __rl: true, mode: 'id', value: '={{ $json.agent_id }}' }, phone_number: '={{ $json.phone_number }}', waitForResult: true, placeCalls: 'oneAfterAnother', checks: { agentMustSay: '={{ $json.must_say }}' }, options: { inputFields: 'test' }, outputOptions: { includeInputFields: 'selected', inputFields: 'test' } }, credential, 'Call'), onError: 'continueRegularOutput' };
	const upsert = { name: 'Upsert', type: 'n8n-nodes-base.dataTable', typeVersion: 1, position: [0, 0] as [number, number], parameters: { operation: 'upsert', dataTableId: table, matchType: 'allConditions', filters: { conditions: [{ keyName: 'test', condition: 'eq', keyValue: '={{ $json.test }}' }] }, columns: { mappingMode: 'defineBelow', value: { test: '={{ $json.test }}', passed: '={{ $json.passed }}', score: '={{ $json.score }}', failed_checks: '={{ $json.failed_checks ?? $json.error }}' }, matchingColumns: [], schema: columns.map(({ name, type }) => ({ id: name, displayName: name, required: false, defaultMatch: false, display: true, type, canBeUsedToMatch: true, removed: ['agent_id', 'phone_number', 'must_say'].includes(name) })), attemptToConvertTypes: false, convertFieldsToString: false }, options: {} } };
	const iff = { name: 'If', type: 'n8n-nodes-base.if', typeVersion: 2.2, position: [0, 0] as [number, number], parameters: { conditions: { options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 }, conditions: [{ id: 'a', leftValue: '={{ $json.passed }}', rightValue: '', operator: { type: 'boolean', operation: 'true', singleValue: true } }], combinator: 'and' }, options: {} } };
	const saved = await n8n.saveWorkflow(chain('Nightly', schedule as never, get as never, call as never, upsert as never, iff as never));
	const execution = await n8n.run(saved, 'Every night').catch((error: unknown) => { console.log('ERR', error); return undefined; });
	const run = (execution as any)?.data?.resultData?.runData ?? (execution as any)?.data;
	for (const name of ['Call', 'Upsert', 'If']) console.log(name, JSON.stringify(run?.[name]?.[0]?.data?.main?.map((items: any[]) => items?.map(({ json }) => json)), undefined, 1)?.slice(0, 5000), run?.[name]?.[0]?.error);
	console.log((await n8n.rest<{ data: unknown[] }>('GET', `${tables}/${id}/rows`)).data);
} finally {
	await demo.end();
	process.exit(0);
}
