import { firstOf, fitting, isObject, type JsonObject } from '../json';
import { ASSUMED } from './assumed';

export interface Turn {
	speaker?: string;
	text: string;
	/** The time as the API shows it; `1:05` after the start if the field's name says the unit. */
	time?: string;
	/** Nothing was said: its text is JSON of what happened, such as the use of a tool. */
	isSilent?: boolean;
}

/**
 * A transcript as readable text, one line per turn: `[1:05] Caller: Hello`. '' if nobody spoke.
 * Reference: "Call transcript response: structured transcript data"; its shape is not shown.
 */
export const transcriptText = (transcript: unknown): string =>
	turnsOf(transcript)
		.map(({ speaker, text, time }) => {
			const head = [time && `[${time}]`, speaker && `${speaker}:`, text];
			return head.filter(Boolean).join(' ');
		})
		.join('\n');

/** The same as Markdown, one paragraph per turn: `**Caller** (1:05): Hello`. */
export const transcriptMarkdown = (transcript: unknown): string =>
	turnsOf(transcript)
		.map(({ speaker, text, time }) => {
			const head = [speaker && `**${escaped(speaker)}**`, time && `(${escaped(time)})`].filter(
				Boolean,
			);
			return head.length > 0 ? `${head.join(' ')}: ${escaped(text)}` : escaped(text);
		})
		.join('\n\n');

/**
 * The turns of a transcript, in its order. It may be a list of turns or lines, an object that holds one, or
 * text. Anything else is one turn with its JSON. Empty if nobody spoke.
 */
export function turnsOf(transcript: unknown): Turn[] {
	const content = contentOf(transcript);
	if (Array.isArray(content)) return content.map(turnIn).filter(({ text }) => text !== '');
	const json = typeof content === 'string' ? content : JSON.stringify(content);
	const text = isEmpty(content) ? '' : json;
	return text.trim() === '' ? [] : [{ text }];
}

/** The list or text inside of an object. An object with neither stays as it is. */
function contentOf(transcript: unknown): unknown {
	if (!isObject(transcript)) return transcript;
	const isNamed = ASSUMED.transcriptFields.some((name) => Object.hasOwn(transcript, name));
	const isFilled = (value: unknown) => !Array.isArray(value) || value.length > 0;
	const filled = fitting(transcript, (_name, value) => isFilled(value));
	const lists = Object.values(transcript).filter(Array.isArray);
	const [list, ...others] = lists.some(isFilled) ? lists.filter(isFilled) : lists;
	const content =
		firstOf(filled, ASSUMED.transcriptFields) ?? (others.length === 0 ? list : undefined);
	if (content !== undefined) return contentOf(content);
	// The other fields of such an object only describe it, such as its language.
	return isNamed && !Object.values(transcript).some(isObject) ? undefined : transcript;
}

/** Whether there is nothing, or an object that only says which call it belongs to. */
const isEmpty = (content: unknown) =>
	content === undefined ||
	content === null ||
	(isObject(content) &&
		Object.entries(content).every(([name, value]) => /id$/i.test(name) || value === null));

/** One entry of a list. Its text is '' if nothing was said. */
function turnIn(entry: unknown): Turn {
	if (typeof entry === 'string') return { text: onOneLine(entry) };
	const texts = ASSUMED.turnText
		.map((name) => (isObject(entry) ? entry[name] : undefined))
		.filter((value) => typeof value === 'string');
	const text = texts.find((shown) => shown.trim() !== '') ?? texts[0];
	if (!isObject(entry) || text === undefined) {
		const held = isObject(entry) ? entry : {};
		const isNull = ASSUMED.turnText.every((name) => (held[name] ?? null) === null);
		const isSilent = isNull && Object.keys(held).some((name) => TOOL.test(name));
		const isNamed = ASSUMED.turnText.some((name) => Object.hasOwn(held, name));
		const isNothing = isEmpty(entry) || (isNull && isNamed && !isSilent);
		return { text: isNothing ? '' : JSON.stringify(entry), ...(isSilent && { isSilent }) };
	}
	const [speaker, time] = [speakerOf(entry), timeOf(entry)];
	return { ...(speaker && { speaker }), text: onOneLine(text), ...(time && { time }) };
}

const TOOL = /^(tool|function)/i;

/** `Voice agent` for `voice_agent`. */
function speakerOf(entry: JsonObject): string {
	const held = firstOf(entry, ASSUMED.turnSpeaker);
	const name = onOneLine(isObject(held) ? (held.role ?? held.name) : held).replaceAll('_', ' ');
	return name.charAt(0).toUpperCase() + name.slice(1);
}

function timeOf(entry: JsonObject): string {
	for (const name of ASSUMED.turnTime) {
		const [seconds, ms] = [entry[`${name}_seconds`], entry[`${name}_ms`]];
		if (typeof seconds === 'number' && seconds >= 0) return elapsed(seconds);
		if (typeof ms === 'number' && ms >= 0) return elapsed(ms / 1000);
		const time = onOneLine(entry[name]);
		if (time !== '') return time;
	}
	return '';
}

/** `1:05`, or `1:02:05` from one hour on. */
function elapsed(seconds: number): string {
	const whole = Math.floor(seconds);
	const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
	const two = (part: number) => String(part).padStart(2, '0');
	return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** Text or a number without line breaks, so that nobody can put words into another speaker's mouth. */
const onOneLine = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number'
		? String(value).replace(/\s+/g, ' ').trim()
		: '';

/**
 * Escapes text so that Markdown shows it unchanged, with its line breaks. A backslash before < does not help:
 * n8n's Markdown node, which uses showdown, still makes a picture of it (seen in 2.41).
 */
const escaped = (text: string) =>
	text
		.split(/\r\n|\r|\n/)
		.map((line) =>
			line
				.trim()
				.replace(/&(?=#?\w{1,32};)/g, '&amp;')
				.replace(/</g, '&lt;')
				.replace(/[\\`*_[\]|~]/g, '\\$&')
				.replace(/^[-+=#>]/, '\\$&')
				.replace(/^(\d{1,9})([.)])/, '$1\\$2'),
		)
		.join('  \n');
