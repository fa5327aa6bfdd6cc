// `npm run pictures`: the pictures of README and of the examples, from the running editor. Words
// behind it choose among them by their names: `npm run pictures -- panel low-balance-alert`.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Locator, Page, PageScreenshotOptions } from 'playwright-core';

import { ROOT } from '../support/root.ts';
import { boxesOf, openBrowser } from './browser.ts';
import { startDemo } from './demo.ts';
import { outputOf, type WorkflowJson, type WorkflowNode } from './n8n.ts';
import { chain, examples, manualTrigger, trigger, withCredential, ykVoice } from './workflows.ts';

const wanted = process.argv.slice(2);
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);

const demo = await startDemo();
const { n8n, credential } = demo;
// So the notes can be read when a picture is enlarged.
const browser = await openBrowser(n8n);
const { page } = browser;

/** What surrounds the canvas, and would hide a part of it; and its dots, which make a picture large. */
const AROUND_THE_CANVAS = `
	[data-test-id=main-sidebar], [data-test-id=canvas-controls], [data-test-id=canvas-panel],
	[data-test-id=node-creator-plus-button], [data-test-id=execute-workflow-button],
	[data-test-id=canvas-handle-plus], [data-test-id=canvas-handle-plus-wrapper],
	[data-test-id=node-issues], [data-test-id=canvas-node-status-warning],
	[class*=mainHeader], [class*=executionButtons], [class*=nodeButtonsWrapper],
	[class*=chatPanel], .vue-flow__panel, .vue-flow__minimap,
	.vue-flow__background { visibility: hidden !important; }`;

/** n8n leaves a part of it free, so a picture has at most 1,400 pixels, and notes can be read in it. */
const CANVAS = { width: 1660, height: 1700 };

/** Room for a node's name, which stands below it and is wider than it. */
const MARGIN = { side: 24, top: 24, bottom: 64 };

type Clip = PageScreenshotOptions['clip'];

/** Writes a picture of the page, of a part of it, or of an element. */
async function shoot(target: Page | Locator, file: string, clip?: Clip): Promise<void> {
	const path = join(ROOT, file);
	mkdirSync(dirname(path), { recursive: true });
	// Menus and panels slide in, and icons load.
	await page.waitForTimeout(600);
	await target.screenshot({ path, animations: 'disabled', ...(clip && { clip }) });
	// Debian's package of this name: a quarter of the size. Without it, pictures are as they were taken.
	spawnSync('pngquant', [
		'--force',
		'--strip',
		'--nofs',
		'--speed=1',
		'--quality=60-90',
		'--ext=.png',
		path,
	]);
	console.log(file);
}

/** The nodes and notes of a workflow as one imports it, without what surrounds the canvas. */
async function shootCanvas(workflow: WorkflowJson, file: string): Promise<void> {
	const { id } = await n8n.saveWorkflow(withCredential(workflow, credential));
	await page.setViewportSize(CANVAS);
	await browser.goto(`/workflow/${id}`);
	await browser.byId('canvas-node').first().waitFor();
	await page.addStyleTag({ content: AROUND_THE_CANVAS });
	await browser.byId('zoom-to-fit').dispatchEvent('click');
	await page.waitForTimeout(800);
	const boxes = await boxesOf(page.locator('.vue-flow__node'));
	const x = Math.max(0, Math.min(...boxes.map(({ left }) => left)) - MARGIN.side);
	const y = Math.max(0, Math.min(...boxes.map(({ top }) => top)) - MARGIN.top);
	const right = Math.max(...boxes.map((box) => box.right)) + MARGIN.side;
	const bottom = Math.max(...boxes.map((box) => box.bottom)) + MARGIN.bottom;
	await shoot(page, file, { x, y, width: right - x, height: bottom - y });
}

/** README's first workflow: the one that its first steps build. */
function firstWorkflow(): WorkflowJson {
	const pollTimes = { item: [{ mode: 'everyMinute' }] };
	const ready = trigger({ event: 'callReady', pollTimes }, credential);
	ready.name = 'Call ready';
	const table: WorkflowNode = {
		name: 'Insert row',
		type: 'n8n-nodes-base.dataTable',
		typeVersion: 1,
		position: [220, 0],
		parameters: {
			resource: 'row',
			operation: 'insert',
			dataTableId: { __rl: true, mode: 'name', value: 'Calls' },
			columns: {
				mappingMode: 'defineBelow',
				value: { phone: '={{ $json.phone_number }}', summary: '={{ $json.summary }}' },
			},
		},
	};
	return chain('A row for each call', ready, table);
}

/** The panel of Get Many Calls after a run. */
async function shootPanel(): Promise<void> {
	const node = ykVoice({ resource: 'call', operation: 'getAll' }, credential);
	node.name = 'Get many calls';
	await page.setViewportSize({ width: 1280, height: 600 });
	await browser.openPanel(manualTrigger(), node);
	await browser.byId('node-execute-button').click();
	await browser.byId('node-run-info').first().waitFor();
	// The fields with their values, which a table would cut off.
	await page.getByText('Schema', { exact: true }).last().click();
	await page.addStyleTag({ content: '.el-notification { display: none !important; }' });
	const panel = (await browser.byId('ndv').boundingBox())!;
	// The input on the left is empty.
	const parameters = (await browser.byId('parameter-input-resource').boundingBox())!;
	const x = parameters.x - 16;
	const clip = { ...panel, x, width: panel.x + panel.width - x };
	await shoot(page, 'docs/pictures/panel.png', clip);
}

/** The panel of the trigger. */
async function shootTrigger(): Promise<void> {
	const pollTimes = { item: [{ mode: 'everyX', value: 5, unit: 'minutes' }] };
	await page.setViewportSize({ width: 1180, height: 700 });
	await browser.openPanel(trigger({ event: 'callReady', pollTimes }, credential));
	await shoot(browser.byId('ndv'), 'docs/pictures/trigger.png');
}

/** The report that an example makes for a client. */
async function shootReport(workflow: WorkflowJson): Promise<void> {
	const client = { client: 'Trattoria Aurora', email: 'owner@aurora.example' };
	const saved = await n8n.saveWorkflow({
		...withCredential(workflow, demo.clients),
		// No table is chosen in the example, neither to read nor to write.
		pinData: { Clients: [{ json: client }], 'Reports in the table': [{ json: {} }] },
	});
	const [made] = outputOf(await n8n.run(saved, 'Every month'), 'Report');
	await page.setViewportSize({ width: 760, height: 600 });
	await page.setContent(String(made?.html));
	await shoot(page.locator('body'), 'docs/pictures/report.png');
}

try {
	const all = examples();
	if (isWanted('workflow')) await shootCanvas(firstWorkflow(), 'docs/pictures/workflow.png');
	if (isWanted('panel')) await shootPanel();
	if (isWanted('trigger')) await shootTrigger();
	if (isWanted('report')) await shootReport(all.get('reports-for-all-clients')!);
	for (const [name, workflow] of all) {
		if (isWanted(name)) await shootCanvas(workflow, `examples/pictures/${name}.png`);
	}
} finally {
	await browser.close();
	await demo.end();
}
