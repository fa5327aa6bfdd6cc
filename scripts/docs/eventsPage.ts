import type { INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

import { startEmulator } from '../../test/emulator/index.ts';
import { examples } from '../../test/e2e/workflows.ts';
import { builtNodes } from '../../test/support/built.ts';
import { Poller } from '../../test/support/poller.ts';
import { titleOf } from './examplesPage.ts';
import { fromHtml, table } from './markdown.ts';
import { block, NOW, shortened } from './resourcePages.ts';

const { properties } = builtNodes
	.find(({ className }) => className === 'YkVoiceTrigger')!
	.describe() as INodeTypeDescription;

/** The events, as the editor lists them. */
export const events = (properties.find(({ name }) => name === 'event')?.options ??
	[]) as INodePropertyOptions[];

/** Parameters without which an event finds nothing in the demo account. */
const CHOSEN = { lowBalance: { threshold: 100 }, lowMinutes: { minutesBelow: 1000 } };

/** The page of all events, each with the item that *Fetch Test Event* shows in a demo account. */
export async function eventsPage(): Promise<string> {
	const emulator = await startEmulator({ data: 'demo', now: () => NOW });
	const list = emulator.store.contactLists
		.all()
		.find(({ id }) => emulator.store.members.get(id)?.size);
	try {
		const parts: string[] = [];
		for (const { name, value, description = '' } of events) {
			const poller = new Poller({
				emulator,
				parameters: {
					event: value as string,
					...CHOSEN[value as keyof typeof CHOSEN],
					...(value === 'contactAddedToList' && {
						contact_list_id: { __rl: true, mode: 'id', value: list!.id },
					}),
				},
			});
			const [item] = await poller.fetchTestEvent();
			if (item === undefined) throw new Error(`${String(value)}: no test event`);
			const using = [...examples()].filter(([, { nodes }]) =>
				nodes.some(
					({ type, parameters }) =>
						type.endsWith('.ykVoiceTrigger') && (parameters.event ?? 'newCall') === value,
				),
			);
			const links = using.map(([file]) => `[${titleOf(file)}](../examples/${file}.json)`);
			parts.push(
				`## ${name}\n\n${fromHtml(description).replace(/\.?$/, '.')}\n\n${block(shortened(item))}\n\nExamples: ${links.join(', ')}`,
			);
		}
		const rows = events.map(({ name, description = '' }) => [
			`[${name}](#${String(name).toLowerCase().replaceAll(' ', '-')})`,
			fromHtml(description),
		]);
		return `# Events\n\nWhat the [trigger](trigger.md) can start on, each with an item of a demo account.\n\n${table(['Event', 'Starts the workflow'], rows)}\n${parts.join('\n\n')}\n`;
	} finally {
		await emulator.close();
	}
}
