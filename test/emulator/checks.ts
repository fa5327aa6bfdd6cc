import { invalid, Refusal } from './envelope.ts';
import type { Readings } from './readings.ts';
import { instant } from './time.ts';

/** Takes one value of a body and gives back what is stored, or refuses it with a 400. */
export type Rule = (value: unknown, name: string) => unknown;
export type Rules = Readonly<Record<string, Rule>>;
export type Fields = Record<string, unknown>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const E164 = /^\+\d{8,15}$/;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

const ISO_639_1 = new Set(
	(
		'aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el ' +
		'en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ' +
		'ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na ' +
		'nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so ' +
		'sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu'
	).split(' '),
);

export function isUuid(value: unknown): value is string {
	return typeof value === 'string' && UUID.test(value);
}

/** Section "Other records": phone numbers are E.164; an invalid one is a 400 (section "Errors"). */
export function isPhone(value: unknown): value is string {
	return typeof value === 'string' && E164.test(value);
}

/** Limits count characters, so an emoji is one and not two. */
export function characters(text: string): number {
	let count = 0;
	for (const _ of text) count += 1;
	return count;
}

export function isBlank(text: string): boolean {
	return text.trim() === '';
}

export function isObject(value: unknown): value is Fields {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads an object by its rules: unknown properties, missing ones and wrong values are a 400 (section "Errors"). */
export function readFields(
	body: unknown,
	rules: Rules,
	required: readonly string[] = [],
	where = 'body',
): Fields {
	if (!isObject(body)) throw invalid(`${where} must be a JSON object`);
	const unknown = Object.keys(body).filter((name) => !Object.hasOwn(rules, name));
	if (unknown.length > 0) {
		const names = unknown.join(', ');
		throw invalid(`${where} has unknown or read-only properties: ${names}`, unknown);
	}
	const missing = required.filter((name) => body[name] === undefined);
	if (missing.length > 0) throw invalid(`${where} lacks required properties`, missing);
	return Object.fromEntries(
		Object.entries(body).map(([name, value]) => [name, rules[name]!(value, name)]),
	);
}

/** As readFields, for a partial update: an empty object is a 400 (section "Agent update", rule 5). */
export function readChanges(body: unknown, rules: Rules): Fields {
	const fields = readFields(body, rules);
	if (Object.keys(fields).length === 0)
		throw invalid('the body must contain at least one property');
	return fields;
}

export function nullable(rule: Rule): Rule {
	return (value, name) => (value === null ? null : rule(value, name));
}

export function text({ max = Infinity, min = 0 }: { max?: number; min?: number } = {}): Rule {
	return (value, name) => {
		if (typeof value !== 'string') throw invalid(`${name} must be a string`);
		if (characters(value) > max) throw invalid(`${name} has more than ${max} characters`);
		if (min > 0 && (characters(value) < min || isBlank(value)))
			throw invalid(`${name} must not be blank`);
		return value;
	};
}

export function oneOf(...allowed: string[]): Rule {
	return (value, name) => {
		if (typeof value !== 'string' || !allowed.includes(value))
			throw invalid(`${name} must be one of ${allowed.join(', ')}`);
		return value;
	};
}

export function number({
	min = -Infinity,
	whole = false,
}: { min?: number; whole?: boolean } = {}): Rule {
	return (value, name) => {
		const fits = typeof value === 'number' && value >= min && (!whole || Number.isInteger(value));
		if (!fits)
			throw invalid(`${name} must be ${whole ? 'an integer' : 'a number'} of at least ${min}`);
		return value;
	};
}

export function listOf(rule: Rule, max = Infinity): Rule {
	return (value, name) => {
		if (!Array.isArray(value)) throw invalid(`${name} must be an array`);
		if (value.length > max) throw invalid(`${name} has more than ${max} items`);
		return value.map((item, index) => rule(item, `${name}[${index}]`));
	};
}

function test(passes: (value: unknown) => boolean, form: string): Rule {
	return (value, name) => {
		if (!passes(value)) throw invalid(`${name} must be ${form}`);
		return value;
	};
}

export const boolean = test((value) => typeof value === 'boolean', 'true or false');
/** Stored in lower case, as a UUID is the same in either. */
export const uuid: Rule = (value, name) => {
	if (!isUuid(value)) throw invalid(`${name} must be a UUID`);
	return value.toLowerCase();
};
/** A UUID, or any text where ids are of another form. */
export const identifier: Rule = (value, name) => {
	if (typeof value !== 'string' || isBlank(value)) throw invalid(`${name} must be an identifier`);
	return value;
};
export const phone = test(isPhone, 'a phone number in E.164 format');
export const email = test(
	(value) => typeof value === 'string' && EMAIL.test(value),
	'an email address',
);
export const language = test(
	(value) => typeof value === 'string' && ISO_639_1.has(value),
	'an ISO 639-1 code',
);
export const currency = test(
	(value) => typeof value === 'string' && /^[A-Z]{3}$/.test(value),
	'an ISO 4217 code',
);
export const date = test(
	(value) => typeof value === 'string' && value.length === 10 && instant(value) !== undefined,
	'a date YYYY-MM-DD',
);
export const clockTime = test(
	(value) => typeof value === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(value),
	'a time HH:MM',
);

/** Refuses a body with more entries in its lists than the server takes at once. */
export function checkBatch(body: unknown, { batch }: Readings): void {
	const most = Number(/\d+/.exec(batch)?.[0] ?? Infinity);
	const lists = isObject(body) ? Object.values(body).filter(Array.isArray) : [];
	if (lists.flat().length <= most) return;
	if (batch.endsWith('413')) throw new Refusal(413, 'PAYLOAD_TOO_LARGE', 'request too large');
	throw invalid('invalid data');
}
