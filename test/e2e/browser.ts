import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, selectors, type Locator } from 'playwright-core';

import { CHROMIUM } from './machine.ts';
import { OWNER, type N8n, type WorkflowNode } from './n8n.ts';
import { chain } from './workflows.ts';

selectors.setTestIdAttribute('data-test-id');

/** Where an element is on the page, in pixels. */
export interface Box {
	left: number;
	right: number;
	top: number;
	bottom: number;
}

export const boxesOf = async (elements: Locator): Promise<Box[]> =>
	await elements.evaluateAll((all) =>
		all.map((one) => one.getBoundingClientRect().toJSON() as Box),
	);

/** Where each line of the elements' texts is. */
export const linesOf = async (elements: Locator): Promise<Box[]> =>
	await elements.evaluateAll((all) =>
		all.flatMap((one) => {
			const onlyText = 4;
			const lines: Box[] = [];
			const range = one.ownerDocument.createRange();
			const texts = one.ownerDocument.createTreeWalker(one, onlyText);
			while (texts.nextNode()) {
				range.selectNode(texts.currentNode);
				for (const line of range.getClientRects()) lines.push(line.toJSON() as Box);
			}
			return lines;
		}),
	);

/** Points of each line that is drawn, a few pixels apart. */
export const pointsOf = async (paths: Locator): Promise<Box[]> =>
	await paths.evaluateAll((all) =>
		(all as any[]).flatMap((path) => {
			const points: Box[] = [];
			for (let at = 0; at < path.getTotalLength(); at += 3) {
				const { x, y } = path.getPointAtLength(at).matrixTransform(path.getScreenCTM()!);
				points.push({ left: x, right: x, top: y, bottom: y });
			}
			return points;
		}),
	);

export type Browser = Awaited<ReturnType<typeof openBrowser>>;

/**
 * A browser in front of the editor, whose user is signed in.
 * @param scale how many pixels of a picture stand for one of the page
 */
export async function openBrowser(n8n: N8n, scale = 1) {
	const profile = mkdtempSync(join(tmpdir(), 'yk-voice-browser-'));
	const context = await chromium.launchPersistentContext(profile, {
		executablePath: CHROMIUM,
		headless: true,
		viewport: { width: 1440, height: 900 },
		deviceScaleFactor: scale,
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
			// The editor asks for what is not on this machine; waiting for that would only slow it.
			'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
		],
	});
	const page = context.pages()[0] ?? (await context.newPage());
	// On a busy machine the editor takes minutes to open.
	page.setDefaultTimeout(240_000);
	const goto = async (path: string) => {
		await page.goto(`${n8n.url}${path}`, { waitUntil: 'domcontentloaded' });
	};

	await goto('/signin');
	await page.locator('input[type=email], input[name=emailOrLdapLoginId]').first().fill(OWNER.email);
	await page.locator('input[type=password]').fill(OWNER.password);
	await page.locator('input[type=password]').press('Enter');
	await page.waitForURL((address) => !address.pathname.includes('signin'));

	return {
		page,
		goto,
		/** Opens the panel of the last of these nodes. */
		openPanel: async (...nodes: WorkflowNode[]) => {
			const id = crypto.randomUUID();
			nodes.at(-1)!.id = id;
			const saved = await n8n.saveWorkflow(chain('Panel', ...nodes));
			await goto(`/workflow/${saved.id}/${id}`);
		},
		/** The element that n8n's own tests call by this name. */
		byId: (id: string) => page.getByTestId(id),
		close: async () => {
			await context.close();
			await rm(profile, { recursive: true, force: true });
		},
	};
}
