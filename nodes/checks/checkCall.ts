import { sleep } from 'n8n-workflow';

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
export async function checkCall(
	checks: Checks,
	call: JsonObject,
	statusFields: readonly string[] = ASSUMED.callStatus,
): Promise<Verdict> {
	if (isEmpty(checks)) {
		return { passed: null, failed_checks: [], checks_note: NOTHING_CHECKED };
	}
	const spoken = partsToCheck(checks).includes('transcript')
		? saidIn(call, statusFields)
		: undefined;
	const failed_checks = [
		...failedStatus(checks, callStatusOf(call, statusFields)),
		...failedLength(checks, call),
		...(typeof spoken === 'string' ? [spoken] : spoken ? await failedTexts(checks, spoken) : []),
		...(await failedSummary(checks, call.summary)),
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

/** More than this is not searched. A call of an hour has a fifth of it. */
const LONGEST = 300_000;

/** What each side said, in the form in which it is compared: one line for what was said in a row. */
interface Spoken {
	agent: string;
	caller: string;
	/** Of some turns nobody can tell who said them. They stand in both. */
	isShared: boolean;
}

const SIDES = { agent: ASSUMED.agentSpeakers, caller: ASSUMED.callerSpeakers } as const;

type Side = keyof typeof SIDES;

const lengthOf = (turns: Turn[]) => turns.reduce((sum, { text }) => sum + text.length, 0);

/** What a system or a tool said counts for nobody. */
const spokenTurns = (transcript: unknown) =>
	turnsOf(transcript).filter((turn) => !turn.isSilent && sideOf(turn) !== 'neither');

/** @returns a sentence if nobody can tell what was said */
function saidIn(call: JsonObject, statusFields: readonly string[]): Spoken | string {
	// Some accounts have a transcript of it, with what the agent said to nobody.
	if (wasUnspoken(call, statusFields)) {
		return `The call ended as ${callStatusOf(call, statusFields)}, so nothing was said.`;
	}
	const turns = spokenTurns(call.transcript);
	if (!turns.some(({ text }) => /\S/.test(text)))
		return 'There is no transcript, so nobody knows what was said.';
	if (lengthOf(turns) > LONGEST) return `The transcript is longer than ${LONGEST} characters.`;
	const sides = turns.map(sideOf);
	const linesOf = (side: Side) => {
		const lines: string[] = [];
		turns.forEach(({ text }, at) => {
			if (!isOf(side, sides[at])) return;
			const isGoingOn = at > 0 && isOf(side, sides[at - 1]);
			lines.push(isGoingOn ? `${lines.pop()} ${plain(text)}` : plain(text));
		});
		// No text that is looked for has a line break.
		return lines.join('\n');
	};
	const isShared = sides.includes('unknown');
	return { agent: linesOf('agent'), caller: linesOf('caller'), isShared };
}

/** Whether somebody said a text, compared as the checks do. Undefined if the transcript is too long. */
export function isSaid(text: string, transcript: unknown): boolean | undefined {
	const turns = spokenTurns(transcript);
	if (lengthOf(turns) > LONGEST) return undefined;
	const spoken = turns.map(({ speaker, text: said }, at) => {
		const isGoingOn = at > 0 && speaker === turns[at - 1]!.speaker;
		return `${isGoingOn ? ' ' : '\n'}${plain(said)}`;
	});
	return spoken.join('').includes(plain(text));
}

/** What nobody can be matched to counts for both. */
const isOf = (side: Side, shown: Side | 'neither' | 'unknown' | undefined) =>
	shown === side || shown === 'unknown';

function sideOf({ speaker = '' }: Turn): Side | 'neither' | 'unknown' {
	const name = speaker.toLowerCase();
	const side = (Object.keys(SIDES) as Side[]).find((one) =>
		(SIDES[one] as readonly string[]).includes(name),
	);
	return (
		side ?? ((ASSUMED.otherSpeakers as readonly string[]).includes(name) ? 'neither' : 'unknown')
	);
}

async function failedTexts(checks: Checks, { agent, caller, isShared }: Spoken): Promise<string[]> {
	const whoSaid = isShared ? 'The agent, or somebody unknown,' : 'The agent';
	const { agentMustSay = [], agentMustNotSay = [], callerMustSay = [] } = checks;
	const [byAgent, unwanted, byCaller] = [
		await notIn(agent, agentMustSay),
		await notIn(agent, agentMustNotSay),
		await notIn(caller, callerMustSay),
	];
	return [
		...byAgent.map((text) => `The agent did not say ${quoted([text])}.`),
		...agentMustNotSay
			.filter((text) => !unwanted.includes(text))
			.map((text) => `${whoSaid} said ${quoted([text])}.`),
		...byCaller.map((text) => `The caller did not say ${quoted([text])}.`),
	];
}

async function failedSummary(
	{ summaryMustContain: wanted = [] }: Checks,
	summary: unknown,
): Promise<string[]> {
	if (wanted.length === 0) return [];
	if (!saysSomething(summary)) return ['There is no summary.'];
	const written = typeof summary === 'string' ? summary : JSON.stringify(summary);
	if (written.length > LONGEST) return [`The summary is longer than ${LONGEST} characters.`];
	const missing = await notIn(plain(written), wanted);
	return missing.map((one) => `The summary does not contain ${quoted([one])}.`);
}

/** A search in a longer text takes a moment if the text is made for it. */
const LONG = 20_000;

/** The texts that do not stand in another one. n8n does its other work between the searches. */
async function notIn(whole: string, texts: readonly string[]): Promise<string[]> {
	const missing: string[] = [];
	for (const text of texts) {
		if (whole.length > LONG) await sleep(0);
		const sought = plain(text);
		if (sought === '' || !whole.includes(sought)) missing.push(text);
	}
	return missing;
}

/** A text in the form in which texts are compared. */
const plain = (text: string): string =>
	text
		// To bring a long run of marks into order takes the square of its number. No language has one.
		.replace(/\p{M}{10,}/gu, '')
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
