import type {
	IDataObject,
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';

import { startEmulator } from '../../test/emulator/index.ts';
import { description, runSample } from '../../test/support/runSample.ts';
import { fromHtml, linkTo, table } from './markdown.ts';
import { operations } from './parameters.ts';

const INTRO = `# Operations

This page lists every operation of the **YK Voice** node, with its parameters in the order of the screen. It is made from the node itself by \`npm run docs\`.

- **Example output** comes from a demo account. Long texts are cut, lists show one entry. The fields of your own records may differ.
- **Statistics** return each figure three times if *Compare With Previous Period* is on: as \`calls\`, for the previous period as \`calls_before\`, and the change as \`calls_difference\`. The examples show this for one figure only.
- ***Include Input Fields***, in the options of every operation, adds fields of the input item to each record, such as the client's name. A field that the record has too gets \`input_\` in front of its name. Fields with an API key never go out.
- If you use the node as a tool of an AI agent, see [For AI agents](ai-agents.md).
`;

/** When the demo account of the examples was made, so that the page does not change by itself. */
const NOW = Date.UTC(2026, 8, 30, 9);

/** A text of an example longer than this is cut. */
const LONGEST_TEXT = 60;

/** A month of the demo account. */
const SEPTEMBER: INodeParameters = {
	period: 'between',
	from: '2026-09-01T00:00:00Z',
	until: '2026-10-01T00:00:00Z',
	filters: {},
	options: {},
};

/** Parameters of the examples that differ from the operation's sample. */
const SHOWN: Readonly<Record<string, INodeParameters>> = {
	'call.getAll': { options: {} },
	'call.getStatistics': SEPTEMBER,
	'order.getStatistics': SEPTEMBER,
	'wallet.getStatistics': SEPTEMBER,
};

const optionsOf = (property: INodeProperties | undefined) =>
	(property?.options ?? []) as INodePropertyOptions[];

/** Every resource of the node, and its operations. */
const resources = optionsOf(description.properties.find(({ name }) => name === 'resource')).map(
	(resource) => ({
		...resource,
		operations: optionsOf(
			description.properties.find(
				({ name, displayOptions }) =>
					name === 'operation' && displayOptions?.show?.resource?.includes(String(resource.value)),
			),
		),
	}),
);

/** The page of all operations, as Markdown. */
export async function operationsPage(): Promise<string> {
	const sections = await Promise.all(
		resources.map(async ({ name, value, description: about = '', operations: own }) => {
			const all = await Promise.all(
				own.map(async (one) => await operationSection(name, `${String(value)}.${one.value}`, one)),
			);
			return `## ${name}\n\n${asSentence(about)}\n\n${all.join('\n')}`;
		}),
	);
	return [INTRO, contents(), ...sections].join('\n');
}

const headingOf = (resource: string, operation: string) => `${resource}: ${operation}`;

function contents(): string {
	const rows = resources.map(({ name, operations: own }) => [
		linkTo(name),
		own.map((one) => linkTo(headingOf(name, one.name), one.name)).join(', '),
	]);
	return table(['Resource', 'Operations'], rows);
}

async function operationSection(
	resource: string,
	operation: string,
	{ name, description: about = '' }: INodePropertyOptions,
): Promise<string> {
	const own = description.properties.filter(
		(property) => isForPeople(property) && operations(property).includes(operation),
	);
	return `### ${headingOf(resource, name)}

${asSentence(fromHtml(about))}

${own.length > 0 ? parameterTable(own) : 'No parameters.\n'}
<details><summary>Example output</summary>

\`\`\`json
${await exampleOf(operation)}
\`\`\`

</details>
`;
}

/** Whether the editor shows a parameter to people, and not only to an AI model. */
const isForPeople = ({ name, displayOptions }: INodeProperties) =>
	!['resource', 'operation', 'authentication'].includes(name) &&
	displayOptions?.show?.['@tool'] === undefined;

const parameterTable = (properties: INodeProperties[]) =>
	table(
		['Parameter', 'What it is', 'Default'],
		properties.flatMap((property) => rowsOf(property, '', properties)),
	);

type Member = INodeProperties | INodePropertyCollection;

/** One line for a parameter, or one for each parameter inside of a collection. */
function rowsOf(property: INodeProperties, outer: string, beside: INodeProperties[]): string[][] {
	const { displayName, type } = property;
	const path = `${outer}${displayName}`;
	if (type === 'notice') return [['*Notice*', fromHtml(displayName), '']];
	if (type !== 'collection' && type !== 'fixedCollection') {
		const required = property.required ? ' (required)' : '';
		return [[`${path}${required}`, aboutOf(property, beside), defaultOf(property)]];
	}
	return ((property.options ?? []) as Member[]).flatMap((member) => {
		if ('values' in member) {
			return member.values.flatMap((one) => rowsOf(one, `${path} → `, member.values));
		}
		// An option that nobody added has no value. Its description says what applies then.
		return rowsOf(member, `${path} → `, [member]).map(([name = '', about = '']) => [
			name,
			about,
			'–',
		]);
	});
}

function aboutOf(property: INodeProperties, beside: INodeProperties[]): string {
	const { description: about = '', type, hint } = property;
	const sentences = [about, hint ?? ''].filter(Boolean).map(fromHtml).map(asSentence);
	if (type === 'options' || type === 'multiOptions') sentences.push(choicesOf(property));
	return [...conditionsOf(property, beside), ...sentences].filter(Boolean).join(' ');
}

const asSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** The choices of a dropdown, unless they come from the account. */
function choicesOf(property: INodeProperties): string {
	const names = optionsOf(property).map(({ name }) => name);
	return names.length === 0 ? '' : `Choices: ${names.join(', ')}.`;
}

/** What has to be chosen so that the editor shows the parameter. */
function conditionsOf({ displayOptions }: INodeProperties, beside: INodeProperties[]): string[] {
	const said = (relation: string, conditions: NonNullable<typeof displayOptions>['show']) =>
		Object.entries(conditions ?? {})
			.filter(([name]) => !['resource', 'operation', '@tool'].includes(name))
			.map(([name, values]) => {
				// A slash leads out of the collection.
				const all = name.startsWith('/') ? description.properties : beside;
				const other = all.find((one) => one.name === name.replace('/', ''));
				const wanted = (values ?? []).map((value) =>
					other ? inWords(other, value) : String(value),
				);
				const chosen = wanted.map((value) => `*${value}*`).join(' or ');
				return `If *${other?.displayName ?? name}* ${relation} ${chosen}:`;
			});
	return [...said('is', displayOptions?.show), ...said('is not', displayOptions?.hide)];
}

/** A value as the editor shows it. */
function inWords(property: INodeProperties, value: unknown): string {
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	if (value === '') return 'empty';
	const chosen = optionsOf(property).find((option) => option.value === value);
	return chosen?.name ?? String(value);
}

function defaultOf(property: INodeProperties): string {
	const { default: value } = property;
	if (Array.isArray(value)) return value.map((one) => inWords(property, one)).join(', ') || '–';
	if (value === '' || value === undefined || typeof value === 'object') return '–';
	return inWords(property, value);
}

/** The first item of the operation's sample, in a demo account whose clock stands still. */
async function exampleOf(operation: string): Promise<string> {
	const emulator = await startEmulator({ data: 'small', now: () => NOW });
	try {
		const parameters = { simplify: true, ...SHOWN[operation] };
		const [first] = await runSample(emulator, operation, { parameters, also: false });
		if (first?.json[0] === undefined)
			throw first?.error ?? new Error(`${operation} returned nothing`);
		const text = JSON.stringify(shortened(withoutRepetition(first.json[0])), undefined, 2);
		return text.replaceAll(emulator.origin, 'https://api.example.com');
	} finally {
		await emulator.close();
	}
}

/** Statistics have each figure three times. Only the first one shows the other two. */
function withoutRepetition(record: IDataObject): IDataObject {
	const repeated = Object.keys(record).filter((name) => /_(before|difference)$/.test(name));
	const [first] = repeated.map((name) => name.replace(/_before$/, ''));
	const dropped = new Set(repeated.filter((name) => !name.startsWith(`${first}_`)));
	return Object.fromEntries(Object.entries(record).filter(([name]) => !dropped.has(name)));
}

/** A value with its texts cut, and only the first entry of each list. */
function shortened(value: unknown): unknown {
	if (typeof value === 'string') {
		return value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value;
	}
	if (Array.isArray(value)) return value.slice(0, 1).map(shortened);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value as IDataObject).map(([name, inner]) => [name, shortened(inner)]),
	);
}
