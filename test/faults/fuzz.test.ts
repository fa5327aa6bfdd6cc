import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterAll, expect, it } from 'vitest';

import { Clock } from '../support/clock.ts';
import { placesOf } from '../support/places.ts';
import { locator, samplesFor } from '../support/samples.ts';
import { sleepOn } from '../support/sleep.ts';
import { byKey, isFull, labelOf, operations, run, startEmulator, tally } from './lab.ts';
import { sent } from './watch.ts';

const CASES = isFull ? 12_000 : 1000;

/** A new account after so many cases, because they change its records. */
const CASES_PER_ACCOUNT = 100;

const places = new Map(operations.map((name) => [name, placesOf(name)]));
/** What n8n refused to run, in its own words. */
const refusals = new Set<string>();

const counted = { cases: 0, refused: 0, sent: 0, places: new Set<string>() };

// Some operations wait for minutes, so time passes at once.
const clock = new Clock();
const giveBackSleep = sleepOn(clock);
const start = async () => await startEmulator({ data: 'small', now: () => clock.server });

let emulator = await start();
let samples = samplesFor(emulator);
const prototype = JSON.stringify(Object.getOwnPropertyNames(Object.prototype));

afterAll(async () => {
	giveBackSleep();
	clock.thaw();
	await emulator.close();
	const all = [...places].flatMap(([name, those]) => those.map((place) => `${name} ${place.name}`));
	console.log(
		`Fuzz: ${counted.cases} cases, ${counted.places.size} of ${all.length} places, ${counted.refused} refused before sending, ${counted.sent} that sent ${tally.requests} requests`,
	);
});

const ID = '3f2b8c1e-5d7a-4e90-9b1c-2a6d4f8e0b37';

const WAYS_OUT = [
	'../',
	'..',
	'.',
	'/..',
	'/../../admin',
	'%2e%2e',
	'%2E%2e/',
	'%2e%2e%2fadmin',
	'..%2f..%2f',
	'..%5c',
	'%252e%252e%252f',
	'..;/',
	'//evil.example',
	'///evil.example/v1',
	'\\\\evil.example',
	'/\\evil.example',
	'http://evil.example/v1',
	'https:evil.example',
	'javascript:alert(1)',
	'@evil.example',
	':80@evil.example/',
	'.evil.example',
	'?x=1',
	'?limit=1&offset=2',
	'&x=1',
	'#',
	'#fragment',
	';x=1',
	'\r\nX-Evil: 1',
	'\r\n\r\nGET /v1/evil HTTP/1.1\r\nHost: evil.example\r\n\r\n',
	'%0d%0aX-Evil:%201',
	'\n',
	'\0',
	'%00',
	'\u2028',
	'／..／',
	'．．/',
	'\ud800',
	' ',
	'\t',
	'{event_id}',
	'{{ $credentials.apiKey }}',
	'={{ $credentials.apiKey }}',
	'${process.env}',
	"' OR 1=1 --",
	'<script>',
];

const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__rl'];

/** Expressions that find nothing, or give values that JSON cannot hold. */
const EXPRESSIONS = [
	'={{ undefined }}',
	'={{ null }}',
	'={{ $json.missing }}',
	'={{ $json.missing?.deeper }}',
	'={{ $json["__proto__"] }}',
	'={{ [] }}',
	'={{ {} }}',
	'={{ NaN }}',
	'={{ Infinity }}',
	'={{ $now }}',
	'={{ new Date(0) }}',
	'={{ () => 1 }}',
	'={{ /x/ }}',
	'={{ "" }}',
];

const polluted = JSON.parse(
	'{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
) as unknown;

const deep = (levels: number) => {
	let value: unknown = 'x';
	for (let level = 0; level < levels; level++) value = { a: value };
	return value;
};

const text = fc.oneof(
	{ weight: 4, arbitrary: fc.constantFrom(...WAYS_OUT) },
	{
		weight: 3,
		arbitrary: fc
			.tuple(
				fc.constantFrom(ID, '/contacts', '/events/{event_id}', '+14155550123', 'a', ''),
				fc.constantFrom(...WAYS_OUT),
				fc.constantFrom('', 'admin', '/x', ID),
			)
			.map((parts) => parts.join('')),
	},
	{ weight: 1, arbitrary: fc.constantFrom(...NAMES) },
	{ weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
	{ weight: 1, arbitrary: fc.constantFrom('', ' ', 'x'.repeat(30_000), '😀'.repeat(12_000)) },
	{ weight: 2, arbitrary: fc.constantFrom(ID, '+14155550123', '2026-01-31T09:00:00Z', '7') },
);

const value: fc.Arbitrary<unknown> = fc.oneof(
	{ weight: 6, arbitrary: text },
	{ weight: 2, arbitrary: fc.constantFrom(...EXPRESSIONS) },
	{
		weight: 1,
		arbitrary: fc.constantFrom<unknown>(undefined, null, true, false, [], {}, [[]], [null]),
	},
	{ weight: 1, arbitrary: fc.constantFrom<unknown>(0, -1, 1.5, 1e21, -0, 2 ** 53, 101, 1) },
	{ weight: 1, arbitrary: fc.constantFrom<unknown>(polluted, deep(200), [deep(50)]) },
	{ weight: 1, arbitrary: fc.array(text, { maxLength: 4 }) },
	{ weight: 1, arbitrary: fc.dictionary(fc.oneof(text, fc.constant('a')), text, { maxKeys: 3 }) },
);

interface Change {
	name: string;
	value: unknown;
	/** Whether the value gets the form of the parameter's type. */
	isWrapped: boolean;
	/** The mode of a resource locator. */
	mode: string;
	/** Whether the value comes from the input item, by an expression. */
	isFromItem: boolean;
}

function wrap({ value: inner, mode, isWrapped }: Change, type: string): unknown {
	if (!isWrapped) return inner;
	if (type === 'resourceLocator') return locator(inner, mode);
	if (type === 'json') return JSON.stringify(inner) ?? '{"a":';
	if (type !== 'resourceMapper') return inner;
	const names = [inner].flat().map((part) => (typeof part === 'string' ? part : 'a.b'));
	return {
		mappingMode: mode === 'id' ? 'autoMapInputData' : 'defineBelow',
		value: Object.fromEntries(names.map((name) => [name, inner])),
		schema: names.map((id) => ({ id })),
		matchingColumns: [],
	};
}

const casesOf = (operation: string, names: string[], hostile: fc.Arbitrary<unknown>) =>
	fc.record({
		operation: fc.constant(operation),
		variant: fc.nat({ max: 4 }),
		changes: fc.array(
			fc.record({
				name: fc.constantFrom(...names),
				value: hostile,
				isWrapped: fc.boolean(),
				mode: fc.constantFrom('id', 'list', 'phone', 'url', '__proto__'),
				isFromItem: fc.boolean(),
			}),
			{ minLength: 1, maxLength: 2 },
		),
	});

/** Parameters with which the user changes assumed paths: any path below /v1 is right there. */
const FREE_PATHS = ['path', 'options', 'options.path', 'options.method', 'options.portal_type'];

/** The places that hold a path or a part of one. One case in ten is about these. */
const pathsOf = (operation: string) =>
	places
		.get(operation)!
		.map(({ name }) => name)
		.filter((name) => /^(options\.)?(path|portal_type)$/.test(name));

const cases = fc.oneof(
	{
		weight: 9,
		arbitrary: fc.constantFrom(...operations).chain((operation) => {
			const names = places.get(operation)!.map(({ name }) => name);
			return casesOf(operation, names, value);
		}),
	},
	{
		weight: 1,
		arbitrary: fc
			.constantFrom(...operations.filter((operation) => pathsOf(operation).length > 0))
			.chain((operation) => casesOf(operation, pathsOf(operation), text)),
	},
);

/** Parameters whose value makes it another operation, or none. */
const SELECTORS = ['resource', 'authentication'];

/** Parameters in which the user names query parameters. */
const FREE_QUERIES = ['filters', 'query', 'filters.fieldFilters'];

const HEADERS = [
	'accept',
	'accept-encoding',
	'authorization',
	'connection',
	'content-length',
	'content-type',
	'host',
	'transfer-encoding',
	'user-agent',
];

/** Errors of JavaScript, which say nothing to a user. */
const INTERNAL =
	/Cannot (read|convert|set|create)|is not (a function|iterable|defined|an object)|URI malformed|Invalid URL|call stack|circular structure|Unexpected token/i;

async function tryCase(operation: string, variant: number, changes: Change[]): Promise<void> {
	if (counted.cases > 0 && counted.cases % CASES_PER_ACCOUNT === 0) {
		await emulator.close();
		emulator = await start();
		samples = samplesFor(emulator);
	}
	counted.cases += 1;
	emulator.reset();
	const { parameters: own, also = [], items = [{}] } = samples[operation]!;
	const [resource, name] = operation.split('.') as [string, string];
	const json: IDataObject = { ...items[0] };
	let parameters: INodeParameters = {
		resource,
		operation: name,
		...[own, ...also][variant % (also.length + 1)],
	};
	changes.forEach((change, index) => {
		const { name: at, isFromItem } = change;
		const place = places.get(operation)!.find((one) => one.name === at)!;
		counted.places.add(`${operation} ${at}`);
		const hostile = wrap(change, place.property.type);
		if (isFromItem) json[`bad${index}`] = hostile as IDataObject;
		parameters = place.put(parameters, isFromItem ? `={{ $json.bad${index} }}` : hostile);
	});

	const before = sent.length;
	const result = await run(emulator, {
		parameters,
		items: [{ json }],
		credentials: byKey(emulator.url, emulator.keys.all),
	}).catch((refusal: Error) => void refusals.add(refusal.message.split('\n')[0]!));
	const requests = sent.slice(before);
	if (requests.length === 0) counted.refused += 1;
	else counted.sent += 1;

	const isFree =
		operation === 'apiRequest.send' || changes.some(({ name: at }) => FREE_PATHS.includes(at));
	if (!isFree) expect(emulator.unknown).toEqual([]);
	for (const { path } of requests) {
		const [pathname = ''] = path.split('?');
		// The voice gives the address of its preview, which is outside of the API.
		const isFile = operation === 'agent.getVoicePreview' && /^\/(files|store)\//.test(path);
		expect(path).toMatch(isFile ? /^\/\w+\/[\w.-]+(\?signature=\w+)?$/ : /^\/v1\/[\x21-\x7e]*$/);
		// A server or a proxy that resolves dots or decodes slashes finds nothing to resolve.
		expect(new URL(`http://host${pathname}`).pathname).toBe(pathname);
		// An ID may hold any character, but it must not leave its segment of the path.
		const decoded = decodeURIComponent(pathname);
		expect(decoded).not.toMatch(/(^|[/\\])\.{1,2}([/\\]|$)|[\0\r\n]/);
		expect(pathname).not.toMatch(/\/\//);
	}
	for (const { headers } of emulator.requests) {
		expect(HEADERS).toEqual(expect.arrayContaining(Object.keys(headers)));
		expect(headers.authorization).toBe(`Bearer ${emulator.keys.all}`);
	}
	// n8n itself refuses to run a node whose required parameters are empty or of a wrong type.
	if (result === undefined) {
		expect(requests).toEqual([]);
		return;
	}
	const { error, items: output } = result;
	if (error === undefined) {
		for (const { pairedItem } of output) expect(pairedItem).toBeDefined();
	} else {
		expect(error.message).toBeTruthy();
		// Errors of the API are in its own words.
		const isApiError = /: [45]\d\d /.test(error.message);
		if (!isApiError) expect(`${error.message} ${error.description ?? ''}`).not.toMatch(INTERNAL);
		if (error.name?.startsWith('Node') && !changes.some(({ name: at }) => SELECTORS.includes(at))) {
			expect(error.message).toContain(labelOf(operation));
		}
		const namesQueries =
			operation === 'apiRequest.send' ||
			changes.some(({ name: at }) => FREE_QUERIES.some((free) => at.startsWith(free)));
		if (!namesQueries) expect(error.message).not.toMatch(/unknown query parameter/);
	}
	expect(JSON.stringify(Object.getOwnPropertyNames(Object.prototype))).toBe(prototype);
	expect(({} as Record<string, unknown>).polluted).toBeUndefined();
}

it(
	`sends a right request, or none: ${CASES} cases`,
	async () => {
		await fc.assert(
			fc.asyncProperty(cases, async ({ operation, variant, changes }) => {
				await tryCase(operation, variant, changes);
			}),
			{ numRuns: CASES },
		);
	},
	isFull ? 900_000 : 60_000,
);
