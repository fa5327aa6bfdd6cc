import type { INodeProperties } from 'n8n-workflow';

import { byText, isObject, tidy, type JsonObject } from '../json';
import { isPath } from './baseUrl';
import { NAMES, NAMES_LABEL, RULES, USUAL_NAMES } from './names';
import type { NameKey, NameKind, Names } from './names';

const matching = (pattern: RegExp) => (text: string) => (pattern.test(text) ? text : undefined);

function listIn(text: string): string[] | undefined {
	const names = text.split(',').map(tidy).filter(Boolean);
	return names.length > 0 && names.every((name) => name.length <= 200) ? names : undefined;
}

const pathWith = (id: string) => (text: string) =>
	text.includes(id) && isPath(text) && !/[{}]/.test(text.replace(id, '')) ? text : undefined;

const eventPath = pathWith('{event_id}');

const METHODS = ['DELETE', 'PATCH', 'POST', 'PUT'];

/** Reads a name of each kind; undefined if the text cannot be one. */
const READERS: Readonly<Record<NameKind, (text: string) => string | string[] | undefined>> = {
	fields: listIn,
	field: matching(/^[^,.\p{Cc}]{1,200}$/u),
	unit: matching(/^(seconds|minutes|milliseconds)$/),
	portals(text) {
		const names = listIn(text) ?? [];
		const isSegment = (name: string) => /^(?!\.{1,2}$)[\w.~-]+$/.test(name);
		return names.length === 3 && names.every(isSegment) ? names : undefined;
	},
	path: pathWith(''),
	eventPath,
	eventRequest(text) {
		const at = text.indexOf(' ');
		const method = at < 0 ? 'POST' : text.slice(0, at).toUpperCase();
		const path = text.slice(at + 1).trim();
		return METHODS.includes(method) ? eventPath(path) && `${method} ${path}` : undefined;
	},
};

/** @param given the credential's value of `namesProperty` */
export function namesIn(given: unknown): Names {
	const names: JsonObject = { ...USUAL_NAMES };
	const seen = new Set<string>();
	for (const entry of entriesIn(given)) {
		const { what, name = '' } = isObject(entry) ? entry : {};
		const text = typeof name === 'string' ? tidy(name) : undefined;
		if (text === '') continue;
		if (typeof what !== 'string' || !Object.hasOwn(NAMES, what))
			throw wrong('an entry that this version does not know', 'Choose it again, or remove it.');
		const { label, kind } = NAMES[what as NameKey];
		if (seen.has(what))
			throw wrong(`'${label}' twice`, 'Write several names into one entry, with commas.');
		seen.add(what);
		names[what] = text === undefined ? undefined : READERS[kind](text);
		if (names[what] === undefined) throw wrong(`a wrong '${label}'`, `It must be ${RULES[kind]}.`);
	}
	return names as unknown as Names;
}

// The label is written out, so that a test finds this message in docs/credentials.md.
const wrong = (what: string, advice: string) =>
	new Error(`The credential has ${what} under 'Names in This API'. ${advice}`);

function entriesIn(given: unknown): unknown[] {
	const list = isObject(given) ? (given.name ?? []) : (given ?? '');
	if (list === '') return [];
	if (!Array.isArray(list)) throw wrong('a value that is no list', 'Enter the names one by one.');
	return list;
}

export const namesProperty: INodeProperties = {
	displayName: NAMES_LABEL,
	name: 'names',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Name',
	default: {},
	description:
		'Advanced: names of fields and paths in your account, if they differ from the usual ones. Leave it empty unless a message sends you here.',
	options: [
		{
			displayName: 'Name',
			name: 'name',
			values: [
				{
					displayName: 'What',
					name: 'what',
					type: 'options',
					options: Object.entries(NAMES)
						.map(([value, { label, usual, kind }]) => ({
							name: label,
							value,
							description: `Enter ${RULES[kind]}. Usually ${[usual].flat().join(', ') || 'known from the name of the length'}.`,
						}))
						.sort(byText(({ name }) => name)),
					// n8n (2.41) does not store a default of a credential, and shows an empty field when it is opened again.
					default: '',
					description: 'What has another name in your API',
				},
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					placeholder: 'e.g. talk_time',
					description: 'Its name in your API. Leave empty for the usual one.',
				},
			],
		},
	],
};
