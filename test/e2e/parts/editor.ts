import { afterAll, beforeAll, expect, it } from 'vitest';

import { EVENT_NAMES } from '../../support/stage.ts';
import { addClients } from '../examples/account.ts';
import { openBrowser, type Box, type Browser } from '../browser.ts';
import { isWeekly } from '../host.ts';
import { setUp } from '../examples/example.ts';
import { credential, dataTable, emulator, EXAMPLES, n8n, renewEmulator } from '../shared.ts';
import { isNote, locator, manualTrigger, trigger, withCredential, ykVoice } from '../workflows.ts';

const areTouching = (one: Box, other: Box) =>
	one.left < other.right &&
	one.right > other.left &&
	one.top < other.bottom &&
	one.bottom > other.top;

/** What a person sees and does in the browser. */
export function editor(): void {
	let browser: Browser;

	beforeAll(async () => {
		await renewEmulator('demo');
		browser = await openBrowser(n8n);
	});

	afterAll(async () => await browser?.close());

	/** Opens a saved workflow with the node's panel in front. */
	async function open(parameters: Record<string, unknown>, ref = credential): Promise<void> {
		await browser.openPanel(manualTrigger(), ykVoice(parameters, ref));
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
	const soon = { timeout: 120_000, interval: 200 };

	async function pick(parameter: string, search: string): Promise<string[]> {
		await browser.byId(`resource-locator-${parameter}`).locator('input').last().click();
		await browser.byId('rlc-item').first().waitFor();
		const field = browser.byId('rlc-search');
		await field.locator('input').or(field).last().fill(search);
		return (await n8n.until(async () => {
			const rows = await browser.byId('rlc-item').allInnerTexts();
			const isFound = rows.length > 0 && rows.every((row) => row.toLowerCase().includes(search));
			return isFound ? rows : undefined;
		})) as string[];
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
			const creator = browser.byId('node-creator');
			await creator.waitFor();
			await page.keyboard.type('yk voice', { delay: 20 });
			await creator.getByText('YK Voice', { exact: true }).first().click();
			await creator.getByText(/^Actions \(/).click();
			await browser.shoot(`nodes-panel-${name}`);
			const offered = async () => await creator.innerText();
			await expect.poll(offered, soon).toContain(`Triggers (${EVENT_NAMES.length})`);
			expect(await offered()).toContain('On new call');
			await page.keyboard.type('update agent', { delay: 20 });
			await creator.getByText('Update agent', { exact: true }).first().click();
			await browser.byId('node-execute-button').or(browser.byId('ndv')).first().waitFor();
			await page.keyboard.press('Escape');
			await browser.shoot(`canvas-${name}`);
			const file = name === 'dark' ? 'yk-voice.dark.svg' : 'yk-voice.svg';
			await page.locator(`[data-test-id=canvas-node] img[src$='/${file}']`).first().waitFor();
			await theme('light');
		},
	);

	it('makes and tests a credential', async () => {
		const { page } = browser;
		await open({ resource: 'agent', operation: 'getAll' }, { id: '', name: '' });
		await browser.byId('node-credentials-select').click();
		await browser.shoot('credential-select');
		const create = page.getByText(/Create new credential|Set up credential/);
		await create.first().click();
		const save = async (apiKey: string) => {
			await browser.byId('parameter-input-apiKey').locator('input').fill(apiKey);
			await browser.byId('parameter-input-baseUrl').locator('input').fill(emulator.url);
			await browser.byId('credential-save-button').click();
		};
		await save('yk_wrong');
		await page.getByText('Couldn’t connect').first().waitFor();
		await browser.shoot('credential-wrong-key');
		await save(emulator.keys.all);
		// n8n closes the window when the test succeeds.
		await browser.byId('credential-edit-button').waitFor();
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

	it.each([
		['contact', 'contact', () => emulator.store.contacts.all()[0]!.id, 'First Name'],
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

	it('shows what is wrong with a parameter', async () => {
		const { id } = emulator.store.orders.find((one) => one.status === 'pending')!;
		const parameters = { order_id: locator(id), updateFields: { status: 'refused' } };
		await open({ resource: 'order', operation: 'update', ...parameters });
		await execute();
		await expect.poll(shown, soon).toMatch(/Status Reason.*is required when an order is refused/);
		await browser.shoot('error-parameter');
	});

	it('fetches a test event of the trigger', async () => {
		const pollTimes = { item: [{ mode: 'everyMinute' }] };
		await browser.openPanel(trigger({ event: 'newCall', pollTimes }, credential));
		await browser.byId('node-execute-button').waitFor();
		await browser.shoot('trigger');
		await execute();
		await expect.poll(shown, soon).toMatch(/1 item[\s\S]*created_at/);
		await browser.shoot('trigger-event');
	});

	it('gives agents the prompt that was pasted into a form, after a yes on its second page', async () => {
		const { agents } = emulator.store;
		const { id: agent_id } = agents.all()[0]!;
		const row = { client: 'North', agent_id, change: 'Yes', prompt: '' };
		const { chosen } = await dataTable([row]);
		const { clients } = await addClients(emulator, ['North']);
		const workflow = setUp('one-agent-many-clients', { chosen: { Clients: chosen }, clients });
		const form = workflow.nodes.find(({ name }) => name === 'Template')!;
		form.parameters.authentication = 'none';
		form.webhookId = crypto.randomUUID();
		await n8n.activate(await n8n.saveWorkflow(workflow));
		const prompt = 'Greet {{first_name}}.\n\nSay "hello" & be kind.';
		await n8n.until(async () => (await fetch(`${n8n.url}/form/${form.webhookId}`)).status === 200);
		await browser.goto(`/form/${form.webhookId}`);
		await browser.page.locator('textarea').fill(prompt);
		await browser.page.locator('button[type=submit]').click();
		await browser.page.getByText('be kind').waitFor();
		await browser.shoot('form-plan');
		await browser.page.locator('select').selectOption('Yes');
		await browser.page.locator('button[type=submit]').click();
		await expect.poll(() => agents.get(agent_id)?.prompt_instructions, soon).toBe(prompt);
	});

	/** Where nodes, notes and the lines of notes are, all read in one moment. */
	const canvas = async () =>
		await browser.page.locator('body').evaluate((body) => {
			const boxOf = (element: typeof body) => element.getBoundingClientRect().toJSON() as Box;
			const boxes = (root: typeof body, selector: string) =>
				[...root.querySelectorAll(selector)].map(boxOf);
			const notes = [...body.querySelectorAll('[data-test-id=sticky]')].map((note) => ({
				said: note.textContent as string,
				frame: boxOf(note),
				lines: boxes(note, 'p, h1, h2, h3, li'),
			}));
			const isNode = '[data-test-id=canvas-node]:not(:has([data-test-id=sticky]))';
			return { nodes: boxes(body, isNode), notes };
		});

	// The canvas of one example takes the browser some seconds, so most of them are looked at weekly.
	it.each([...EXAMPLES].filter((_example, at) => isWeekly || at % 8 === 0))(
		'shows %s with room between its notes and its nodes',
		async (name, workflow) => {
			const { id } = await n8n.saveWorkflow(withCredential(workflow, credential));
			await browser.goto(`/workflow/${id}`);
			const count = workflow.nodes.filter((node) => !isNote(node)).length;
			await n8n.until(async () => {
				const { nodes, notes } = await canvas();
				const areShown = notes.length === workflow.nodes.length - count;
				return nodes.length === count && areShown && notes.every(({ lines }) => lines.length > 0);
			});
			await browser.shoot(`example-${name}`);
			const { nodes, notes } = await canvas();
			for (const { said, frame, lines } of notes) {
				for (const line of lines) {
					expect(line.bottom, said).toBeLessThan(frame.bottom);
					const covered = nodes.filter((node) => areTouching(node, line));
					expect(covered, said).toEqual([]);
				}
			}
		},
	);
}
