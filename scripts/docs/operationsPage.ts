import type {
	IDataObject,
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';

import { startEmulator } from '../../test/emulator/index.ts';
import { description } from '../../test/support/description.ts';
import type { NodeResult } from '../../test/support/harness.ts';
import { runSample } from '../../test/support/samples.ts';
import { anchorOf, fromHtml, linkTo } from './markdown.ts';
import { operations } from './parameters.ts';

const SHARED = 'Parameters of several operations';

const INTRO = `# Operations

Every operation of the **YK Voice** node, with its parameters and an example of its output. The node itself makes this page (\`npm run docs\`).

- Examples come from a demo account. Long texts are cut, lists show one entry. Your own records may have other fields.
- A parameter that several operations have is explained [once](#${anchorOf(SHARED)}).
- **Account**, at the top of every operation, chooses an account of the credential, if it has several: see [For agencies](agencies.md).
- If you use the node as a tool of an AI agent, see [For AI agents](ai-agents.md).
`;

/** A parameter that so many operations have is explained once. */
const SHARED_FROM = 3;

/** When the demo account of the examples was made, so that the page does not change by itself. */
const NOW = Date.UTC(2026, 8, 30, 9);

/** A text of an example longer than this is cut. */
const LONGEST_TEXT = 60;

/** A month of the demo account. */
const SEPTEMBER: INodeParameters = {
	period: 'between',
	from: '2026-09-01T00:00:00Z',
	until: '2026-10-01T00:00:00Z',
	compare: false,
	filters: {},
	options: {},
};

/** Parameters of the examples that differ from the operation's sample. */
const SHOWN: Readonly<Record<string, INodeParameters>> = {
	'call.getAll': { options: {} },
	'call.getStatistics': SEPTEMBER,
	'order.getStatistics': SEPTEMBER,
	'wallet.getStatistics': SEPTEMBER,
	'report.create': { ...SEPTEMBER, sections: ['keyFigures'] },
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

/** A parameter as the page explains it. */
interface Line {
	name: string;
	isRequired: boolean;
	about: string;
}

/** The parameters of an operation, such as `call.getAll`; `*` stands for those of all operations. */
function linesOf(operation: string): Line[] {
	const own = description.properties.filter(
		(property) => isForPeople(property) && operations(property).includes(operation),
	);
	return own.flatMap((property) => linesOfProperty(property, '', own));
}

/** The parameters to explain once, by name. If a name has several meanings, the most usual one. */
function explainedOnce(names: string[]): Map<string, string> {
	const uses = new Map<string, { line: Line; count: number }>();
	for (const line of names.flatMap(linesOf)) {
		const key = `${line.name}: ${line.about}`;
		uses.set(key, { line, count: (uses.get(key)?.count ?? 0) + 1 });
	}
	const often = [...uses.values()].filter(({ count }) => count >= SHARED_FROM);
	const lines = often.sort((one, other) => one.count - other.count).map(({ line }) => line);
	return new Map([...lines, ...linesOf('*')].map(({ name, about }) => [name, about]));
}

/** The page of all operations, as Markdown. */
export async function operationsPage(): Promise<string> {
	const nameOf = (resource: unknown, operation: unknown) =>
		`${String(resource)}.${String(operation)}`;
	const shared = explainedOnce(
		resources.flatMap(({ value, operations: own }) => own.map((one) => nameOf(value, one.value))),
	);
	const sections = await Promise.all(
		resources.map(async ({ name, value, description: about = '', operations: own }) => {
			const examples = await Promise.all(
				own.map(async (one) => await exampleOf(nameOf(value, one.value))),
			);
			const all = own.map((one, at) => {
				const parameters = parameterList(linesOf(nameOf(value, one.value)), shared);
				const heading = `### ${headingOf(name, one.name)}`;
				const what = asSentence(fromHtml(one.description ?? ''));
				return [heading, what, parameters, outputOf(name, own, examples, at)].join('\n\n');
			});
			return `## ${name}\n\n${asSentence(about)}\n\n${all.join('\n')}`;
		}),
	);
	const once = [...shared].sort().map(([name, about]) => `- **${name}**: ${about}\n`);
	return [INTRO, contents(), ...sections, `## ${SHARED}\n\n${once.join('')}`].join('\n');
}

const headingOf = (resource: string, operation: string) => `${resource}: ${operation}`;

const contents = (): string =>
	resources
		.map(({ name, operations: own }) => {
			const links = own.map((one) => linkTo(headingOf(name, one.name), one.name));
			return `- ${linkTo(name)}: ${links.join(', ')}\n`;
		})
		.join('');

/** The parameters of an operation. Of those that are explained elsewhere, only the names. */
function parameterList(lines: Line[], shared: Map<string, string>): string {
	const isShared = ({ name, about }: Line) => shared.get(name) === about;
	const own = lines
		.filter((line) => !isShared(line))
		.map(
			({ name, isRequired, about }) => `- **${name}**${isRequired ? ' (required)' : ''}: ${about}`,
		);
	const others = lines.filter(isShared).map(({ name }) => `*${name}*`);
	const also = `- ${linkTo(SHARED, own.length > 0 ? 'Also' : 'Parameters')}: ${others.join(', ')}`;
	return [...own, ...(others.length > 0 ? [also] : [])].join('\n') || 'No parameters.';
}

/** The example of an operation, unless an earlier one of its resource has the same fields. */
function outputOf(
	resource: string,
	own: INodePropertyOptions[],
	examples: IDataObject[],
	at: number,
): string {
	const fieldsOf = (example: IDataObject) => Object.keys(example).sort().join();
	const same = examples.findIndex((example) => fieldsOf(example) === fieldsOf(examples[at]!));
	if (same < at) return `Output: the fields of ${linkTo(headingOf(resource, own[same]!.name))}.\n`;
	return `\`\`\`json\n${JSON.stringify(examples[at], undefined, 2)}\n\`\`\`\n`;
}

/** Whether the editor shows a parameter to people, and not only to an AI model. */
function isForPeople({ name, displayOptions }: INodeProperties): boolean {
	return (
		!['resource', 'operation', 'authentication', 'account'].includes(name) &&
		displayOptions?.show?.['@tool'] === undefined
	);
}

type Member = INodeProperties | INodePropertyCollection;

/** A parameter, or each parameter inside of a collection. */
function linesOfProperty(
	property: INodeProperties,
	outer: string,
	beside: INodeProperties[],
): Line[] {
	const { displayName, type } = property;
	const path = `${outer}${displayName}`;
	if (type === 'notice') return [];
	if (type !== 'collection' && type !== 'fixedCollection') {
		// An option that nobody added has no value: its description says what applies then.
		const standard = outer === '' ? defaultOf(property) : '';
		const about = [aboutOf(property, beside), standard].filter(Boolean).join(' ');
		return [{ name: path, isRequired: property.required === true, about }];
	}
	return ((property.options ?? []) as Member[]).flatMap((member) =>
		'values' in member
			? member.values.flatMap((one) => linesOfProperty(one, `${path} → `, member.values))
			: linesOfProperty(member, `${path} → `, [member]),
	);
}

/** What the page says of a parameter whose label needs no tooltip in the editor. */
const UNSAID: Partial<Record<INodeProperties['type'], string>> = {
	json: 'The fields as a JSON object',
	resourceLocator: 'Chosen from the list, or by its ID',
};

function aboutOf(property: INodeProperties, beside: INodeProperties[]): string {
	const { type, description: about = UNSAID[type] ?? '', hint } = property;
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

/** The default, as a sentence. That something is off, or empty, goes without saying. */
function defaultOf(property: INodeProperties): string {
	const { default: value } = property;
	const values = Array.isArray(value) ? value : [value];
	const isUnsaid = (one: unknown) =>
		one === false || one === '' || one === undefined || one === '{}' || typeof one === 'object';
	const shown = values.filter((one) => !isUnsaid(one)).map((one) => inWords(property, one));
	return shown.length > 0 ? `Default: ${shown.join(', ')}.` : '';
}

/** The first item of the operation's sample, in a demo account whose clock stands still. */
async function exampleOf(operation: string): Promise<IDataObject> {
	const emulator = await startEmulator({ data: 'small', now: () => NOW });
	try {
		const parameters = { simplify: true, ...SHOWN[operation] };
		const { value: first } = await runSample(emulator, operation, parameters).next();
		const { error, json } = first as NodeResult;
		if (json[0] === undefined) throw error ?? new Error(`${operation} returned nothing`);
		const text = JSON.stringify(shortened(json[0]));
		return JSON.parse(text.replaceAll(emulator.origin, 'https://api.example.com')) as IDataObject;
	} finally {
		await emulator.close();
	}
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
