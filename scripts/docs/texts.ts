import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
	ICredentialType,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';
import ts from 'typescript';

import { builtNodes } from '../../test/support/built.ts';
import { loadPackage } from '../../test/support/harness.ts';
import { ROOT } from '../../test/support/root.ts';
import { operations } from './parameters.ts';
import { tools, type Tool } from './tools.ts';

/**
 * `test/texts.txt`, for a reviewer to read from top to bottom: the texts of the credentials and of both
 * nodes in the order of the screen, what an AI model reads of each tool, then the messages of a run.
 */
export async function textListing(): Promise<string> {
	const { credentialTypes } = await loadPackage();
	const ofTheEditor = [
		...Object.values(credentialTypes).map(credentialTexts),
		...builtNodes.map(({ describe }) => nodeTexts(describe())),
		[...heading('Tools, as an AI model reads them'), ...tools().map(toolText)],
	].flat();
	const shown = ofTheEditor.join('\n');
	const lines = [...ofTheEditor, ...messages((text) => !shown.includes(text))];
	return `${lines.join('\n').trim()}\n`;
}

/** Its arguments have the names in `test/parameters.txt`, and the descriptions of the parameters. */
const toolText = ({ operation, description }: Tool) => `${operation}: ${description}`;

const heading = (text: string) => ['', `===== ${text} =====`];

const credentialTexts = ({ displayName, properties }: ICredentialType): string[] => [
	...heading(displayName),
	...properties.flatMap((property) => propertyTexts(property, 0)),
];

function nodeTexts(node: INodeTypeDescription): string[] {
	/** A parameter of several operations is listed once, at the first of them. */
	const places = new Map<string, string[]>();
	for (const property of node.properties) {
		const text = propertyTexts(property, 0).join('\n');
		places.set(text, [...(places.get(text) ?? []), ...placesOf(property)]);
	}
	return [
		...heading(`${node.displayName}: ${node.description}`),
		...(node.hints ?? []).map(({ message }) => `Hint: ${message}`),
		...panelTexts(node),
		...[...places].flatMap(([text, at]) => [
			'',
			...(at.length > 0 ? [`-- ${at.join(', ')}`] : []),
			text,
		]),
	];
}

/** What the editor says about publishing a trigger. */
function panelTexts({ activationMessage, triggerPanel }: INodeTypeDescription): string[] {
	const { activationHint } = typeof triggerPanel === 'object' ? triggerPanel : {};
	const hints = typeof activationHint === 'object' ? Object.values(activationHint) : [];
	return [activationMessage, ...hints].flatMap((text) => text ?? []);
}

/** The operations or trigger events that show a parameter of a node. Empty if all do. */
function placesOf(property: INodeProperties): string[] {
	const { event = [] } = property.displayOptions?.show ?? {};
	return [...operations(property), ...event.map(String)].filter((place) => place !== '*');
}

type Member = INodeProperties | INodePropertyCollection | INodePropertyOptions;

/** A parameter's own texts, then those of its choices or of the parameters inside it. */
function propertyTexts(property: INodeProperties, depth: number): string[] {
	const { displayName, description, hint, placeholder, modes = [], typeOptions } = property;
	const lines = [
		line(depth, displayName, description),
		...(hint ? [line(depth + 1, 'hint', hint)] : []),
		...(placeholder ? [line(depth + 1, 'placeholder', placeholder)] : []),
		...(typeOptions?.multipleValueButtonText
			? [line(depth + 1, 'button', typeOptions.multipleValueButtonText)]
			: []),
		...modes.flatMap((mode) => [
			line(
				depth + 1,
				`mode ${mode.displayName}`,
				[mode.placeholder, mode.hint].filter(Boolean).join(' · '),
			),
		]),
	];
	const inner = ((property.options ?? []) as Member[]).flatMap((member) =>
		memberTexts(member, depth + 1),
	);
	return [...lines, ...inner];
}

function memberTexts(member: Member, depth: number): string[] {
	if ('values' in member) {
		const inside = member.values.flatMap((one) => propertyTexts(one, depth + 1));
		return [line(depth, member.displayName), ...inside];
	}
	if ('type' in member) return propertyTexts(member, depth);
	const { name, action, description } = member as INodePropertyOptions;
	return [line(depth, `* ${name}${action ? ` [${action}]` : ''}`, description)];
}

const line = (depth: number, label: string, text?: string) =>
	`${'  '.repeat(depth)}${label}${text ? `: ${text}` : ''}`;

/** The messages of a run: texts in the sources that the editor does not show, file by file. */
function messages(isWanted: (text: string) => boolean): string[] {
	const files = readdirSync(join(ROOT, 'nodes'), { recursive: true, encoding: 'utf8' })
		.map((name) => `nodes/${name.replaceAll('\\', '/')}`)
		.filter((path) => path.endsWith('.ts'))
		.sort();
	return [
		...heading('Messages of a run: errors, hints and notices, file by file'),
		...files.flatMap((path) => {
			const found = textsIn(path).filter((text) => isMessage(text) && isWanted(text));
			return found.length === 0 ? [] : ['', `-- ${path}`, ...found.map((text) => `  ${text}`)];
		}),
	];
}

/** Whether a text in the sources is for people: it has three words, without the values that are filled in. */
const isMessage = (text: string) =>
	(text.replace(/\$\{[^}]*\}/g, '').match(/(^|\s)[a-z']{2,}(?=[\s.,:;]|$)/gi) ?? []).length >= 3;

/** Every text in a source. */
function textsIn(path: string): string[] {
	const source = readFileSync(join(ROOT, path), 'utf8');
	const found: string[] = [];
	const visit = (node: ts.Node): void => {
		const isTemplate = ts.isTemplateExpression(node);
		if (isTemplate) found.push(node.getText().slice(1, -1).replace(/\s+/g, ' '));
		else if (ts.isStringLiteralLike(node)) found.push(node.text);
		if (!isTemplate) ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true));
	return found;
}
