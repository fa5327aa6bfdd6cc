/** What an item, or a field of a record, can hold that nobody planned for. */

/** Text as long as a webhook may bring. */
const LONG = 30_000;

/** Short texts that mean something to somebody. */
export const TRICKS: string[] = [
	...['..', '../../admin', '%2e%2e%2fadmin', 'a/../../b', '/\\evil', '//evil.example/x'],
	...[
		'http://evil.example/v1',
		'?a=b&limit=1000',
		'#',
		'a\r\nX-Evil: 1',
		'a\0b',
		'\ud800',
		'\udfff',
	],
	...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length', 'then', 'toJSON'],
	...['=1+1', '={{ 1 }}', '${1}', '<script>', '%', '%zz', '%00', '\u202e', '\ufeff', '\u2028'],
	...['NaN', 'Infinity', '-0', '1e999', '0x10', '1e-400', '9'.repeat(40), `0.${'1'.repeat(40)}`],
	...['0000-00-00', '2026-02-30', '+275760-09-13T00:00:00.001Z', '2026-01-01T00:00:00+99:99'],
	...['{}', '[]', 'null', '{"__proto__":{"polluted":1}}', '{"a":', '"', '{{{{'],
];

/** How a long text is made from its length. Each was once too much for a pattern. */
export const SHAPES: Readonly<Record<string, (length: number) => string>> = {
	digits: (length) => '1'.repeat(length),
	'+ and digits': (length) => `+${'1'.repeat(length)}`,
	'a date with many digits': (length) => `2026-01-01T00:00:00.${'1'.repeat(length)}`,
	'a date with many points': (length) => `2026-01-01T${'0.'.repeat(length / 2)}`,
	'a date with many Ts': (length) => `2026-01-01${'T'.repeat(length)}.0000`,
	decimals: (length) => `0.${'1'.repeat(length)}`,
	'zeros and a digit': (length) => `${'0'.repeat(length)}1`,
	'an exponent': (length) => `1e${'9'.repeat(length)}`,
	spaces: (length) => `a${' '.repeat(length)}a`,
	'line breaks': (length) => `a${'\n'.repeat(length)}a`,
	commas: (length) => ','.repeat(length),
	'words and commas': (length) => 'a, '.repeat(length / 3),
	points: (length) => '.'.repeat(length),
	slashes: (length) => `/${'a/'.repeat(length / 2)}`,
	'double slashes': (length) => '/'.repeat(length),
	percents: (length) => '%25'.repeat(length / 3),
	brackets: (length) => '['.repeat(length),
	braces: (length) => '{"a":'.repeat(length / 5),
	'closed brackets': (length) => `${'['.repeat(length / 2)}${']'.repeat(length / 2)}`,
	tags: (length) => '<h1>'.repeat(length / 4),
	'opened tags': (length) => '<'.repeat(length),
	styles: (length) => '<style'.repeat(length / 6),
	markdown: (length) => '[a](*_`'.repeat(length / 7),
	underscores: (length) => '_'.repeat(length),
	dashes: (length) => '-'.repeat(length),
	quotes: (length) => `"${'\\"'.repeat(length / 2)}`,
	'the start of a key': (length) => 'yk_'.repeat(length / 3),
	Bearer: (length) => 'Bearer '.repeat(length / 7),
	capitals: (length) => 'A'.repeat(length),
	names: (length) => 'aA'.repeat(length / 2),
	'braces of a path': (length) => `/${'{a}'.repeat(length / 3)}`,
	surrogates: (length) => '\ud83d'.repeat(length),
};

export const LONG_TEXTS = Object.values(SHAPES).map((make) => make(LONG));

/** Lists and objects, one in the other. */
export function nested(depth: number, kind: 'list' | 'object' | 'both' = 'list'): unknown {
	let value: unknown = kind === 'list' ? [] : {};
	for (let at = 1; at < depth; at++) {
		value = kind === 'list' || (kind === 'both' && at % 2) ? [value] : { a: value };
	}
	return value;
}

/** An object as JSON.parse makes it: here `__proto__` is a name like any other. */
export const DANGEROUS = JSON.parse(
	'{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":1,"valueOf":1,"toJSON":1,"then":1,"hasOwnProperty":1,"length":-1}',
) as object;

export const wide = (names: number, value?: unknown) =>
	Object.fromEntries(Array.from({ length: names }, (_, at) => [`name_${at}`, value ?? at]));

/** What is no text. */
export const NOT_TEXT: unknown[] = [
	...[null, true, 0, -1, 1.5, 1e308, 2 ** 60, 1e20, -1e20, [], {}, [[]], [null], [{}]],
	...[DANGEROUS, wide(500), Array.from({ length: 500 }, () => 1), { id: {} }, { value: null }],
	...[nested(30), nested(30, 'both'), nested(1000), nested(1000, 'object'), nested(1000, 'both')],
];
