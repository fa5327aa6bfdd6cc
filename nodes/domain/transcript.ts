import { isObject, jsonIn, type JsonObject } from '../json';

/** What one speaker said before the next one spoke. */
export interface Turn {
	speaker?: string;
	text: string;
	/** The time as shown: `1:05` after the start, or the API's own text. */
	time?: string;
}

/** Names that a turn's fields may have, likely ones first. The reference shows none. */
const SPEAKER_NAMES = words(
	'speaker speakername speakerlabel speakerid role from participant author sender name who side party source channel',
);
const TEXT_NAMES = words(
	'text content message utterance transcript transcription sentence said speech line body value words punctuatedword word',
);
/** A unit may follow, as in `start_ms`. */
const TIME_NAMES = words(
	'at start starttime startedat begin begintime timestamp time offset timeincall createdat',
);

/** Names of fields that may hold the list of turns, or the whole text. */
const HOLDER_NAMES = words(
	'turns transcript transcription messages utterances segments entries dialogue dialog conversation lines sentences items results text content data',
);

const IDENTIFIER = /(^|_)id$/i;

/**
 * A structured transcript as readable text, one line per turn: `[1:05] Caller: Hello`. Speaker and time
 * appear if the transcript has them. A part of unknown shape is kept as JSON.
 * Reference: "Call transcript response: structured transcript data"; its shape is not shown.
 *
 * @returns '' if nobody spoke
 */
export function transcriptText(transcript: unknown): string {
	return turnsOf(transcript)
		.map(({ speaker, text, time }) => {
			const head = [time && `[${time}]`, speaker && `${speaker}:`, text];
			return head.filter(Boolean).join(' ');
		})
		.join('\n');
}

/** The same as Markdown, one paragraph per turn: `**Caller** (1:05): Hello`. */
export function transcriptMarkdown(transcript: unknown): string {
	return turnsOf(transcript)
		.map(({ speaker, text, time }) => {
			const head = [speaker && `**${escaped(speaker)}**`, time && `(${time})`].filter(Boolean);
			return head.length > 0 ? `${head.join(' ')}: ${escaped(text)}` : escaped(text);
		})
		.join('\n\n');
}

/** The turns of a transcript of any plausible shape, in its order. Empty if nobody spoke. */
export function turnsOf(transcript: unknown): Turn[] {
	const given = unpacked(transcript);
	if (isEmpty(given)) return [];
	if (typeof given === 'string') return [{ text: given }];
	const entries = Array.isArray(given) ? given : isObject(given) ? entriesIn(given) : undefined;
	if (entries !== undefined) return timed(entries);
	return isObject(given) && saysNothing(given) ? [] : [{ text: JSON.stringify(given) }];
}

/** The list of entries inside an object, under a likely name or any other. */
function entriesIn(holder: JsonObject): unknown[] | undefined {
	const held = [
		...HOLDER_NAMES.map((name) => fieldOf(holder, [name])),
		...Object.values(holder),
	].map(unpacked);
	const lists = held.filter((one): one is unknown[] => Array.isArray(one) && one.some(isTurn));
	const withSpeakers = lists.find((list) => list.some((entry) => turnIn(entry)?.speaker));
	if (withSpeakers) return withSpeakers;
	// A call record has the caller's number in `from`, so `from` alone does not make a turn.
	if (fieldOf(holder, ['speaker', 'role']) !== undefined && isTurn(holder)) return [holder];
	const text = HOLDER_NAMES.map((name) => fieldOf(holder, [name])).find(
		(one) => typeof one === 'string',
	);
	if (text !== undefined) return [text];
	const numbered = Object.entries(holder).filter(([name]) => /^\d+$/.test(name));
	if (numbered.some(([, entry]) => isTurn(entry))) return numbered.map(([, entry]) => entry);
	const nested = held.filter(isObject).map(entriesIn);
	return lists[0] ?? nested.find((one) => one !== undefined);
}

const isTurn = (entry: unknown) => Boolean(turnIn(entry)?.text);

/** The turns of a list, without empty ones. */
function timed(entries: unknown[]): Turn[] {
	const turns = entries
		.filter((entry) => !isEmpty(entry))
		.map((entry) => ({
			...(turnIn(entry) ?? { text: JSON.stringify(entry) }),
			moment: isObject(entry) ? timeOf(entry) : undefined,
		}))
		.filter(({ text }) => text.trim() !== '');
	const show = clock(turns);
	return turns.map(({ moment, ...turn }) => {
		const time = show(moment);
		return { ...turn, ...(time !== undefined && { time }) };
	});
}

/** Speaker and text of one entry. Undefined if its shape is unknown. */
function turnIn(entry: unknown): Turn | undefined {
	if (typeof entry === 'string') return { text: entry };
	if (Array.isArray(entry)) {
		const [speaker, text] = entry as unknown[];
		const isPair = typeof speaker === 'string' && typeof text === 'string' && entry.length === 2;
		return isPair ? { speaker: shown(speaker), text } : undefined;
	}
	if (!isObject(entry)) return undefined;
	const text = spokenText(fieldOf(entry, TEXT_NAMES)) ?? textOfSilence(entry);
	if (text !== undefined) {
		const speaker = speakerIn(fieldOf(entry, SPEAKER_NAMES));
		return { ...(speaker !== undefined && { speaker }), text };
	}
	// The form {"caller": "Hello"}.
	const [only, ...others] = Object.entries(entry);
	return only !== undefined && others.length === 0 && typeof only[1] === 'string'
		? { speaker: shown(only[0]), text: only[1] }
		: undefined;
}

/** The text of a field: a text, an object with a text, or a list of parts or words. */
function spokenText(value: unknown): string | undefined {
	if (typeof value === 'string') return value;
	if (typeof value === 'number') return String(value);
	if (isObject(value)) return spokenText(fieldOf(value, TEXT_NAMES));
	if (!Array.isArray(value)) return undefined;
	const parts = value.map(spokenText);
	return parts.length > 0 && !parts.includes(undefined) ? parts.join(' ') : undefined;
}

/** '' if the turn's text is empty. Undefined if the entry is something else, such as the call of a tool. */
function textOfSilence(entry: JsonObject): string | undefined {
	const hasText = TEXT_NAMES.some((name) => nameIn(entry, name) !== undefined);
	const didElse = Object.values(entry).some((one) => typeof one === 'object' && !isEmpty(one));
	return hasText && !didElse ? '' : undefined;
}

function speakerIn(value: unknown): string | undefined {
	if (isObject(value)) return speakerIn(fieldOf(value, [...SPEAKER_NAMES, 'label', 'id']));
	if (typeof value === 'number') return `Speaker ${value}`;
	return typeof value === 'string' ? shown(value) : undefined;
}

/** A time as the API wrote it, with the unit if the field's name shows it. */
interface TimeMark {
	value: string | number;
	unit?: 'seconds' | 'milliseconds';
}

function timeOf(entry: JsonObject): TimeMark | undefined {
	const moments = Object.entries(entry).flatMap(([name, value]) => {
		if ((typeof value !== 'string' && typeof value !== 'number') || isEmpty(value)) return [];
		const [, base = '', ms, s] = /^(.*?)(?:in)?(?:(ms|millis\w*)|(_s|secs?|seconds?))?$/.exec(
			plain(name, /[^a-z0-9_]|_(?!s$)/g),
		)!;
		const rank = TIME_NAMES.indexOf(base);
		if (rank < 0 && !(base === '' && s)) return [];
		const number = typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
		const unit = ms ? ('milliseconds' as const) : s ? ('seconds' as const) : undefined;
		return [{ value: number, unit, rank }];
	});
	return moments.sort((one, other) => one.rank - other.rank)[0];
}

/** People say about 15 characters per second. With fewer than this per unit, the unit cannot be seconds. */
const SLOWEST_PACE = 0.05;

/** No call lasts this long. Larger numbers are dates, in seconds or milliseconds since 1970. */
const FIRST_DATE = 1e9;
const FIRST_DATE_MS = 1e11;

/**
 * Decides how the times of a transcript are shown. Text stays as it is. If the field's name does not
 * show the unit of a number, the pace of the talk does. If that is not clear either, the number stays.
 */
function clock(turns: Array<{ text: string; moment?: TimeMark }>) {
	const numbers = turns.map(({ moment }) => moment?.value).filter((one) => typeof one === 'number');
	const [first = 0, last = 0] = [numbers[0], numbers.at(-1)];
	const characters = turns.slice(0, -1).reduce((sum, { text }) => sum + text.length, 0);
	const paced = characters / (last - first) < SLOWEST_PACE ? 'milliseconds' : 'seconds';
	return (moment: TimeMark | undefined): string | undefined => {
		if (moment === undefined) return undefined;
		const { value, unit = last > first ? paced : undefined } = moment;
		if (typeof value === 'string' || value < 0) return String(value);
		if (value >= FIRST_DATE) return dated(value);
		if (unit === undefined && value !== 0) return String(value);
		return elapsed(unit === 'milliseconds' ? value / 1000 : value);
	};
}

function dated(value: number): string {
	const date = new Date(value < FIRST_DATE_MS ? value * 1000 : value);
	return Number.isNaN(date.getTime()) ? String(value) : date.toISOString();
}

/** `1:05`, or `1:02:05` from one hour on. */
function elapsed(seconds: number): string {
	const whole = Math.floor(seconds);
	const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
	const two = (part: number) => String(part).padStart(2, '0');
	return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** Whether an object is the transcript of a call in which nobody spoke: its list is empty or missing. */
function saysNothing(holder: JsonObject): boolean {
	const rest = Object.entries(holder).filter(([name]) => !IDENTIFIER.test(name));
	return (
		rest.every(([, value]) => isEmpty(value)) ||
		rest.some(([name, value]) => isEmpty(value) && HOLDER_NAMES.includes(plain(name)))
	);
}

/** Parses JSON that came as text. */
function unpacked(value: unknown): unknown {
	return typeof value === 'string' && /^\s*[[{]/.test(value) ? (jsonIn(value) ?? value) : value;
}

function isEmpty(value: unknown): boolean {
	if (value === undefined || value === null) return true;
	if (typeof value === 'string') return value.trim() === '';
	return typeof value === 'object' && Object.keys(value).length === 0;
}

/** The value of the first of these fields that is not empty. */
function fieldOf(record: JsonObject, wanted: readonly string[]): unknown {
	return wanted.map((name) => record[nameIn(record, name) ?? '']).find((value) => !isEmpty(value));
}

/** A field's name as the record writes it: `speakerName`, `speaker_name` and `Speaker name` are the same. */
const nameIn = (record: JsonObject, name: string) =>
	Object.keys(record).find((own) => plain(own) === name);

const plain = (name: string, without = /[^a-z0-9]/g) =>
	name
		.replace(/([a-z])([A-Z])/g, '$1_$2')
		.toLowerCase()
		.replace(without, '');

/** A name for people: `Voice agent` for `voice_agent`. */
function shown(name: string): string {
	const spaced = name.trim().replaceAll('_', ' ');
	return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** Escapes text so that Markdown shows it unchanged, with its line breaks. */
const escaped = (text: string) =>
	text.replace(/[\\`*_<>[\]#|~]/g, '\\$&').replace(/\r?\n/g, '  \n');

function words(text: string): string[] {
	return text.split(' ');
}
