import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';

import { startEmulator, type Emulator } from '../emulator/index.ts';
import { EVENT_NAMES } from '../support/stage.ts';
import { Browser } from './browser.ts';
import { installHost, NEWEST } from './host.ts';
import { N8n, type WorkflowJson } from './n8n.ts';
import {
	chain,
	locator,
	manualTrigger,
	trigger,
	withCredential,
	ykVoice,
	type CredentialRef,
} from './workflows.ts';

const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url));

const isNote = (type: string) => type.endsWith('.stickyNote');

interface Box {
	left: number;
	right: number;
	top: number;
	bottom: number;
}

const boxesOf = async (elements: Locator): Promise<Box[]> =>
	await elements.evaluateAll((all) =>
		all.map((one) => one.getBoundingClientRect().toJSON() as Box),
	);

const areTouching = (one: Box, other: Box) =>
	one.left < other.right &&
	one.right > other.left &&
	one.top < other.bottom &&
	one.bottom > other.top;

describe('the editor', () => {
	let n8n: N8n;
	let emulator: Emulator;
	let browser: Browser;
	let credential: CredentialRef;

	beforeAll(async () => {
		emulator = await startEmulator({ data: 'demo' });
		n8n = await N8n.start({ host: installHost(NEWEST), pack: inject('pack') });
		await n8n.installPackage();
		credential = await n8n.createCredential({ apiKey: emulator.keys.all, baseUrl: emulator.url });
		browser = await Browser.open(n8n.url);
	});

	afterEach(async () => {
		await browser.page.setViewportSize({ width: 1440, height: 900 });
	});

	afterAll(async () => {
		await browser?.close();
		await n8n?.dispose('browser');
		await emulator?.close();
	});

	/** Opens a saved workflow with the node's panel in front. */
	async function open(
		parameters: Record<string, unknown>,
		ref: CredentialRef | undefined = credential,
	): Promise<void> {
		const node = ykVoice(parameters, ref);
		node.id = crypto.randomUUID();
		const { id } = await n8n.saveWorkflow(chain('Editor', manualTrigger(), node));
		await browser.goto(`/workflow/${id}/${node.id}`);
		await browser.byId('node-execute-button').waitFor();
		await browser.byId('node-credentials-select').waitFor();
	}

	async function execute(): Promise<void> {
		await browser.byId('node-execute-button').click();
		await browser.byId('node-run-info').first().waitFor();
		await browser.byId('stop-execution-button').waitFor({ state: 'hidden' });
	}

	/** The items and errors that are shown; they come a moment after the run's end. */
	const shown = async () => await browser.byId('output-panel').innerText();
	const soon = { timeout: 10_000, interval: 200 };

	async function pick(parameter: string, search: string): Promise<string[]> {
		await browser.byId(`resource-locator-${parameter}`).locator('input').last().click();
		await browser.byId('rlc-item').first().waitFor();
		await browser
			.byId('rlc-search')
			.locator('input')
			.or(browser.byId('rlc-search'))
			.last()
			.fill(search);
		return (await n8n.until(async () => {
			const rows = await browser.byId('rlc-item').allInnerTexts();
			const isFound = rows.length > 0 && rows.every((row) => row.toLowerCase().includes(search));
			return isFound ? rows : undefined;
		}, 10_000)) as string[];
	}

	const theme = async (name: 'dark' | 'light') => {
		await browser.page.evaluate((value) => localStorage.setItem('N8N_THEME', value), name);
	};

	it.each(['light', 'dark'] as const)(
		'finds the node and its icon in the %s theme',
		async (name) => {
			const { page } = browser;
			await theme(name);
			await browser.goto('/workflow/new');
			await browser.byId('canvas-add-button').first().click();
			await browser.byId('node-creator').waitFor();
			await page.keyboard.type('yk voice', { delay: 20 });
			await browser.byId('node-creator').getByText('YK Voice', { exact: true }).first().click();
			await browser
				.byId('node-creator')
				.getByText(/^Actions \(/)
				.click();
			await browser.shoot(`nodes-panel-${name}`);
			const text = await browser.byId('node-creator').innerText();
			expect(text).toContain(`Triggers (${EVENT_NAMES.length})`);
			expect(text).toContain('On new call');
			await page.keyboard.type('update agent', { delay: 20 });
			await browser.byId('node-creator').getByText('Update agent', { exact: true }).first().click();
			await browser.byId('node-execute-button').or(browser.byId('ndv')).first().waitFor();
			await page.keyboard.press('Escape');
			await browser.shoot(`canvas-${name}`);
			const icons = await page
				.locator('[data-test-id=canvas-node] img, [data-test-id=canvas-default-node] img')
				.evaluateAll((images) => images.map((image) => image.getAttribute('src') ?? ''));
			const file = name === 'dark' ? 'yk-voice.dark.svg' : 'yk-voice.svg';
			expect(
				icons.some((source) => source.endsWith(file)),
				icons.join(),
			).toBe(true);
			await theme('light');
		},
	);

	describe('the credential', () => {
		const fill = async (apiKey: string, baseUrl: string) => {
			const { page } = browser;
			await browser.byId('parameter-input-apiKey').locator('input').fill(apiKey);
			await browser.byId('parameter-input-baseUrl').locator('input').fill(baseUrl);
			const tested = page.waitForResponse(/\/credentials\/test$/);
			await browser.byId('credential-save-button').click();
			const { data } = (await (await tested).json()) as { data: { status: string } };
			await page.waitForTimeout(500);
			if (data.status === 'OK') return 'OK';
			const details = page.getByText('More details', { exact: true });
			await page.getByText('Couldn’t connect').first().waitFor();
			if (await details.isVisible()) await details.click();
			return await page.locator('body').innerText();
		};

		it('is made and tested: a wrong key, a wrong address, a READ-only key, the right key', async () => {
			const { page } = browser;
			await open({ resource: 'agent', operation: 'getAll' }, { id: '', name: '' });
			await browser.byId('node-credentials-select').click();
			await browser.shoot('credential-select');
			await page
				.getByText(/Create new credential|Set up credential/)
				.first()
				.click();
			await browser.byId('parameter-input-apiKey').waitFor();
			await browser.shoot('credential-empty');
			expect(await fill('yk_wrong', emulator.url)).toContain('did not accept this key (401)');
			await browser.shoot('credential-wrong-key');
			expect(await fill(emulator.keys.all, 'http://127.0.0.1:9/v1')).toContain('ECONNREFUSED');
			await browser.shoot('credential-wrong-address');
			expect(await fill(emulator.keys.writeCalls, emulator.url)).toContain(
				'may not read data (403)',
			);
			await browser.shoot('credential-may-not-read');
			expect(await fill(emulator.keys.read, emulator.url)).toBe('OK');
			// n8n closes the window when the test succeeds.
			await browser.byId('credential-edit-button').click();
			expect(await fill(emulator.keys.all, emulator.url)).toBe('OK');
			await browser.shoot('credential-right-key');
		});
	});

	it('picks an agent by searching', async () => {
		await open({ resource: 'agent', operation: 'get' });
		const found = await pick('agent_id', 'night');
		await browser.shoot('agent-picker');
		expect(found).toEqual([expect.stringContaining('Aurora Night Line')]);
		await browser.byId('rlc-item').first().click();
		await execute();
		await expect.poll(shown, soon).toContain('Aurora Night Line');
		await browser.shoot('agent-get');
	});

	it('adds every field of Update Agent', async () => {
		const { page } = browser;
		await page.setViewportSize({ width: 1440, height: 2000 });
		await open({ resource: 'agent', operation: 'update' });
		const added: string[] = [];
		const buttons = browser.byId('collection-parameter-add');
		await buttons.nth(2).waitFor();
		for (;;) {
			// The last two belong to Options and Request Options. With no field left the button goes.
			const count = await buttons.count();
			if (count < 3) break;
			await buttons.nth(count - 3).click();
			const options = browser.byId('collection-parameter-option').filter({ visible: true });
			await options.first().waitFor();
			const names = (await options.allInnerTexts()).map((text) => text.trim());
			const name = names[0]!;
			expect(added).not.toContain(name);
			await options.getByText(name, { exact: true }).first().click();
			added.push(name);
			await n8n.until(async () => (await options.count()) === 0, 5000).catch(() => undefined);
		}
		await browser.shoot('agent-update-all-fields');
		expect(added).toEqual([...added].sort());
		expect(added).toHaveLength(11);
		const panel = await browser.byId('ndv').innerText();
		for (const label of [...added, 'Tone', 'Backchannels', 'Add pronunciation']) {
			expect(panel).toContain(label);
		}
	});

	it.each([
		['contact', 'contact', () => emulator.store.contacts.all()[0]!.id, 'First Name'],
		['catalogue', 'catalogue_id', () => emulator.store.catalogues.all()[0]!.id, 'Name'],
		['item', 'item_id', () => emulator.store.items.all()[0]!.id, 'Price'],
		['event', 'event_id', () => emulator.store.events.all()[0]!.id, 'Title'],
		['agentTool', 'agent_id', () => emulator.store.agents.all()[0]!.id, 'Enabled'],
	])('offers the fields of the account to Update of %s', async (resource, where, idOf, label) => {
		await open({ resource, operation: 'update', [where]: locator(idOf()) });
		await browser.byId('mapping-fields-container').waitFor();
		await browser.byId('add-fields-select').getByRole('button').click();
		const offered = browser.page.getByRole('menuitem', { name: label, exact: true });
		await browser.shoot(`update-${resource}`);
		await offered.click();
		const field = browser.byId('mapping-fields-container').getByText(label, { exact: true });
		await field.first().waitFor();
	});

	it('shows calls as a table', async () => {
		await open({ resource: 'call', operation: 'getAll', limit: 20 });
		await execute();
		await expect.poll(shown, soon).toMatch(/20 items[\s\S]*created_at/);
		expect(await shown()).not.toContain('undefined');
		await browser.shoot('calls-table');
	});

	describe('the error panel', () => {
		it('explains a 400', async () => {
			const done = emulator.store.orders.find(({ status }) => status === 'completed')!;
			await open({
				resource: 'order',
				operation: 'update',
				order_id: locator(done.id),
				updateFields: { status: 'confirmed' },
			});
			await execute();
			await expect.poll(shown, soon).toMatch(/Order: Update.*400 INVALID_REQUEST/);
			await browser.shoot('error-400');
		});

		it('explains a mistake in a parameter', async () => {
			const pending = emulator.store.orders.find(({ status }) => status === 'pending')!;
			await open({
				resource: 'order',
				operation: 'update',
				order_id: locator(pending.id),
				updateFields: { status: 'refused' },
			});
			await execute();
			await expect.poll(shown, soon).toMatch(/Status Reason.*is required when an order is refused/);
			await browser.shoot('error-parameter');
		});

		it('explains a 403', async () => {
			const reader = await n8n.createCredential(
				{ apiKey: emulator.keys.read, baseUrl: emulator.url },
				{ name: 'YK Voice, reading only' },
			);
			const pending = emulator.store.orders.find(({ status }) => status === 'pending')!;
			await open(
				{
					resource: 'order',
					operation: 'update',
					order_id: locator(pending.id),
					updateFields: { status: 'confirmed' },
				},
				reader,
			);
			await execute();
			await expect.poll(shown, soon).toMatch(/403 INSUFFICIENT_PERMISSIONS/);
			await expect.poll(shown, soon).toMatch(/needs READ_WRITE/);
			await browser.shoot('error-403');
		});

		it('explains a 404', async () => {
			await open({
				resource: 'agent',
				operation: 'get',
				agent_id: locator('11111111-1111-4111-8111-111111111111'),
			});
			await execute();
			await expect.poll(shown, soon).toMatch(/404 NOT_FOUND/);
			await expect.poll(shown, soon).toMatch(/no such record in this account/);
			await browser.shoot('error-404');
		});
	});

	it('fetches a test event of the trigger', async () => {
		const node = trigger({ event: 'newCall' }, credential);
		node.id = crypto.randomUUID();
		node.parameters.pollTimes = { item: [{ mode: 'everyMinute' }] };
		const { id } = await n8n.saveWorkflow(chain('Trigger', node));
		await browser.goto(`/workflow/${id}/${node.id}`);
		await browser.byId('node-execute-button').waitFor();
		await browser.shoot('trigger');
		await browser.byId('node-execute-button').click();
		await browser.byId('node-run-info').first().waitFor();
		await expect.poll(shown, soon).toMatch(/1 item[\s\S]*created_at/);
		await browser.shoot('trigger-event');
	});

	it.each(readdirSync(EXAMPLES).filter((file) => file.endsWith('.json')))(
		'shows %s with room between its notes and its nodes',
		async (file) => {
			const workflow = JSON.parse(readFileSync(join(EXAMPLES, file), 'utf8')) as WorkflowJson;
			const { id } = await n8n.saveWorkflow(withCredential(workflow, credential));
			await browser.goto(`/workflow/${id}`);
			await browser.byId('canvas-node').first().waitFor();
			await browser.byId('zoom-to-fit').click();
			await browser.shoot(`example-${file}`);
			const notes = browser.byId('sticky');
			const nodes = await boxesOf(
				browser.page.locator('[data-test-id=canvas-node]:not(:has([data-test-id=sticky]))'),
			);
			expect(nodes).toHaveLength(workflow.nodes.filter(({ type }) => !isNote(type)).length);
			for (const note of await notes.all()) {
				const [frame] = await boxesOf(note);
				const lines = await boxesOf(note.locator('p, h1, h2, h3, li'));
				const said = await note.innerText();
				for (const line of lines) {
					expect(line.bottom, said).toBeLessThan(frame!.bottom);
					expect(
						nodes.filter((node) => areTouching(node, line)),
						said,
					).toEqual([]);
				}
			}
		},
	);

	it('is a tool of an AI agent', async () => {
		const agent = {
			id: crypto.randomUUID(),
			name: 'AI Agent',
			type: '@n8n/n8n-nodes-langchain.agent',
			typeVersion: 2,
			position: [300, 0] as [number, number],
			parameters: { promptType: 'define', text: 'How many agents are there?' },
		};
		const tool = {
			...ykVoice(
				{ resource: 'agent', operation: 'getAll', returnAll: true },
				credential,
				'Agents of YK Voice',
			),
			id: crypto.randomUUID(),
			type: 'n8n-nodes-yk-voice.ykVoiceTool',
			position: [400, 240] as [number, number],
		};
		const start = manualTrigger();
		const { id } = await n8n.saveWorkflow({
			name: 'Tool',
			nodes: [start, agent, tool],
			connections: {
				[start.name]: { main: [[{ node: agent.name, type: 'main', index: 0 }]] },
				[tool.name]: { ai_tool: [[{ node: agent.name, type: 'ai_tool', index: 0 }]] },
			},
		});
		await browser.goto(`/workflow/${id}/${tool.id}`);
		await browser.byId('ndv').waitFor();
		await browser.byId('node-credentials-select').waitFor();
		await browser.shoot('tool-panel');
		const text = await browser.byId('ndv').innerText();
		expect(text).toContain('Tool Description');
		await browser.page.keyboard.press('Escape');
		await browser.shoot('tool-canvas');
	});
});
