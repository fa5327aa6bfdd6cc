import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
	IDataObject,
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';

import { startEmulator, type Emulator } from '../../test/emulator/index.ts';
import { examples } from '../../test/e2e/workflows.ts';
import { description } from '../../test/support/description.ts';
import { runNode } from '../../test/support/harness.ts';
import { samplesFor } from '../../test/support/samples.ts';
import { SCHEMAS, type Schema } from '../../test/support/schemas.ts';
import { titleOf } from './examplesPage.ts';
import { MEANINGS } from './fields.ts';
import { PURPOSES, type Job } from './jobs.ts';
import { fromHtml, table } from './markdown.ts';
import { operations } from './parameters.ts';

// A page for each resource, with jobs that run in a demo account, and a page that leads to them.

/** When the demo account was made, so that the pages do not change by themselves. */
export const NOW = Date.UTC(2026, 10, 1, 9);

/** A text of an output longer than this is cut. */
const LONGEST_TEXT = 120;

const optionsOf = (property: INodeProperties | undefined) =>
	(property?.options ?? []) as INodePropertyOptions[];

const operationsOf = (resource: string) =>
	optionsOf(
		description.properties.find(
			({ name, displayOptions }) =>
				name === 'operation' && displayOptions?.show?.resource?.includes(resource),
		),
	);

/** Every resource of the node, as the editor lists them. */
export const resources = optionsOf(
	description.properties.find(({ name }) => name === 'resource'),
).map(({ name, value }) => ({ name, value: String(value) }));

/** A parameter that so many resources have is explained once. */
const SHARED_FROM = 3;

/** What is said of the parameters that many resources have. */
const SHARED: readonly string[] = (() => {
	const all = resources.flatMap(({ value }) => notesOf(value));
	const uses = (text: string) => all.filter((one) => one === text).length;
	return [...new Set(all)].filter((text) => uses(text) >= SHARED_FROM).sort();
})();

/** Where the page of a resource is, from the folder `docs`. */
export const pageOf = (resource: string): string =>
	`operations/${resource.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}.md`;

/** The pages of all operations: path → text. */
export const resourcePages: Readonly<Record<string, () => string | Promise<string>>> = {
	'docs/operations.md': overview,
	...Object.fromEntries(
		resources.map((resource) => [
			`docs/${pageOf(resource.value)}`,
			async () => await pageFor(resource),
		]),
	),
};

function overview(): string {
	const rows = resources.map(({ name, value }) => [
		`[${name}](${pageOf(value)})`,
		PURPOSES[value]!.line,
		operationsOf(value)
			.map((operation) => operation.name)
			.join(', '),
	]);
	return `# Operations

What the **YK Voice** node can do. Each page shows jobs with their output, and what the fields mean.

${table(['Resource', 'What you can do', 'Operations'], rows)}
## Parameters of many operations

${SHARED.map((text) => `- ${text}\n`).join('')}
The [trigger](trigger.md) starts workflows. [For AI agents](ai-agents.md) shows how to use the node as a tool.
`;
}

async function pageFor({ name, value }: (typeof resources)[0]): Promise<string> {
	const { line, jobs } = PURPOSES[value]!;
	const own = operationsOf(value);
	const rows = own.map((one) => [`**${one.name}**`, fromHtml(one.description ?? '')]);
	const shown = await Promise.all(jobs.map(async (job) => await jobText(value, job)));
	const parts = [
		`# ${name}`,
		`${line}.`,
		table(['Operation', 'What it does'], rows).trim(),
		...shown,
		section('What the fields mean', fieldTable(value)),
		section('Worth knowing', notes(value)),
		section('Examples', exampleList(value)),
		'[All operations](../operations.md)',
	];
	return `${parts.filter(Boolean).join('\n\n')}\n`;
}

const section = (title: string, text: string) => (text === '' ? '' : `## ${title}\n\n${text}`);

export const block = (value: unknown) =>
	`\`\`\`json\n${JSON.stringify(value, undefined, 2)}\n\`\`\``;

/** A job with what one sets, what comes in, and what comes out of a demo account. */
async function jobText(resource: string, job: Job): Promise<string> {
	const { name } = operationsOf(resource).find(({ value }) => value === job.operation)!;
	const settings = settingsOf(`${resource}.${job.operation}`, job.parameters ?? {});
	const output = await outputOf(resource, job);
	const rest = output.length > 1 ? `, the first of ${output.length} items` : '';
	return [
		`## ${job.title}`,
		[`Choose **${name}**.`, ...settings].join(' '),
		job.input ? `Input:\n\n${block(job.input)}` : '',
		`Output${rest}:\n\n${block(output[0])}`,
		job.note ?? '',
	]
		.filter(Boolean)
		.join('\n\n');
}

/** The records that a sample of the operation is about: the IDs that somebody would choose from a list. */
const recordsOf = (emulator: Emulator, operation: string): INodeParameters =>
	Object.fromEntries(
		Object.entries(samplesFor(emulator)[operation]!.parameters).filter(
			([name, value]) =>
				['tool', 'portal'].includes(name) ||
				(operation === 'playground.makeTestCall' && name === 'phone_number') ||
				(typeof value === 'object' && value !== null && '__rl' in value),
		),
	);

async function outputOf(resource: string, { operation, parameters, input }: Job) {
	const emulator = await startEmulator({ data: 'demo', now: () => NOW });
	try {
		const { json, error } = await runNode({
			parameters: {
				resource,
				operation,
				...recordsOf(emulator, `${resource}.${operation}`),
				...parameters,
			},
			credentials: { ykVoiceApi: { apiKey: emulator.keys.all, baseUrl: emulator.url } },
			items: [{ json: input ?? {} }],
		});
		if (json[0] === undefined) throw error ?? new Error(`${resource}.${operation}: no output`);
		const text = JSON.stringify([shortened(json[0]), ...json.slice(1)]);
		const named = text.replaceAll(emulator.origin, 'https://api.example.com');
		return JSON.parse(named) as IDataObject[];
	} finally {
		await emulator.close();
	}
}

/** Of an object inside of a record, so many fields are shown. */
const MOST_INSIDE = 6;

/** A record with its texts cut, only the first entry of each list, and some fields of the objects inside. */
export const shortened = (record: IDataObject): IDataObject =>
	Object.fromEntries(Object.entries(record).map(([name, value]) => [name, cut(value)]));

function cut(value: unknown): IDataObject[string] {
	if (typeof value === 'string')
		return value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value;
	if (Array.isArray(value)) return value.slice(0, 1).map(cut) as IDataObject[];
	if (typeof value !== 'object' || value === null) return value as IDataObject[string];
	const fields = Object.entries(value).map(([name, inner]) => [name, cut(inner)] as const);
	const left = fields.length - MOST_INSIDE;
	const shown = fields.slice(0, MOST_INSIDE);
	return Object.fromEntries(left > 0 ? [...shown, ['…', `${left} more`]] : shown);
}

type Member = INodeProperties | INodePropertyCollection;

/** What one sets, each with its label, such as "Set **Period** to *Last Month*." */
function settingsOf(operation: string, parameters: INodeParameters): string[] {
	const own = description.properties.filter((one) => operations(one).includes(operation));
	const said = Object.entries(parameters).flatMap(([name, value]) => {
		const property = own.find((one) => one.name === name);
		if (property === undefined) throw new Error(`${operation} has no parameter ${name}`);
		return settingTexts(property, value, '');
	});
	return said.length > 0 ? [`Set ${new Intl.ListFormat('en-GB').format(said)}.`] : [];
}

function settingTexts(property: INodeProperties, value: unknown, outer: string): string[] {
	const { displayName, type, options = [] } = property;
	const path = outer === '' ? displayName : `${outer} → ${displayName}`;
	if (type === 'collection' || type === 'fixedCollection') {
		const members = (options as Member[]).flatMap((one) => ('values' in one ? one.values : one));
		return Object.entries(value as INodeParameters).flatMap(([name, inner]) =>
			settingTexts(
				members.find((one) => one.name === name)!,
				inner,
				path,
			),
		);
	}
	const words = [value].flat().map((one) => inWords(property, one));
	return [`**${path}** to ${words.join(', ')}`];
}

/** A value as the editor shows it. */
function inWords(property: INodeProperties, value: unknown): string {
	const chosen = optionsOf(property).find((option) => option.value === value);
	if (chosen) return `*${chosen.name}*`;
	if (typeof value === 'boolean') return value ? '*on*' : '*off*';
	if (typeof value === 'object' && value !== null && 'value' in value)
		return inWords(property, value.value);
	return `\`${String(value).replace(/^=/, '')}\``;
}

/** Names that mean the same everywhere are explained once, on the page that has them. */
function fieldTable(resource: string): string {
	const fields = new Map<string, Schema['properties'][string]>();
	for (const { value } of operationsOf(resource)) {
		const path = join(SCHEMAS, resource, `${String(value)}.json`);
		const { properties } = JSON.parse(readFileSync(path, 'utf8')) as Schema;
		for (const [name, field] of Object.entries(properties)) fields.set(name, field);
	}
	const rows = [...fields].map(([name, { type }]) => {
		const meaning = MEANINGS[resource]?.[name] ?? MEANINGS['*']![name];
		if (meaning === undefined)
			throw new Error(`scripts/docs/fields.ts: ${resource} has no meaning of ${name}`);
		return [`\`${name}\``, [type].flat().join(' or '), meaning];
	});
	return rows.length === 0 ? '' : table(['Field', 'Type', 'Meaning'], rows).trim();
}

/** The parameters whose text says more than their name, but for those that many resources have. */
function notes(resource: string): string {
	return notesOf(resource)
		.filter((text) => !SHARED.includes(text))
		.map((text) => `- ${text}\n`)
		.join('')
		.trim();
}

/** The texts of parameters with two sentences, or with a hint. */
function notesOf(resource: string): string[] {
	const ofResource = operationsOf(resource).flatMap(({ value }) =>
		description.properties.filter((one) =>
			operations(one).includes(`${resource}.${String(value)}`),
		),
	);
	const said = ofResource
		.filter(({ name, displayOptions }) => name !== 'operation' && !displayOptions?.show?.['@tool'])
		.flatMap((property) => noteTexts(property, ''));
	return [...new Set(said)];
}

function noteTexts(property: INodeProperties, outer: string): string[] {
	const { displayName, type, description: about = '', hint, options = [] } = property;
	const path = outer === '' ? displayName : `${outer} → ${displayName}`;
	if (type === 'notice') return [fromHtml(displayName)];
	const isTelling = hint !== undefined || /[.:] \S/.test(about);
	const isOfLists = ['Limit', 'Return All', 'Simplify'].includes(displayName);
	const text = [about, hint].filter(Boolean).map((one) => fromHtml(one!).replace(/\.?$/, '.'));
	const noted =
		isTelling && !isOfLists && type !== 'collection' ? [`**${path}**: ${text.join(' ')}`] : [];
	if (type !== 'collection' && type !== 'fixedCollection') return noted;
	const members = (options as Member[]).flatMap((one) => ('values' in one ? one.values : one));
	return [...noted, ...members.flatMap((one) => noteTexts(one, path))];
}

/** The examples that use the resource, from their files. */
function exampleList(resource: string): string {
	const using = [...examples()].filter(([, { nodes }]) =>
		nodes.some(({ type, parameters }) => {
			// The default of the node's first parameter is not saved.
			const used = (parameters as { resource?: string }).resource ?? 'call';
			return /\.ykVoice(Tool)?$/.test(type) && used === resource;
		}),
	);
	return using
		.map(([file]) => `- [${titleOf(file)}](../../examples/${file}.json)\n`)
		.join('')
		.trim();
}
