import type { Names } from '../api/names';
import { callStatusOf, wasUnspoken } from '../domain/call';
import { saysSomething } from '../domain/callParts';
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
export function partsToCheck(checks: Checks) {
	const { agentMustSay, agentMustNotSay, callerMustSay, summaryMustContain } = checks;
	const isSpoken = [agentMustSay, agentMustNotSay, callerMustSay].some((texts) => texts?.length);
	return (['summary', 'transcript'] as const).filter((part) =>
		part === 'summary' ? summaryMustContain?.length : isSpoken,
	);
}

/**
 * Checks a call that has ended. Upper case, accents, and how many spaces there are do not matter. What
 * the transcript assigns to nobody counts for both.
 *
 * @param call with its detail and the parts that the checks look at
 */
export function checkCall(checks: Checks, call: JsonObject, names: Names): Verdict {
	if (
		Object.values(checks)
			.flat()
			.every((check) => check === undefined)
	) {
		return { passed: null, failed_checks: [], checks_note: NOTHING_CHECKED };
	}
	const { failed, isShared = false } = partsToCheck(checks).includes('transcript')
		? failedTexts(checks, call, names)
		: { failed: [] };
	const failed_checks = [
		...failedStatus(checks, callStatusOf(call, names)),
		...failedLength(checks, call, names),
		...failed,
		...failedSummary(checks, call.summary),
	];
	const passed = failed_checks.length === 0;
	return { passed, failed_checks, ...(isShared && { checks_note: SHARED }) };
}

const NOTHING_CHECKED = 'All checks are blank for this item, so nothing was checked.';

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

function failedLength(
	{ minSeconds, maxSeconds }: Checks,
	call: JsonObject,
	names: Names,
): string[] {
	if (minSeconds === undefined && maxSeconds === undefined) return [];
	const length = secondsOf(call, names);
	if (length === undefined) return ['The call does not show how long it took.'];
	const seconds = Number(toJson(length));
	const took = `The call took ${seconds} seconds`;
	if (seconds < (minSeconds ?? 0)) return [`${took}, less than ${minSeconds}.`];
	return seconds > (maxSeconds ?? Infinity) ? [`${took}, more than ${maxSeconds}.`] : [];
}

const SPEAKERS = {
	agent: ASSUMED.agentSpeakers,
	caller: ASSUMED.callerSpeakers,
	neither: ASSUMED.otherSpeakers,
} as const;

type Side = keyof typeof SPEAKERS;

/** Whom a turn counts for. Undefined if nobody can tell: then it counts for both sides. */
const sideOf = ({ speaker = '' }: Turn): Side | undefined =>
	(Object.keys(SPEAKERS) as Side[]).find((side) =>
		(SPEAKERS[side] as readonly string[]).includes(speaker.toLowerCase()),
	);

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

/** What was not said as it should be, and whether some turns count for both sides. */
function failedTexts(
	{ agentMustSay = [], agentMustNotSay = [], callerMustSay = [] }: Checks,
	call: JsonObject,
	names: Names,
): { failed: string[]; isShared?: boolean } {
	// Some accounts have a transcript of it, with what the agent said to nobody.
	if (wasUnspoken(call, names)) {
		const status = callStatusOf(call, names);
		return { failed: [`The call ended as ${status}, so nothing was said.`] };
	}
	const turns = spokenTurns(call.transcript);
	if (turns.length === 0) {
		return { failed: ['There is no transcript, so nobody knows what was said.'] };
	}
	const by = (side: Side) =>
		linesOf(turns, (turn) => ((sideOf(turn) ?? side) === side ? side : undefined));
	const [isMissingByAgent, isMissingByCaller] = [
		isMissingIn(by('agent')),
		isMissingIn(by('caller')),
	];
	const isShared = turns.some((turn) => sideOf(turn) === undefined);
	const whoSaid = isShared ? 'The agent, or somebody unknown,' : 'The agent';
	const failed = [
		...agentMustSay
			.filter(isMissingByAgent)
			.map((text) => `The agent did not say ${quoted([text])}.`),
		...agentMustNotSay
			.filter((text) => !isMissingByAgent(text))
			.map((text) => `${whoSaid} said ${quoted([text])}.`),
		...callerMustSay
			.filter(isMissingByCaller)
			.map((text) => `The caller did not say ${quoted([text])}.`),
	];
	return { failed, isShared };
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
		// ẞ becomes ß and then SS; ς and σ both become Σ.
		.toLowerCase()
		.toUpperCase()
		.replace(/\s+/g, ' ')
		.trim();
