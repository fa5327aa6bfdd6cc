import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
	INode,
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyMode,
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
	text: string;
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

/** The tooltips, of parameters and of their options. */
const tooltips: Text[] = properties.flatMap(({ at, property }) => [
	...(property.description ? [{ at, text: property.description }] : []),
	...choicesOf(property)
		.filter(({ description }) => description)
		.map(({ name, description = '' }) => ({ at: `${at} → ${name}`, text: description })),
]);

const labels: Text[] = properties.flatMap(({ at, property }) => [
	...(property.type === 'notice' ? [] : [{ at, text: property.displayName }]),
	...choicesOf(property).map(({ name }) => ({ at, text: name })),
]);

const failing = (texts: Text[], isRight: (text: string) => boolean) => [
	...new Set(texts.filter(({ text }) => !isRight(text)).map(({ at, text }) => `${at}: ${text}`)),
];

const words = (text: string) => text.toLowerCase().match(/[a-z]+/g) ?? [];

describe('an action', () => {
	const actions = operations.map(({ resource, value, action = '' }) => ({
		at: `${resource}.${String(value)}`,
		text: action,
	}));

	it('has no article', () => {
		expect(failing(actions, (text) => !/\b(an?|the)\b/i.test(text))).toEqual([]);
	});

	it('names the resource, or what the operation is about in its place', () => {
		const unclear = operations.filter(({ resource, name, action = '' }) => {
			const has = (wanted: string[]) =>
				wanted.every((word) => words(action).some((one) => one === word || one === `${word}s`));
			const [, ...object] = words(name.replace(/^Get Many\b/, 'Get'));
			return !has(words(resourceNames.get(resource)!)) && !(object.length > 0 && has(object));
		});
		expect(unclear.map(({ resource, action }) => `${resource}: ${action}`)).toEqual([]);
	});
});

// n8n's own rule looks for a parameter with the name "simple".
it('Simplify is described in the words that n8n asks for', () => {
	const simplify = properties.filter(({ property }) => property.displayName === 'Simplify');
	const texts = simplify.map(({ property }) => property.description);
	expect([...new Set(texts)]).toEqual([
		'Whether to return a simplified version of the response instead of the raw data',
	]);
});

describe('a tooltip', () => {
	it('says more than the label', () => {
		const repeating = properties
			.filter(({ property }) => property.description)
			.filter(({ property: { displayName, description = '' } }) => {
				const known = new Set([...words(displayName), 'the', 'a', 'an', 'of', 'to']);
				return words(description).every((word) => known.has(word));
			});
		expect(repeating.map(({ at }) => at)).toEqual([]);
	});

	it('names a parameter in single quotation marks', () => {
		const names = new Set(
			properties
				.map(({ property }) => property.displayName)
				// Of one word, only a reader can tell the parameter from the word.
				.filter((name) => / [A-Z]/.test(name)),
		);
		const isRight = (text: string) =>
			[...names].every((name) => !new RegExp(`(?<!')\\b${name}\\b(?!')`).test(text));
		expect(failing(tooltips, isRight)).toEqual([]);
		expect(failing(tooltips, (text) => !/"[A-Z]/.test(text))).toEqual([]);
	});
});

it('a placeholder begins with "e.g."; the button that adds a field says what it adds', () => {
	const placeholders = properties.flatMap(({ at, property }) => [
		{ at, property, text: property.placeholder },
		...(property.modes ?? []).map((mode: INodePropertyMode) => ({
			at: `${at} → ${mode.displayName}`,
			property,
			text: mode.placeholder,
		})),
	]);
	const wrong = placeholders.filter(({ property: { type }, text }) => {
		if (text === undefined) return false;
		const isButton = type === 'collection' || type === 'fixedCollection';
		return !(isButton ? /^(Add|Set) / : /^e\.g\. \S/).test(text);
	});
	expect(wrong.map(({ at, text }) => `${at}: ${text}`)).toEqual([]);
});

describe('a picker', () => {
	const pickers = properties.filter(({ property }) => property.type === 'resourceLocator');
	const named = pickers.map((picker) => [picker.at, picker] as const);
	const UUIDS = ['agent_id', 'contact', 'selected_voice', 'voice_id'];

	/** What the editor holds against an entry in a mode, before a run. */
	const issues = ({ property }: Placed, mode: string, value: string): string[] => {
		const values = { [property.name]: { __rl: true, mode, value } };
		const shown = { ...property, displayOptions: undefined };
		const found = n8n.NodeHelpers.getParameterIssues(shown, values, '', {} as INode, null);
		return Object.values(found?.parameters ?? {}).flat();
	};

	const ID = '3f2b8c1e-5d7a-4e90-9b1c-2a6d4f8e0b37';
	// Which agent a call is of it says in a form that is not shown.
	const isUuid = ({ at, property: { name } }: Placed) =>
		UUIDS.includes(name) && !/Filters|report\.create/.test(at);

	it.each(named)('%s asks for a record before a run, and holds a wrong ID back', (at, picker) => {
		const { displayName, required } = picker.property;
		const missing = issues(picker, 'list', '');
		const isInside = at.split(' → ').length > 2;
		if (isInside) expect(missing).toEqual([expect.stringMatching(/^Choose an? [a-z]/)]);
		else expect(missing).toEqual(required ? [`Parameter "${displayName}" is required.`] : []);
		expect(issues(picker, 'list', 'anything')).toEqual([]);
		expect(issues(picker, 'id', '={{ $json.id }}')).toEqual([]);

		const isLanguage = picker.property.name === 'default_language';
		if (!isUuid(picker))
			return expect(issues(picker, 'id', isLanguage ? 'en' : 'ORD 7/ä')).toEqual([]);
		for (const id of [ID, ` ${ID.toUpperCase()}\u200b`, `https://app.example/x/${ID}?tab=1`]) {
			expect(issues(picker, 'id', id)).toEqual([]);
		}
		for (const id of ['7', 'alba', `${ID}0`, 'https://app.example/x/7']) {
			const message = expect.stringContaining(`'${displayName}' must be a UUID`);
			expect(issues(picker, 'id', id)).toEqual([message]);
		}
	});

	it('by phone number takes what can be dialled', () => {
		const contact = pickers.find(({ property }) => property.name === 'contact')!;
		for (const right of ['+14155550123', ' +39 (333) 123-4567 ', '\u202a+39.333/1234567']) {
			expect(issues(contact, 'phone', right)).toEqual([]);
		}
		for (const wrong of ['4155550123', '+0155550123', '+1415', 'Ann']) {
			expect(issues(contact, 'phone', wrong)).toHaveLength(1);
		}
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

it('labels are in Title Case', () => {
	const SMALL = /^(a|an|and|as|at|by|for|from|in|of|on|or|per|the|to|with)$/;
	const isTitle = (text: string) =>
		text
			.replace(/ \(.*\)$/, '')
			.split(/[\s/-]+/)
			.every((word, at) => /^[A-Z0-9]/.test(word) || (at > 0 && SMALL.test(word)));
	expect(failing(labels, isTitle)).toEqual([]);
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

it('Simplify leaves at most ten fields that have a name, but of an updated agent', () => {
	const many = simplified
		.map((name) => {
			const schema = readFileSync(join(SCHEMAS, `${name}.json`), 'utf8');
			const { properties: named } = JSON.parse(schema) as { properties: object };
			return { name, fields: Object.keys(named).length };
		})
		.filter(({ fields }) => fields > 10);
	expect(simplified).toContain('agent/get');
	// An update answers with every field that it can change: the one that was changed is among them.
	expect(many.map(({ name }) => name)).toEqual(['agent/update']);
});

it('no text says "error", "problem", "failure" or "mistake"', async () => {
	const lines = (await textListing()).split('\n').filter((line) => !/^(--|==)/.test(line));
	// Names in the code of what is filled in, such as `said(failure.what)`, are shown to nobody.
	const WORD = /(?<![.({])\b(error|problem|failure|mistake)s?\b(?!\.\w|\))/i;
	expect(lines.filter((line) => WORD.test(line))).toEqual([]);
});
