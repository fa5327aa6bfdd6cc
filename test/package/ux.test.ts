import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
	INode,
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { builtNodes } from '../support/built.ts';
import { loadPackage, PACKAGE } from '../support/harness.ts';
import { workflow as n8n } from '../support/n8n.ts';
import { SCHEMAS } from '../support/schemas.ts';
import { operations as shownFor } from '../../scripts/docs/parameters.ts';

// What n8n asks of a verified node's texts (its "UX guidelines for community nodes" and "Node UI
// design"), as far as a program can judge them and n8n's own lint does not.

const loaded = await loadPackage();
const descriptions = builtNodes.map(({ describe }) => describe());

/** A parameter, and where it is: node, resource, operation, and the labels of its collections and its own. */
interface Placed {
	at: string;
	property: INodeProperties;
	/** Whether it stands in a collection. */
	isInside: boolean;
}

const isCollection = ({ type }: INodeProperties) => /ollection$/.test(type);

/** A parameter, and those inside of it. */
function inside(property: INodeProperties, outer: string, isInside = false): Placed[] {
	const at = `${outer} → ${property.displayName}`;
	const options = (property.options ?? []) as Array<INodeProperties | INodePropertyCollection>;
	const members = options.flatMap((option) => ('values' in option ? option.values : [option]));
	return [
		{ at, property, isInside },
		...(isCollection(property) ? members : []).flatMap((member) =>
			inside(member as INodeProperties, at, true),
		),
	];
}

const properties = [...descriptions, ...Object.values(loaded.credentialTypes)].flatMap(
	({ name, properties }) =>
		properties.flatMap((property) => {
			const { resource = [], operation = [] } = property.displayOptions?.show ?? {};
			const shown = [resource, operation].map((values) => values.join('|')).filter(Boolean);
			return inside(property, [name, ...shown].join('.'));
		}),
);

const choicesOf = ({ type, options = [] }: INodeProperties) =>
	type === 'options' || type === 'multiOptions' ? (options as INodePropertyOptions[]) : [];

const named = (wanted: string) => properties.filter(({ property: { name } }) => name === wanted);
const choicesOfAll = (all: Placed[]) =>
	all.flatMap(({ at, property }) =>
		choicesOf(property).map((choice) => ({ ...choice, at: `${at} → ${choice.name}`, property })),
	);
const choices = choicesOfAll(properties);
const resources = choicesOfAll(named('resource'));
const operations = choicesOfAll(named('operation')).map((operation) => {
	const resource = operation.property.displayOptions?.show?.resource?.[0];
	const { name } = resources.find(({ value }) => value === resource)!;
	return { ...operation, resource: String(resource), resourceName: name };
});

interface Text {
	at: string;
	text: string | undefined;
}

const tooltips = [...properties.map(({ at, property }) => ({ ...property, at })), ...choices].map(
	({ at, description: text }): Text => ({ at, text }),
);
const placeholders = properties
	// That of a collection is the text of its button.
	.filter(({ property }) => !isCollection(property))
	.flatMap(({ at, property }) =>
		// A list says what to choose, as those of n8n's own nodes do ("Select a Document...").
		[property, ...(property.modes ?? []).filter(({ type }) => type !== 'list')].map(
			({ placeholder: text }): Text => ({ at, text }),
		),
	);

/** Labels of two words or more. Of one word, only a reader can tell the parameter from the word. */
const names = properties
	.map(({ property }) => property.displayName)
	.filter((name) => / [A-Z]/.test(name));
const unquoted = new RegExp(`(?<!')\\b(${[...new Set(names)].join('|')})\\b(?!')`);

const SMALL = /^(a|an|and|as|at|by|for|from|in|of|on|or|per|the|to|with)$/;

const isTitle = (text: string) =>
	text
		.replace(/ \(.*\)$/, '')
		.split(/[\s/-]+/)
		.every((word, at) => /^[A-Z0-9]/.test(word) || (at > 0 && SMALL.test(word)));

const words = (text: string) => text.toLowerCase().match(/[a-z]+/g) ?? [];

/** A rule that holds everywhere. What breaks it is named with its place. */
function rule<Case extends { at: string }>(
	title: string,
	cases: Case[],
	isRight: (one: Case) => boolean,
): void {
	it(title, () => {
		expect(cases.length).toBeGreaterThan(0);
		const wrong = cases.filter((one) => !isRight(one));
		const textOf = (one: Case & { text?: string }) => `${one.at}: ${one.text ?? ''}`;
		expect([...new Set(wrong.map(textOf))]).toEqual([]);
	});
}

/** A rule for texts. */
const textRule = (title: string, texts: Text[], isRight: (text: string) => boolean) =>
	rule(title, texts, ({ text }) => !text || isRight(text));

rule('an action has no article', operations, ({ action = '' }) => !/\b(an?|the)\b/i.test(action));
rule(
	'an action names the resource, or what the operation is about in its place',
	operations,
	({ resourceName, name, action = '' }) => {
		const has = (wanted: string[]) =>
			wanted.every((word) => words(action).some((one) => one === word || one === `${word}s`));
		const [, ...object] = words(name.replace(/^Get Many\b/, 'Get'));
		return has(words(resourceName)) || (object.length > 0 && has(object));
	},
);
// Those of parameters are judged by n8n's lint.
rule('a choice is in Title Case', choices, ({ name }) => isTitle(name));
rule('a tooltip says more than the label', properties, ({ property }) => {
	const known = [...words(property.displayName), 'the', 'a', 'an', 'of', 'to'];
	const said = words(property.description ?? '');
	return said.length === 0 || !said.every((word) => known.includes(word));
});
textRule(
	'a tooltip names a parameter in single quotation marks',
	tooltips,
	(text) => !/"[A-Z]/.test(text) && !unquoted.test(text),
);
textRule('a placeholder begins with "e.g."', placeholders, (text) => /^e\.g\. \S/.test(text));
rule(
	"a number that may be added says what it is otherwise: 'Defaults to' and the default",
	properties.filter(({ isInside, property: { type } }) => isInside && type === 'number'),
	({ property: { default: value, description = '' } }) => {
		const [, told] = /Defaults to ([\w,.]+?)[.:]/.exec(description) ?? [];
		return told === String(value) || told === 'automatic';
	},
);
rule(
	'an operation that reaches or removes people says so without a tooltip, once',
	operations.filter(({ action = '' }) => /\b(paid|people|notify)\b|^Sync/.test(action)),
	({ resource, value: operation }) => {
		const own = properties.filter(({ at, isInside, property: { displayOptions } }) =>
			isInside
				? at.startsWith(`ykVoice.${resource}.${String(operation)} `)
				: displayOptions?.show?.resource?.includes(resource) &&
					displayOptions.show.operation?.includes(operation as string),
		);
		const telling = own.filter(({ property: { hint, type } }) => hint || type === 'notice');
		return telling.length === 1;
	},
);

const simplified = named('simplify')
	.flatMap(({ property }) => shownFor(property))
	.filter((operation) => operation !== '*')
	.map((at) => ({ at }));

rule('Simplify leaves at most ten fields that have a name', simplified, ({ at }) => {
	const schema = readFileSync(join(SCHEMAS, `${at.replace('.', '/')}.json`), 'utf8');
	return Object.keys((JSON.parse(schema) as { properties: object }).properties).length <= 10;
});

it.each(builtNodes)(
	'$className has properties of its own in each instance, as n8n changes them',
	({ describe: describeNode }) =>
		expect(describeNode().properties).not.toBe(describeNode().properties),
);

it.each(descriptions)('$displayName has no parameter twice in one operation', ({ properties }) => {
	/** Whether there is a state of the node in which both parameters are shown. */
	const canMeet = (one: INodeProperties, other: INodeProperties) => {
		const [shown, otherShown] = [one, other].map((of) => of.displayOptions?.show ?? {});
		return Object.entries(shown!).every(([name, values = []]) =>
			(otherShown![name] ?? values).some((value) => values.includes(value as never)),
		);
	};
	const twice = properties.filter((one, at) =>
		properties.slice(0, at).some((other) => one.name === other.name && canMeet(one, other)),
	);
	expect(twice.map((one) => `${shownFor(one).join()} ${one.name}`)).toEqual([]);
});

describe('a picker', () => {
	// An account is chosen by its name, and Account is not there unless somebody adds it.
	const pickers = properties.filter(
		({ property }) => property.type === 'resourceLocator' && property.name !== 'account',
	);

	/** What the editor holds against an entry in a mode, before a run. */
	const issues = ({ property }: Placed, mode: string, value: string): string[] => {
		const values = { [property.name]: { __rl: true, mode, value } };
		const shown = { ...property, displayOptions: undefined };
		const found = n8n.NodeHelpers.getParameterIssues(shown, values, '', {} as INode, null);
		return Object.values(found?.parameters ?? {}).flat();
	};

	const ID = '3f2b8c1e-5d7a-4e90-9b1c-2a6d4f8e0b37';
	const RIGHT = ['={{ $json.id }}', ID, `https://app.example/x/${ID}?tab=1`];
	const WRONG = ['7', `${ID}0`, 'https://app.example/x/7'];
	// Which agent a call is of it says in a form that is not shown.
	const isUuid = ({ at, property: { name } }: Placed) =>
		['agent_id', 'contact', 'selected_voice', 'voice_id'].includes(name) &&
		!/Filters|report\.create/.test(at);

	it.each(pickers.map((picker) => [picker.at, picker] as const))(
		'%s asks for a record before a run, and holds a wrong ID back',
		(_at, picker) => {
			const { isInside, property } = picker;
			expect(issues(picker, 'list', '')).toHaveLength(isInside || property.required ? 1 : 0);
			if (!isUuid(picker)) return;
			for (const id of RIGHT) expect(issues(picker, 'id', id)).toEqual([]);
			const message = `'${property.displayName}' must be an ID such as`;
			for (const id of WRONG) expect(issues(picker, 'id', id)[0]).toContain(message);
		},
	);

	it('by phone number takes what can be dialled', () => {
		const contact = pickers.find(({ property }) => property.name === 'contact')!;
		for (const right of ['+14155550123', ' +39 (333) 123-4567 ', '\u202a+39.333/1234567'])
			expect(issues(contact, 'phone', right)).toEqual([]);
		for (const wrong of ['4155550123', '+0155550123', '+1415', 'Ann'])
			expect(issues(contact, 'phone', wrong)).toHaveLength(1);
	});
});

it('the subtitle on the canvas is in words, for every operation and event', () => {
	/** As the editor shows it. */
	const subtitle = (type: string, parameters: INodeParameters) => {
		const node = { id: '1', name: 'Node', type, typeVersion: 1, position: [0, 0], parameters };
		const nodes = [node] as INode[];
		const { nodeTypes } = loaded;
		const workflow = new n8n.Workflow({ nodes, connections: {}, active: false, nodeTypes });
		const { description } = nodeTypes.getByNameAndVersion(type, 1);
		return workflow.expression.getSimpleParameterValue(
			workflow.getNode('Node')!,
			description.subtitle,
			'internal',
			{},
		);
	};
	for (const { resource, resourceName, value: operation, name } of operations) {
		const shown = subtitle(`${PACKAGE}.ykVoice`, { resource, operation });
		expect(shown).toBe(`${name}: ${resourceName}`);
	}
	for (const { value: event, name } of choicesOfAll(named('event'))) {
		expect(subtitle(`${PACKAGE}.ykVoiceTrigger`, { event })).toBe(name);
	}
});
