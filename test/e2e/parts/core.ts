import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { operationsOf } from '../../support/description.ts';
import { loadPackage } from '../../support/harness.ts';
import { placesOf } from '../../support/places.ts';
import { samplesFor } from '../../support/samples.ts';
import {
	EVENT_NAMES,
	EVENTS,
	prepare,
	setMinutes,
	VALUE_NAMES,
	type Stage,
} from '../../support/stage.ts';
import { outputOf, type SavedWorkflow, type WorkflowNode } from '../n8n.ts';
import { credential, emulator, isWhole, n8n, renewEmulator } from '../shared.ts';
import {
	chain,
	every,
	locator,
	manualTrigger,
	trigger,
	ykVoice,
	type Links,
} from '../workflows.ts';

const { nodeTypes } = await loadPackage();
const operations = operationsOf(nodeTypes.getByNameAndVersion('ykVoice', 1).description);

/** The operations that are tested in this n8n: all, or the first with each kind of parameter. */
function testedOperations(): string[] {
	const kinds = new Set<string>();
	return operations.filter((name) => {
		const before = kinds.size;
		for (const { property } of placesOf(name)) kinds.add(property.type);
		return isWhole || kinds.size > before;
	});
}

/** What the package is for, in the real n8n. */
export function core(): void {
	beforeAll(async () => await renewEmulator());

	describe('every operation, in a saved workflow', () => {
		it.each(testedOperations())('%s', async (name) => {
			await renewEmulator();
			const sample = samplesFor(emulator)[name]!;
			const [resource, operation] = name.split('.');
			const node = ykVoice({ resource, operation, ...sample.parameters }, credential);
			const items = (sample.items ?? [{}]).map((json) => ({ json }));
			const saved = await n8n.saveWorkflow({
				...chain(name, manualTrigger(), node),
				pinData: { Start: items },
			});
			const execution = await n8n.run(saved);
			sample.check(outputOf(execution, 'YK Voice') as never, emulator);
			expect(emulator.unknown).toEqual([]);
		});
	});

	it('hands what failed to expressions that read several items', async () => {
		await renewEmulator();
		const contact = locator('={{ $json.id }}');
		const node = ykVoice({ resource: 'contact', operation: 'get', contact }, credential);
		const all = '={{ $input.all().map(({ json }) => json.status + json.error).join() }}';
		const text = { id: 'text', name: 'text', type: 'string', value: all };
		const set: WorkflowNode = {
			...{ name: 'Failed', type: 'n8n-nodes-base.set', typeVersion: 3.4, position: [440, 0] },
			parameters: { assignments: { assignments: [text] }, options: {} },
		};
		const workflow = chain(
			'Failed',
			manualTrigger(),
			{ ...node, onError: 'continueErrorOutput' },
			set,
		);
		const [link] = (workflow.connections as Links)['YK Voice']!.main!;
		(workflow.connections as Links)['YK Voice'] = { main: [[], link!] };
		const gone = '00000000-0000-4000-8000-000000000000';
		const ids = [gone, emulator.store.contacts.all()[0]!.id, gone];
		const pinData = { Start: ids.map((id) => ({ json: { id } })) };
		const execution = await n8n.run(await n8n.saveWorkflow({ ...workflow, pinData }));
		const [failed] = outputOf(execution, 'Failed');
		expect(failed?.text).toMatch(/^404There is no such .*,404There is no such /);
	});

	it('every event of the trigger starts its workflow, once', async () => {
		await renewEmulator();
		const { store, requests } = emulator;
		prepare(store);
		store.setBalance(50);
		const workflows = new Map<string, SavedWorkflow>();
		onTestFinished(async () => {
			for (const saved of workflows.values()) await n8n.deactivate(saved);
		});
		for (const event of EVENT_NAMES) {
			const node = trigger(
				{ event, pollTimes: every(20), ...EVENTS[event]!.parameters },
				credential,
			);
			const saved = await n8n.saveWorkflow(chain(event, node));
			workflows.set(event, saved);
			await n8n.activate(saved);
		}
		/** How many times each event was polled so far, at the least. */
		const polls = () => {
			const paths = EVENT_NAMES.map((event) => EVENTS[event]!.path);
			const countOf = (path: string, all: string[]) => all.filter((one) => one === path).length;
			const asked = requests.map((request) => request.path.split('?')[0]!);
			return Math.min(...paths.map((path) => countOf(path, asked) / countOf(path, paths)));
		};
		// n8n activates in its own time, and what exists by then is not new.
		await n8n.until(() => polls() >= 3);

		// Time passes by itself here, and n8n polls.
		const still = {
			store,
			clock: { advance() {} },
			poller: { isActive: false },
		} as unknown as Stage;
		const expected: Record<string, object> = {
			lowBalance: { balance: 5 },
			lowMinutes: { minutes_remaining: 20 },
		};
		for (const event of EVENT_NAMES.filter((name) => !VALUE_NAMES.includes(name)))
			expected[event] = await EVENTS[event]!.happen(still);
		store.setBalance(5);
		setMinutes(store, 20, 0);
		const itemsOf = async (event: string) =>
			(await n8n.executions(workflows.get(event)!.id)).flatMap((execution) =>
				outputOf(execution, 'YK Voice Trigger'),
			);
		const found = async () => await Promise.all(EVENT_NAMES.map(itemsOf));
		await n8n.until(async () => (await found()).every(({ length }) => length > 0));
		const before = polls();
		await n8n.until(() => polls() >= before + 2);
		const matching = (await found()).map(
			(items, at) => items.filter((item) => isMatch(item, expected[EVENT_NAMES[at]!]!)).length,
		);
		expect(matching).toEqual(EVENT_NAMES.map(() => 1));
		expect(emulator.unknown).toEqual([]);
	});
}

const isMatch = (item: object, expected: object) =>
	isDeepStrictEqual({ ...item, ...expected }, item);
