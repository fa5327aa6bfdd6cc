import { mkdtempSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, selectors, type BrowserContext, type Page } from 'playwright-core';

import { CHROMIUM } from './machine.ts';
import { ARTIFACTS, OWNER } from './n8n.ts';

selectors.setTestIdAttribute('data-test-id');

/** A signed-in browser in front of the editor. */
export class Browser {
	readonly page: Page;

	private readonly context: BrowserContext;

	private readonly profile: string;

	private readonly url: string;

	private constructor(context: BrowserContext, page: Page, profile: string, url: string) {
		this.context = context;
		this.page = page;
		this.profile = profile;
		this.url = url;
	}

	static async open(url: string): Promise<Browser> {
		const profile = mkdtempSync(join(tmpdir(), 'yk-voice-browser-'));
		const context = await chromium.launchPersistentContext(profile, {
			executablePath: CHROMIUM,
			headless: true,
			viewport: { width: 1440, height: 900 },
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
		page.setDefaultTimeout(20_000);
		const browser = new Browser(context, page, profile, url);
		await browser.signIn();
		return browser;
	}

	private async signIn(): Promise<void> {
		const { page } = this;
		await this.goto('/signin');
		await page
			.locator('input[type=email], input[name=emailOrLdapLoginId]')
			.first()
			.fill(OWNER.email);
		await page.locator('input[type=password]').fill(OWNER.password);
		await page.locator('input[type=password]').press('Enter');
		await page.waitForURL((address) => !address.pathname.includes('signin'));
	}

	async goto(path: string): Promise<void> {
		await this.page.goto(`${this.url}${path}`, { waitUntil: 'domcontentloaded' });
	}

	/** The element that n8n's own tests call by this name. */
	byId(id: string) {
		return this.page.getByTestId(id);
	}

	/** Keeps a picture for whoever reads the run. */
	async shoot(name: string, root = ARTIFACTS): Promise<void> {
		await mkdir(root, { recursive: true });
		// Menus and panels slide in.
		await this.page.waitForTimeout(400);
		await this.page.screenshot({ path: join(root, `${name}.png`) });
	}

	async close(): Promise<void> {
		await this.context.close();
		await rm(this.profile, { recursive: true, force: true });
	}
}
