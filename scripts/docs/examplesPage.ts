import { examples } from '../../test/e2e/workflows.ts';
import type { WorkflowJson } from '../../test/e2e/n8n.ts';
import { readManifest } from '../../test/support/root.ts';
import { EXAMPLES, FIRST } from './exampleList.ts';
import { table } from './markdown.ts';

// The lists of `examples/README.md`. What an example needs comes from its nodes.

/** What a node needs besides n8n and a YK Voice account, by its type. */
const SERVICES: Readonly<Record<string, string>> = {
	chainLlm: 'AI model',
	agent: 'AI model',
	gmail: 'Gmail',
	googleCalendar: 'Google Calendar',
	googleDrive: 'Google Drive',
	googleSheets: 'Google Sheets',
	httpRequest: 'the address of your program',
	hubspot: 'HubSpot',
	lmChatOpenAi: 'AI model',
	slack: 'Slack',
	twilio: 'Twilio',
};

const all = examples();

/** The title of an example, without the name of the package. */
export const titleOf = (file: string): string => all.get(file)!.name.replace(/^YK Voice: /, '');

function needsOf({ nodes }: WorkflowJson): string {
	const types = nodes.map(({ type }) => type.split('.').at(-1)!);
	const services = new Set(types.flatMap((type) => SERVICES[type] ?? []));
	return services.size > 0 ? [...services].sort().join(', ') : 'Nothing else';
}

const homepage = String(readManifest().homepage);

/** The address that n8n imports an example from. */
const addressOf = (file: string) =>
	homepage
		.replace('https://github.com/', 'https://raw.githubusercontent.com/')
		.replace(/#.*/, `/main/examples/${file}.json`);

/** The examples in sections, each in a table. */
export function exampleSections(): string {
	const listed = Object.values(EXAMPLES).flatMap(Object.keys).sort();
	if (listed.join() !== [...all.keys()].sort().join())
		throw new Error('scripts/docs/exampleList.ts does not have the files of examples/');
	return Object.entries(EXAMPLES)
		.map(([section, rows]) => {
			const cells = Object.entries(rows).map(([file, { starts, does, insteadOf, changes }]) => [
				`[${titleOf(file)}](${file}.json) ([picture](pictures/${file}.png))`,
				starts,
				does,
				needsOf(all.get(file)!),
				insteadOf,
				changes ?? 'no',
				`[import](${addressOf(file)})`,
			]);
			const head = [
				'Workflow',
				'Starts',
				'What it does',
				'Needs',
				'Instead of',
				'Changes data or costs money',
				'Import',
			];
			return `## ${section}\n\n${table(head, cells)}`;
		})
		.join('\n');
}

/** The five to begin with. @param folder where the examples are, from the page */
export function firstExamples(folder = ''): string {
	const rows = Object.values(EXAMPLES).flatMap((section) => Object.entries(section));
	const does = new Map(rows.map(([file, row]) => [file, row.does]));
	return FIRST.map(
		(file) => `- [${titleOf(file)}](${folder}${file}.json): ${does.get(file)}\n`,
	).join('');
}
