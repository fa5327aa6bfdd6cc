import { callStatusOf, wasUnspoken } from '../domain/call';
import { saysSomething, type CallPart } from '../domain/callParts';
import { isSameStatus } from '../domain/status';
import { turnsOf, type Turn } from '../domain/transcript';
import { ASSUMED } from '../domain/assumed';
import type { JsonObject } from '../json';
import { toJson } from '../statistics/decimal';
import { secondsOf } from '../statistics/callStatistics';
import { quoted } from '../words';
import type { Checks } from './checksField';

/** Whether a call is as it should be. */
export interface Verdict {
	/** Null if nothing was checked. */
	passed: boolean | null;
	/** What is not, in plain sentences. */
	failed_checks: string[];
	/** What else to know about the checks; only if there is something. */
	checks_note?: string;
}

/** A call of which nobody knows enough to check it. @param why a sentence */
export const unchecked = (why: string): Verdict => ({ passed: false, failed_checks: [why] });

/** The parts of a call that the checks look at. */
export function partsToCheck(
	checks: Checks,
): Array<Exclude<CallPart, 'detail' | 'transcriptText'>> {
	const { agentMustSay, agentMustNotSay, callerMustSay, summaryMustContain } = checks;
	return [
		...(summaryMustContain?.length ? (['summary'] as const) : []),
		...([agentMustSay, agentMustNotSay, callerMustSay].some((texts) => texts?.length)
			? (['transcript'] as const)
			: []),
	];
}

/**
 * Checks a call that has ended. Upper case, accents, and how many spaces there are do not matter. What
 * the transcript assigns to nobody counts for both.
 *
 * @param call with its detail and the parts that the checks look at
 * @param statusFields the fields that may hold its status
 */
export function checkCall(
	checks: Checks,
	call: JsonObject,
	statusFields: readonly string[] = ASSUMED.callStatus,
): Verdict {
	if (isEmpty(checks)) {
		return { passed: null, failed_checks: [], checks_note: NOTHING_CHECKED };
	}
	const spoken = partsToCheck(checks).includes('transcript')
		? saidIn(call, statusFields)
		: undefined;
	const failed_checks = [
		...failedStatus(checks, callStatusOf(call, statusFields)),
		...failedLength(checks, call),
		...(typeof spoken === 'string' ? [spoken] : spoken ? failedTexts(checks, spoken) : []),
		...failedSummary(checks, call.summary),
	];
	const isShared = typeof spoken === 'object' && spoken.isShared;
	const passed = failed_checks.length === 0;
	return { passed, failed_checks, ...(isShared && { checks_note: SHARED }) };
}

const isEmpty = (checks: Checks) =>
	Object.values(checks).every(
		(one) => one === undefined || (Array.isArray(one) && one.length === 0),
	);

export const NOTHING_CHECKED = 'All checks are blank for this item, so nothing was checked.';

const SHARED =
	'The transcript does not always tell the agent from the caller. What it does not assign counts for both.';

function failedStatus({ expectedStatus: expected }: Checks, status: string | undefined): string[] {
	if (expected === undefined || (status !== undefined && isSameStatus(expected, status))) return [];
	return [
		status === undefined
			? `The call shows no status, but ${expected} was expected.`
			: `The call ended as ${status}, not as ${expected}.`,
	];
}

function failedLength({ minSeconds, maxSeconds }: Checks, call: JsonObject): string[] {
	if (minSeconds === undefined && maxSeconds === undefined) return [];
	const length = secondsOf(call, {});
	if (length === undefined) return ['The call does not show how long it took.'];
	const seconds = Number(toJson(length));
	if (minSeconds !== undefined && seconds < minSeconds) {
		return [`The call took ${seconds} seconds, less than ${minSeconds}.`];
	}
	return maxSeconds !== undefined && seconds > maxSeconds
		? [`The call took ${seconds} seconds, more than ${maxSeconds}.`]
		: [];
}

/** What each side said, in the form in which it is compared: one line for what was said in a row. */
interface Spoken {
	agent: string;
	caller: string;
	/** Of some turns nobody can tell who said them. They stand in both. */
	isShared: boolean;
}

const SIDES = { agent: ASSUMED.agentSpeakers, caller: ASSUMED.callerSpeakers } as const;

type Side = keyof typeof SIDES;

/** Whom a turn counts for. What nobody can be matched to counts for both sides. */
function sideOf({ speaker = '' }: Turn): Side | 'neither' | 'unknown' {
	const isOne = (names: readonly string[]) => names.includes(speaker.toLowerCase());
	const side = (Object.keys(SIDES) as Side[]).find((name) => isOne(SIDES[name]));
	return side ?? (isOne(ASSUMED.otherSpeakers) ? 'neither' : 'unknown');
}

/** What a system or a tool said counts for nobody. */
const spokenTurns = (transcript: unknown) =>
	turnsOf(transcript).filter((turn) => !turn.isSilent && sideOf(turn) !== 'neither');

/**
 * What was said in turns, as it is compared. What one speaker said in a row is one line, because a text may
 * go on in the next turn. No text that is looked for has a line break.
 *
 * @param speakerOf undefined for a turn that is left out
 */
function linesOf(turns: Turn[], speakerOf: (turn: Turn) => string | undefined): string {
	const speakers = turns.map(speakerOf);
	const lines = turns.map(({ text }, at) => {
		if (speakers[at] === undefined) return '';
		return `${at > 0 && speakers[at] === speakers[at - 1] ? ' ' : '\n'}${plain(text)}`;
	});
	return lines.join('');
}

/** Whether somebody said a text, compared as the checks do. */
export const isSaid = (text: string, transcript: unknown): boolean =>
	linesOf(spokenTurns(transcript), ({ speaker = '' }) => speaker).includes(plain(text));

/** @returns a sentence if nobody can tell what was said */
function saidIn(call: JsonObject, statusFields: readonly string[]): Spoken | string {
	// Some accounts have a transcript of it, with what the agent said to nobody.
	if (wasUnspoken(call, statusFields)) {
		return `The call ended as ${callStatusOf(call, statusFields)}, so nothing was said.`;
	}
	const turns = spokenTurns(call.transcript);
	if (!turns.some(({ text }) => /\S/.test(text)))
		return 'There is no transcript, so nobody knows what was said.';
	const by = (side: Side) =>
		linesOf(turns, (turn) => ([side, 'unknown'].includes(sideOf(turn)) ? side : undefined));
	const isShared = turns.some((turn) => sideOf(turn) === 'unknown');
	return { agent: by('agent'), caller: by('caller'), isShared };
}

function failedTexts(checks: Checks, { agent, caller, isShared }: Spoken): string[] {
	const whoSaid = isShared ? 'The agent, or somebody unknown,' : 'The agent';
	const { agentMustSay = [], agentMustNotSay = [], callerMustSay = [] } = checks;
	const unwanted = agentMustNotSay.filter((text) => !isMissingIn(agent)(text));
	return [
		...agentMustSay
			.filter(isMissingIn(agent))
			.map((text) => `The agent did not say ${quoted([text])}.`),
		...unwanted.map((text) => `${whoSaid} said ${quoted([text])}.`),
		...callerMustSay
			.filter(isMissingIn(caller))
			.map((text) => `The caller did not say ${quoted([text])}.`),
	];
}

function failedSummary({ summaryMustContain: wanted = [] }: Checks, summary: unknown): string[] {
	if (wanted.length === 0) return [];
	if (!saysSomething(summary)) return ['There is no summary.'];
	const written = typeof summary === 'string' ? summary : JSON.stringify(summary);
	return wanted
		.filter(isMissingIn(plain(written)))
		.map((text) => `The summary does not contain ${quoted([text])}.`);
}

const isMissingIn = (whole: string) => (text: string) =>
	plain(text) === '' || !whole.includes(plain(text));

/** A text in the form in which texts are compared. */
const plain = (text: string): string =>
	text
		.normalize('NFD')
		// Accents. Other marks are letters in their language.
		.replace(/[\u0300-\u036f]/g, '')
		.normalize('NFC')
		.replace(/[\u2018\u2019]/g, "'")
		// ẞ becomes ß, then SS, then ss. At the end of a word, Σ becomes ς.
		.toLowerCase()
		.toUpperCase()
		.toLowerCase()
		.replace(/ς/g, 'σ')
		.replace(/\s+/g, ' ')
		.trim();
