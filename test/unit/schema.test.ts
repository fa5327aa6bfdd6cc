import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import * as schema from '../../nodes/table/schema.ts';

const {
	collection,
	nonBlank,
	flag,
	id,
	idAsGiven,
	integer,
	isoDate,
	list,
	number,
	oneOf,
	optional,
	phone,
	textUpTo,
	jsonObject,
	phones,
	uuid,
} = schema;

const UUID = '3f2b8c1e-5d7a-4e90-9b1c-2a6d4f8e0b37';
const FRUIT = { apple: 'Apple', pear: 'Pear' } as const;
const EMOJI = '😀';

/** What the schema makes of a value, or what it has against it. */
function outcome(type: z.ZodTypeAny, value: unknown): unknown {
	const parsed = type.safeParse(value);
	return parsed.success
		? parsed.data
		: parsed.error.issues.map(({ message }) => message).join('; ');
}

describe.each<[name: string, type: z.ZodTypeAny, taken: Array<[given: unknown, result: unknown]>]>([
	[
		'uuid',
		uuid,
		[
			[UUID, UUID],
			[` ${UUID}\n`, UUID],
			[UUID.toUpperCase(), UUID.toUpperCase()],
			[`\u202a${UUID}\u202c`, UUID],
			[`https://app.example/agents/${UUID}`, UUID],
			[`http://app.example/agents/${UUID}/edit?tab=${UUID}#top`, UUID],
			[` https://app.example/#/agents/aurora-${UUID}\n`, UUID],
		],
	],
	[
		'an id in a body',
		idAsGiven,
		[
			[' ORD-7 ', 'ORD-7'],
			['7', '7'],
			[7, 7],
			[0, 0],
		],
	],
	[
		'ids in a body',
		list(idAsGiven),
		[
			[
				[1046, '1047'],
				[1046, '1047'],
			],
			['[1046, 1047]', [1046, 1047]],
			['1046, 1047', ['1046', '1047']],
			[1046, [1046]],
		],
	],
	[
		'id',
		id,
		[
			[UUID, UUID],
			[' ORD-7 ', 'ORD-7'],
			[7, '7'],
			[0, '0'],
			['a/b', 'a/b'],
			['50%?#', '50%?#'],
			['..a', '..a'],
			['\ufeffo\u200brd_1\u00a0', 'ord_1'],
			[`https://app.example/orders/${UUID}/?tab=2#top`, UUID],
			['ord:https://x/1', 'ord:https://x/1'],
		],
	],
	[
		'phone',
		phone,
		[
			['+14155550123', '+14155550123'],
			[' +1 (415) 555-0123 ', '+14155550123'],
			['+39.333/123 4567', '+393331234567'],
			['+1234567', '+1234567'],
			['\u202a+39\u00a0333\u2060 123\u20114567\u202c', '+393331234567'],
			['+123456789012345', '+123456789012345'],
		],
	],
	[
		'textUpTo(3)',
		textUpTo(3),
		[
			['', ''],
			['abc', 'abc'],
			[EMOJI.repeat(3), EMOJI.repeat(3)],
			['  ', '  '],
		],
	],
	[
		'filled(3)',
		nonBlank(3),
		[
			['a', 'a'],
			[' a ', ' a '],
			[EMOJI.repeat(3), EMOJI.repeat(3)],
		],
	],
	[
		'oneOf',
		oneOf(FRUIT),
		[
			['apple', 'apple'],
			['pear', 'pear'],
			[' Apple', 'apple'],
		],
	],
	[
		'isoDate',
		isoDate,
		[
			['2026-01-31T09:00:00Z', '2026-01-31T09:00:00.000Z'],
			['2026-01-31T09:00:00.123Z', '2026-01-31T09:00:00.123Z'],
			['2026-01-31T09:00:00.123456Z', '2026-01-31T09:00:00.123456Z'],
			['2026-01-31T09:00:00,1234+02:00', '2026-01-31T07:00:00.1234Z'],
			['2026-01-31 09:00:00', '2026-01-31T09:00:00.000Z'],
			['2026-01-31 09:00:00.123456 +02:00', '2026-01-31T07:00:00.123456Z'],
			['2026-01-31 09:00:00+00', '2026-01-31T09:00:00.000Z'],
			['2026-01-31 09:00 UTC', '2026-01-31T09:00:00.000Z'],
			['20260131', '2026-01-31T00:00:00.000Z'],
			[1_769_850_000_000, '2026-01-31T09:00:00.000Z'],
			['1769850000000', '2026-01-31T09:00:00.000Z'],
			[new Date(1_769_850_000_000), '2026-01-31T09:00:00.000Z'],
			['2026-01-31T09:00:00+02:00', '2026-01-31T07:00:00.000Z'],
			['2026-01-31T09:00:00-0530', '2026-01-31T14:30:00.000Z'],
			['2026-01-31T09:00', '2026-01-31T09:00:00.000Z'],
			['2026-01-31', '2026-01-31T00:00:00.000Z'],
			['20260131T090000Z', '2026-01-31T09:00:00.000Z'],
			['2026-W05-6', '2026-01-31T00:00:00.000Z'],
			['2026-031', '2026-01-31T00:00:00.000Z'],
			['2026-01', '2026-01-01T00:00:00.000Z'],
			['  2026-01-31T09:00:00Z ', '2026-01-31T09:00:00.000Z'],
			['2024-02-29', '2024-02-29T00:00:00.000Z'],
		],
	],
	[
		'number(0, 2)',
		number(0, 2),
		[
			[0, 0],
			[2, 2],
			[0.5, 0.5],
			['1.5', 1.5],
			[' 2 ', 2],
		],
	],
	[
		'integer(1, 50)',
		integer(1, 50),
		[
			[1, 1],
			[50, 50],
			['7', 7],
		],
	],
	[
		'flag',
		flag,
		[
			[true, true],
			[false, false],
			['true', true],
			['false', false],
			[' TRUE', true],
		],
	],
	[
		'list',
		list(nonBlank(5)),
		[
			['en, it ,de', ['en', 'it', 'de']],
			['en', ['en']],
			[',en,,', ['en']],
			['en\nit', ['en', 'it']],
			['["en"]', ['en']],
			['', []],
			[[], []],
			[['a, b'], ['a, b']],
		],
	],
	[
		'list of numbers',
		list(number()),
		[
			['1,2', [1, 2]],
			[
				[1, '2'],
				[1, 2],
			],
		],
	],
	['phones', phones, [['+14155550123; +393331234567', ['+14155550123', '+393331234567']]]],
	['list of IDs', list(id), [[7, ['7']]]],
	[
		'jsonObject',
		jsonObject,
		[
			['{"a":1}', { a: 1 }],
			['\ufeff{\u00a0"a": 1}', { a: 1 }],
		],
	],
	[
		'optional',
		optional(isoDate),
		[
			['', undefined],
			[' \u200b', undefined],
			[undefined, undefined],
			['2026-01-31', '2026-01-31T00:00:00.000Z'],
		],
	],
	[
		'collection',
		collection({ a: flag, b: textUpTo(3) }),
		[
			[undefined, {}],
			[{}, {}],
			[{ a: 'true' }, { a: true }],
			[
				{ a: false, b: '' },
				{ a: false, b: '' },
			],
		],
	],
])('%s takes', (_name, type, taken) => {
	test.each(taken)('%j', (given, result) => {
		expect(type.safeParse(given)).toEqual({ success: true, data: result });
	});
});

describe.each<[name: string, type: z.ZodTypeAny, complaint: RegExp, refused: unknown[]]>([
	[
		'uuid',
		uuid,
		/UUID/,
		[
			'x',
			UUID.slice(1),
			`${UUID}0`,
			`{${UUID}}`,
			UUID.replaceAll('-', ''),
			`${UUID}/..`,
			`${UUID}\n/x`,
			5,
			{},
		],
	],
	['uuid', uuid, /is required/, ['', ' ', undefined, null]],
	[
		'an address for a uuid',
		uuid,
		/is a web address with no clear ID/,
		[
			'https://app.example/agents/7',
			`https://app.example/organizations/${UUID.replace('3', '4')}/agents/${UUID}`,
			`https://app.example/agents/x${UUID}`,
		],
	],
	[
		'id',
		id,
		/must be an ID/,
		[
			'.',
			'..',
			'../x',
			'x/../y',
			'x\\..',
			'%2e%2E',
			'%252e%252e%252fx',
			'..;a',
			'a\nb',
			'a\0',
			'\ud800',
			1.5,
			NaN,
			{},
			[],
			true,
			{ phone: '+14155550123' },
		],
	],
	['id', id, /is required/, ['', ' ', '\u200b', undefined, null]],
	[
		'a number too large for an id',
		id,
		/is too large for a number, and n8n would round it. Enter the ID as text/,
		[2 ** 53, -(2 ** 53), 1e21],
	],
	[
		'a number too large for an id in a body',
		list(idAsGiven),
		/is too large for a number/,
		[2 ** 53, '[9007199254740993]'],
	],
	[
		'an address for an id',
		id,
		/is a web address with no clear ID/,
		[
			'https://app.example/orders/ORD-7',
			`https://app.example/orders/${UUID}/items`,
			`https://app.example/organizations/${UUID}/orders/7`,
			`https://app.example/organizations/${UUID.replace('3', '4')}/orders/${UUID}`,
			`https://app.example/orders?id=${UUID}`,
		],
	],
	['jsonObject', jsonObject, /must be a JSON object/, ['{', '[1]', '"text"', 'null', 7, [1]]],
	[
		'phone',
		phone,
		/phone number with its country code/,
		[
			'4155550123',
			'0014155550123',
			'+04155550123',
			'+123456',
			'+1234567890123456',
			'+1415555O123',
			'++14155550123',
			'+1415555012\u0663',
		],
	],
	['textUpTo(3)', textUpTo(3), /at most 3 characters/, ['abcd', EMOJI.repeat(4), '    ']],
	['filled(3)', nonBlank(3), /must not be blank/, ['', ' ', '\n\t', '\u00a0']],
	['filled(3)', nonBlank(3), /at most 3 characters/, ['abcd', EMOJI.repeat(4)]],
	[
		'oneOf',
		oneOf(FRUIT),
		/must be one of: apple, pear/,
		['plum', '__proto__', 'constructor', 'toString', 'hasOwnProperty'],
	],
	[
		'isoDate',
		isoDate,
		/ISO 8601/,
		[
			'yesterday',
			'31/01/2026',
			'2026-13-01',
			'2026-02-30',
			'2026-02-29',
			'1767225600',
			'Thu, 01 Oct 2026 12:00:00 GMT',
			'10',
			'12:10',
			'1788264',
			1788264,
			20260131,
			'2026',
			'2026-02-30 09:00:00',
			['2026-01-31'],
			true,
		],
	],
	['number(0, 2)', number(0, 2), /between 0 and 2/, [-0.001, 2.001, '3', '1e3']],
	['number(0, 2)', number(0, 2), /between 0 and 2|received Infinity/, [Infinity]],
	['number(0)', number(0), /at least 0/, [-1]],
	[
		'number',
		number(),
		/must be a number|is required/,
		['', ' ', 'two', '1,5', NaN, null, undefined, true, [1]],
	],
	['integer(1, 50)', integer(1, 50), /whole number/, [1.5, '2.5']],
	['integer(1, 50)', integer(1, 50), /between 1 and 50/, [0, 51, -7]],
	['integer(1)', integer(1), /whole number|received Infinity/, [Infinity, 'Infinity']],
	['flag', flag, /must be true or false|is required/, ['yes', 1, 0, null, undefined, '']],
	['list', list(nonBlank(5)), /[Ee]xpected array|Required/, [undefined, null, {}]],
	[
		'list',
		list(nonBlank(5)),
		/at most 5|blank|[Ee]xpected string/,
		['abcdef', ['a', ''], [5], [null]],
	],
	[
		'collection',
		collection({ a: flag }),
		/[Uu]nrecognized/,
		[{ b: 1 }, JSON.parse('{"__proto__": 1}'), { constructor: 1 }],
	],
	['collection', collection({ a: flag }), /[Ee]xpected/, [null, [], 'a', 5]],
])('%s refuses', (_name, type, complaint, refused) => {
	test.each(refused.map((value) => [value]))('%j', (value) => {
		expect(type.safeParse(value).success).toBe(false);
		expect(outcome(type, value)).toMatch(complaint);
	});
});

describe('patch', () => {
	const patch = z
		.object({ set: z.record(z.string(), z.unknown()), cleared: z.array(z.string()) })
		.transform(({ set, cleared }, ctx) => schema.patch(set, cleared, ctx));

	test.each<[set: object, cleared: string[], result: unknown]>([
		[{ a: 1 }, [], { a: 1 }],
		[{}, ['a'], { a: null }],
		[{ a: '' }, ['b'], { a: '', b: null }],
		[{ a: false, b: 0 }, ['c', 'c'], { a: false, b: 0, c: null }],
		[{}, [], 'Nothing to update: set or clear at least one field'],
		[{ a: 1, b: 2 }, ['b', 'a'], 'is both set and cleared; is both set and cleared'],
	])('set %j and clear %j', (set, cleared, result) => {
		expect(outcome(patch, { set, cleared })).toEqual(result);
	});
});
