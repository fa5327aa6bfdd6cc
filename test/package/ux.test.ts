import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
	INode,
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { builtNodes } from '../support/built.ts';
import { loadPackage, PACKAGE } from '../support/harness.ts';
import { workflow as n8n } from '../support/n8n.ts';
import { SCHEMAS } from '../support/schemas.ts';
import { operations as shownFor } from '../../scripts/docs/parameters.ts';
import { textListing } from '../../scripts/docs/texts.ts';

// What n8n asks of a verified node's texts (its "UX guidelines for community nodes" and "Node UI
// design"), as far as a program can judge them and n8n's own lint does not.

/** A text that a user reads, and where it is. */
interface Text {
	at: string;
	text?: string;
}

const loaded = await loadPackage();
const descriptions = builtNodes.map(({ describe }) => describe());
const properties = [...descriptions, ...Object.values(loaded.credentialTypes)].flatMap(
	everyProperty,
);
const operations = properties
	.filter(({ property }) => property.name === 'operation')
	.flatMap(({ property }) => {
		const resource = String(property.displayOptions?.show?.resource?.[0]);
		const options = property.options as INodePropertyOptions[];
		return options.map((option) => ({ ...option, resource }));
	});
const selector = properties.find(({ property }) => property.name === 'event')!.property;
const resourceNames = new Map(
	properties
		.filter(({ property }) => property.name === 'resource')
		.flatMap(({ property }) => property.options as INodePropertyOptions[])
		.map(({ value, name }) => [String(value), name]),
);

interface Placed {
	at: string;
	property: INodeProperties;
}

/** Every parameter of a node or a credential, those inside of collections too. */
function everyProperty({
	name,
	properties,
}: Pick<INodeTypeDescription, 'name' | 'properties'>): Placed[] {
	const inside = (property: INodeProperties, outer: string): Placed[] => {
		const at = `${outer} → ${property.displayName}`;
		const options = (property.options ?? []) as Array<INodeProperties | INodePropertyCollection>;
		const members =
			property.type === 'collection' || property.type === 'fixedCollection'
				? options.flatMap((option) => ('values' in option ? option.values : [option]))
				: [];
		return [{ at, property }, ...members.flatMap((member) => inside(member, at))];
	};
	return properties.flatMap((property) => {
		const { resource = [], operation = [] } = property.displayOptions?.show ?? {};
		const shown = [resource, operation].map((values) => values.join('|')).filter(Boolean);
		return inside(property, [name, ...shown].join('.'));
	});
}

const choicesOf = ({ type, options = [] }: INodeProperties) =>
	type === 'options' || type === 'multiOptions' ? (options as INodePropertyOptions[]) : [];

const choices = properties.flatMap(({ at, property }) =>
	choicesOf(property).map((choice) => ({ ...choice, at: `${at} → ${choice.name}` })),
);

const tooltips = [...properties.map(({ at, property }) => ({ ...property, at })), ...choices].map(
	({ at, description: text = '' }) => ({ at, text }),
);
const labels = [
	...properties
		.filter(({ property }) => property.type !== 'notice')
		.map(({ at, property }) => ({ at, text: property.displayName })),
	...choices.map(({ at, name }) => ({ at, text: name })),
];
const actions = operations.map(({ resource, action = '' }) => ({ at: resource, text: action }));
const isCollection = ({ property: { type } }: Placed) => /ollection$/.test(type);
const buttons = properties
	.filter(isCollection)
	.map(({ at, property }) => ({ at, text: property.placeholder }));
const placeholders = properties
	.filter((placed) => !isCollection(placed))
	.flatMap(({ at, property: { placeholder, modes = [] } }) =>
		// A list says what to choose, as those of n8n's own nodes do ("Select a Document...").
		[{ placeholder }, ...modes.filter(({ type }) => type !== 'list')].map(
			({ placeholder: text }) => ({ at, text }),
		),
	);

/** What a user reads, line by line, with the messages of a run. */
const lines = (await textListing())
	.split('\n')
	.filter((line) => !/^(--|==)/.test(line))
	.map((text) => ({ at: 'test/texts.txt', text }));

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

const RULES: Array<[rule: string, texts: Text[], isRight: (text: string) => boolean]> = [
	['an action has no article', actions, (text) => !/\b(an?|the)\b/i.test(text)],
	['a label is in Title Case', labels, isTitle],
	['a placeholder begins with "e.g."', placeholders, (text) => /^e\.g\. \S/.test(text)],
	['a button says what it adds', buttons, (text) => /^(Add|Set) /.test(text)],
	[
		'a tooltip names a parameter in single quotation marks',
		tooltips,
		(text) => !/"[A-Z]/.test(text) && !unquoted.test(text),
	],
	[
		'no text says "error", "problem", "failure" or "mistake"',
		lines,
		// Names in the code of what is filled in, such as `said(failure.what)`, are shown to nobody. n8n has
		// the setting 'On Error'.
		(text) => !/(?<!'On |[.({])\b(error|problem|failure|mistake)s?\b(?!\.\w|\))/i.test(text),
	],
];

it.each(RULES)('holds everywhere: %s', (_rule, texts, isRight) => {
	const present = texts.filter(({ text }) => text);
	expect(present.length).toBeGreaterThan(5);
	const wrong = present.filter(({ text = '' }) => !isRight(text));
	expect([...new Set(wrong.map(({ at, text }) => `${at}: ${text}`))]).toEqual([]);
});

const words = (text: string) => text.toLowerCase().match(/[a-z]+/g) ?? [];

// n8n's list of nodes shows one entry for both nodes, with the description of the trigger (seen in 2.41).
it('the description of the trigger fits both nodes', () => {
	const { description } = descriptions.find(({ displayName }) => displayName.endsWith('Trigger'))!;
	expect(description).toMatch(/start a workflow.* or work with/i);
});

it('an action names the resource, or what the operation is about in its place', () => {
	const unclear = operations.filter(({ resource, name, action = '' }) => {
		const has = (wanted: string[]) =>
			wanted.every((word) => words(action).some((one) => one === word || one === `${word}s`));
		const [, ...object] = words(name.replace(/^Get Many\b/, 'Get'));
		return !has(words(resourceNames.get(resource)!)) && !(object.length > 0 && has(object));
	});
	expect(unclear.map(({ resource, action }) => `${resource}: ${action}`)).toEqual([]);
});

it('a tooltip says more than the label', () => {
	const repeating = properties.filter(({ property: { displayName, description } }) => {
		const known = [...words(displayName), 'the', 'a', 'an', 'of', 'to'];
		return description && words(description).every((word) => known.includes(word));
	});
	expect(repeating.map(({ at }) => at)).toEqual([]);
});

// n8n's own rule looks for a parameter with the name "simple".
it('Simplify is described in the words that n8n asks for', () => {
	const simplify = properties.filter(({ property }) => property.displayName === 'Simplify');
	const texts = simplify.map(({ property }) => property.description);
	expect([...new Set(texts)]).toEqual([
		'Whether to return a simplified version of the response instead of the raw data',
	]);
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
	const RIGHT = [ID, ` ${ID.toUpperCase()}\u200b`, `https://app.example/x/${ID}?tab=1`];
	const WRONG = ['7', 'alba', `${ID}0`, 'https://app.example/x/7'];
	// Which agent a call is of it says in a form that is not shown.
	const isUuid = ({ at, property: { name } }: Placed) =>
		['agent_id', 'contact', 'selected_voice', 'voice_id'].includes(name) &&
		!/Filters|report\.create/.test(at);

	it.each(pickers.map((picker) => [picker.at, picker] as const))(
		'%s asks for a record before a run, and holds a wrong ID back',
		(at, picker) => {
			const { displayName, name, required } = picker.property;
			const isInside = at.split(' → ').length > 2;
			const asks = isInside ? /^Choose an? [a-z]/ : `Parameter "${displayName}" is required.`;
			const missing = issues(picker, 'list', '');
			expect(missing).toHaveLength(isInside || required ? 1 : 0);
			for (const text of missing) expect(text).toMatch(asks);
			expect(issues(picker, 'list', 'anything')).toEqual([]);
			const others = [name === 'default_language' ? 'en' : 'ORD 7/ä'];
			for (const id of ['={{ $json.id }}', ...(isUuid(picker) ? RIGHT : others)])
				expect(issues(picker, 'id', id)).toEqual([]);
			const message = expect.stringContaining(`'${displayName}' must be an ID such as`) as string;
			for (const id of isUuid(picker) ? WRONG : [])
				expect(issues(picker, 'id', id)).toEqual([message]);
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

describe('before a run, without a tooltip', () => {
	const numbers = properties.filter(({ property }) => property.type === 'number');

	it('a number that may be added says what it is otherwise', () => {
		const silent = numbers
			.filter(({ at }) => at.split(' → ').length > 2)
			.filter(({ property: { default: value, description = '' } }) => {
				const [, told] = /Defaults to ([\w,.]+?)[.:]/.exec(description) ?? [];
				return told !== String(value) && told !== 'automatic';
			});
		const advice = "End their descriptions with 'Defaults to' and the default";
		expect(
			silent.map(({ at }) => at),
			advice,
		).toEqual([]);
	});

	it.each(
		operations
			.filter(({ action = '' }) => / (which|of list)\b/.test(action))
			.map(({ resource, value, action }) => [action, resource, String(value)] as const),
	)('%s: that it reaches people is told', (_action, resource, operation) => {
		const own = properties.filter(({ property: { displayOptions: { show = {} } = {} }, at }) =>
			at.split(' → ').length > 2
				? at.startsWith(`ykVoice.${resource}.${operation} `)
				: show.resource?.includes(resource) && show.operation?.includes(operation),
		);
		const tells = ({ hint, type }: INodeProperties) => hint !== undefined || type === 'notice';
		expect(own.filter(({ property }) => tells(property))).toHaveLength(1);
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
	for (const { resource, value: operation, name } of operations) {
		const shown = subtitle(`${PACKAGE}.ykVoice`, { resource, operation });
		expect(shown).toBe(`${name}: ${resourceNames.get(resource)}`);
	}
	for (const { value: event, name } of choicesOf(selector)) {
		expect(subtitle(`${PACKAGE}.ykVoiceTrigger`, { event })).toBe(name);
	}
});

/** The operations whose answer is simplified unless the user says otherwise. */
const simplified = properties
	.filter(({ property }) => property.name === 'simplify')
	.flatMap(({ property }) => shownFor(property))
	.filter((operation) => operation !== '*')
	.map((operation) => operation.replace('.', '/'));

it('Simplify leaves at most ten fields that have a name', () => {
	const many = simplified
		.map((name) => {
			const schema = readFileSync(join(SCHEMAS, `${name}.json`), 'utf8');
			const { properties: named } = JSON.parse(schema) as { properties: object };
			return { name, fields: Object.keys(named).length };
		})
		.filter(({ fields }) => fields > 10);
	expect(simplified).toContain('agent/get');
	expect(many.map(({ name }) => name)).toEqual([]);
});
