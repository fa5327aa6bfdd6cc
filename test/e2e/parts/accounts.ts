import { beforeAll, expect, it } from 'vitest';

import { openBrowser } from '../browser.ts';
import { outputOf } from '../n8n.ts';
import { emulator, HOST, n8n, renewEmulator } from '../shared.ts';
import {
	chain,
	locator,
	manualTrigger,
	withAnswers,
	ykVoice,
	type CredentialRef,
} from '../workflows.ts';

/** Before this version n8n hides no key in JSON: whoever may edit the credential reads them. */
const hidesKeys = !HOST.endsWith('1.123');

const [NORTH, SOUTH, WEST] = ['North & Sons', 'South Pizza', 'West "Café"'] as const;

type Keys = Record<string, unknown>;
type Entries = Array<[name: string, key: unknown]>;

const NONE = expect.stringMatching(/in 'Account' is no account of this credential/) as string;

/** What a person does to the accounts, and which key is sent for each name then. */
const EDITS: Array<
	[what: string, edit: (entries: Entries) => Entries, sent: (keys: Keys) => Keys]
> = [
	['is made', (entries) => entries, (keys) => keys],
	[
		'loses a name from the middle',
		([north, , west]) => [north!, west!],
		(keys) => ({ ...keys, [SOUTH]: NONE }),
	],
	[
		// n8n restores a hidden key by its name, so the key must be entered again.
		'gets another name',
		([north, ...rest]) => [['Nord', north![1]], ...rest],
		(keys) => ({ ...keys, [NORTH]: NONE, Nord: hidesKeys ? NONE : keys[NORTH] }),
	],
	[
		// If the keys are shown, the text says that they changed places.
		'has two names that change places',
		([north, south, west]) => [[SOUTH, north![1]], [NORTH, south![1]], west!],
		(keys) => (hidesKeys ? keys : { ...keys, [NORTH]: keys[SOUTH], [SOUTH]: keys[NORTH] }),
	],
];

/** A credential with several accounts, while it is edited: no key ever belongs to another name. */
export function accounts(): void {
	/** The key of each client. */
	let keys: Record<string, string>;

	beforeAll(async () => {
		await renewEmulator();
		const names = [NORTH, SOUTH, WEST];
		keys = Object.fromEntries(names.map((name) => [name, emulator.addOrganization().apiKey]));
	});

	const made = async (accounts = JSON.stringify(keys)) =>
		await n8n.createCredential({ baseUrl: emulator.url, accounts }, { type: 'ykVoiceAccountsApi' });

	/** Changes the text of Accounts as a person does, and saves it as the editor does. */
	async function edit({ id }: CredentialRef, change: (text: string) => string): Promise<void> {
		const path = `/credentials/${id}`;
		const { name, type, data } = await n8n.rest<{
			name: string;
			type: string;
			data: { accounts: string };
		}>('GET', `${path}?includeData=true`);
		if (hidesKeys) expect(JSON.stringify(data)).not.toContain('yk_');
		const edited = { ...data, accounts: change(data.accounts) };
		await n8n.rest('PATCH', path, { id, name, type, data: edited });
	}

	/** The key that is sent for each name; what the node says if it sends nothing. */
	async function sentFor(ref: CredentialRef, names = Object.keys(keys)): Promise<Keys> {
		const chosen = { resource: 'agent', operation: 'getAll', limit: 1 };
		const node = ykVoice({ ...chosen, account: locator('={{ $json.client }}') }, ref);
		const workflow = chain('Accounts', manualTrigger(), {
			...node,
			onError: 'continueRegularOutput',
		});
		const found: Keys = {};
		for (const client of names) {
			emulator.reset();
			const saved = await n8n.saveWorkflow(withAnswers(workflow, { Start: [{ client }] }));
			const [json] = outputOf(await n8n.run(saved), 'YK Voice');
			const sent = emulator.requests[0]?.headers.authorization?.replace('Bearer ', '');
			found[client] = sent ?? json?.error;
		}
		return found;
	}

	it.each(EDITS)('%s', async (_what, change, sent) => {
		const ref = await made();
		await edit(ref, (text) => {
			const entries = Object.entries(JSON.parse(text) as object);
			return JSON.stringify(Object.fromEntries(change(entries)));
		});
		const expected = sent(keys);
		expect(await sentFor(ref, Object.keys(expected))).toEqual(expected);
	});

	// n8n 2 keeps the last of two entries with one name when the credential is edited, and does not say so.
	it('is used for no name that it has twice', async () => {
		const ref = await made(JSON.stringify(keys).replace('}', `, "${NORTH}": "yk_other" }`));
		expect(await sentFor(ref)).toEqual({
			...keys,
			[NORTH]: expect.stringMatching(/has "North & Sons" more than once/) as string,
		});
	});

	it('is used for nothing once its text is no JSON', async () => {
		const ref = await made();
		await edit(ref, (text) => text.replace(',', ''));
		const refused = expect.stringMatching(/is not JSON/) as string;
		const all = Object.fromEntries(Object.keys(keys).map((name) => [name, refused]));
		expect(await sentFor(ref)).toEqual(all);
	});

	// n8n 1.123 hides no key, so the broken text still has all of them: it is saved there, and refused by the node.
	it.runIf(hidesKeys)('is not saved in the editor if its text is no JSON', async () => {
		const ref = await made();
		const browser = await openBrowser(n8n);
		try {
			await browser.goto(['', 'home', 'credentials', ref.id].join('/'));
			const field = browser.byId('parameter-input-accounts').locator('.cm-content');
			await field.click();
			expect(await field.innerText()).not.toContain('yk_');
			await browser.page.keyboard.press('ControlOrMeta+A');
			await browser.page.keyboard.insertText('{ "North & Sons": "***" "South Pizza": "***" }');
			// n8n 2.41 does not let one press Save, and others say why nothing was saved.
			const button = browser.byId('credential-save-button');
			const warning = browser.page.getByText('Please check the errors below');
			await n8n.until(async () => {
				await button.click({ timeout: 2000 }).catch(() => {});
				const isOff = await button.evaluate((save) =>
					(save.querySelector('button') ?? save).matches(':disabled'),
				);
				return isOff || (await warning.isVisible());
			}, 180_000);
		} finally {
			await browser.close();
		}
		expect(await sentFor(ref)).toEqual(keys);
	});
}
