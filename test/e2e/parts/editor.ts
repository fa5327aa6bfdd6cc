import { afterAll, beforeAll, expect, it } from 'vitest';

import { EVENT_NAMES } from '../../support/stage.ts';
import { addClients } from '../examples/account.ts';
import { boxesOf, linesOf, openBrowser, pointsOf, type Box, type Browser } from '../browser.ts';
import { isWeekly } from '../host.ts';
import { setUp } from '../examples/example.ts';
import { credential, dataTable, emulator, EXAMPLES, n8n, renewEmulator } from '../shared.ts';
import { linksOf, locator, manualTrigger, trigger, withCredential, ykVoice } from '../workflows.ts';

const areTouching = (one: Box, other: Box) =>
	one.left < other.right &&
	one.right > other.left &&
	one.top < other.bottom &&
	one.bottom > other.top;

const isWithin = (frame: Box, { left, right, top, bottom }: Box) =>
	frame.left < left && frame.right > right && frame.top < top && frame.bottom > bottom;

/** Letters are wider on another machine, so below a line there has to be room for one more. */
const withRoom = (line: Box): Box => ({ ...line, bottom: 2 * line.bottom - line.top });

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

	it('finds the node and its icon, also in the dark theme', async () => {
		const { page } = browser;
		await page.evaluate(() => localStorage.setItem('N8N_THEME', 'dark'));
		await browser.goto('/workflow/new');
		await browser.byId('canvas-add-button').first().click();
		const creator = browser.byId('node-creator');
		await creator.waitFor();
		await page.keyboard.type('yk voice', { delay: 20 });
		await creator.getByText('YK Voice', { exact: true }).first().click();
		await creator.getByText(/^Actions \(/).click();
		const offered = async () => await creator.innerText();
		await expect.poll(offered, soon).toContain(`Triggers (${EVENT_NAMES.length})`);
		await page.keyboard.type('update agent', { delay: 20 });
		await creator.getByText('Update agent', { exact: true }).first().click();
		await browser.byId('node-execute-button').or(browser.byId('ndv')).first().waitFor();
		await page.keyboard.press('Escape');
		const icon = "[data-test-id=canvas-node] img[src$='/yk-voice.dark.svg']";
		await page.locator(icon).first().waitFor();
		await page.evaluate(() => localStorage.setItem('N8N_THEME', 'light'));
	});

	it('makes and tests a credential', async () => {
		const { page } = browser;
		await open({ resource: 'agent', operation: 'getAll' }, { id: '', name: '' });
		await browser.byId('node-credentials-select').click();
		const create = page.getByText(/Create new credential|Set up credential/);
		await create.first().click();
		const save = async (apiKey: string) => {
			await browser.byId('parameter-input-apiKey').locator('input').fill(apiKey);
			await browser.byId('parameter-input-baseUrl').locator('input').fill(emulator.url);
			await browser.byId('credential-save-button').click();
		};
		await save('yk_wrong');
		await page.getByText('Couldn’t connect').first().waitFor();
		await save(emulator.keys.all);
		// n8n closes the window when the test succeeds.
		await browser.byId('credential-edit-button').waitFor();
	});

	it('picks an agent by searching', async () => {
		await open({ resource: 'agent', operation: 'get' });
		const found = await pick('agent_id', 'night');
		expect(found).toEqual([expect.stringContaining('Aurora Night Line')]);
		await browser.byId('rlc-item').first().click();
		await execute();
		await expect.poll(shown, soon).toContain('Aurora Night Line');
	});

	it('refuses a price that is typed with a decimal comma', async () => {
		const options = { billing: { values: { pricePerMinute: '' } } };
		await open({ resource: 'call', operation: 'getStatistics', options });
		const field = browser.byId('parameter-input-pricePerMinute').locator('input').last();
		await field.fill('0,15');
		await execute();
		await expect.poll(shown, soon).toContain('must be a number with a point: 0.15');
	});

	it('offers the fields of the account to Update of a contact', async () => {
		const { id } = emulator.store.contacts.all()[0]!;
		await open({ resource: 'contact', operation: 'update', contact: locator(id) });
		const fields = browser.byId('mapping-fields-container');
		await fields.waitFor();
		await browser.byId('add-fields-select').getByRole('button').click();
		await browser.page.getByRole('menuitem', { name: 'First Name', exact: true }).click();
		await fields.getByText('First Name', { exact: true }).first().waitFor();
	});

	it('fetches a test event of the trigger', async () => {
		const pollTimes = { item: [{ mode: 'everyMinute' }] };
		await browser.openPanel(trigger({ event: 'newCall', pollTimes }, credential));
		await browser.byId('node-execute-button').waitFor();
		await execute();
		await expect.poll(shown, soon).toMatch(/1 item[\s\S]*created_at/);
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
		await browser.page.locator('select').selectOption('Yes');
		await browser.page.locator('button[type=submit]').click();
		await expect.poll(() => agents.get(agent_id)?.prompt_instructions, soon).toBe(prompt);
	});

	// The canvas of one example takes the browser some seconds, so most of them are looked at weekly.
	it.each([...EXAMPLES].filter((_example, at) => isWeekly || at % 8 === 0))(
		'shows %s with room between its notes, its nodes and its connections',
		async (_name, workflow) => {
			const { id } = await n8n.saveWorkflow(withCredential(workflow, credential));
			await browser.goto(`/workflow/${id}`);
			const { page } = browser;
			const note = page.locator('.vue-flow__node:has([data-test-id=sticky])');
			const node = page.locator('.vue-flow__node:not(:has([data-test-id=sticky]))');
			const edge = page.locator('.vue-flow__edge');
			const isWhole = async () =>
				(await note.count()) + (await node.count()) === workflow.nodes.length &&
				(await edge.count()) === linksOf(workflow).length;
			await n8n.until(isWhole);
			const texts = note.locator('p, h1, h2, h3, li');
			await texts.last().waitFor();
			const [nodes, frames] = [await boxesOf(node), await boxesOf(note)];
			const taken = [...nodes, ...(await pointsOf(edge.locator('.vue-flow__edge-path')))];
			for (const line of await linesOf(texts)) {
				expect(taken.filter((box) => areTouching(box, line))).toEqual([]);
				expect(frames.some((frame) => isWithin(frame, withRoom(line)))).toBe(true);
			}
			// The name of a node, "(Deactivated)" and what it does, which it shows below itself.
			for (const line of await linesOf(node.locator('[class*=_description_]'))) {
				expect(frames.some((frame) => isWithin(frame, line))).toBe(true);
			}
		},
	);
}
