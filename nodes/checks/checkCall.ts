import { z } from 'zod';

import type { Names } from '../api/names';
import { ASSUMED } from '../domain/assumed';
import { callStatusOf, wasUnspoken } from '../domain/call';
import { saysSomething } from '../domain/callParts';
import { CALL_STATUS, isSameStatus } from '../domain/status';
import { turnsOf, type Turn } from '../domain/transcript';
import { isObject, type JsonObject } from '../json';
import { secondsOf } from '../statistics/callStatistics';
import { toJson } from '../domain/decimal';
import { settings, type InputOf, type Parameter } from '../table/form';
import { choice, collection, mayBeBlank, text, wholeNumber } from '../table/kinds';
import { isBlank, list, scalarText, trimmed } from '../table/schema';
import { quoted } from '../words';

const cell = z.preprocess((value) => value ?? '', trimmed(scalarText));

/** Texts, separated by lines or semicolons. A list from an expression does as well. Blank ones do not count. */
const texts = (displayName: string, description: string) =>
	mayBeBlank(
		text(
			{ displayName, typeOptions: { rows: 4 }, description: `${description}, one per line` },
			list(cell, undefined, /[\n;]/).transform((all) => all.filter((text) => !isBlank(text))),
		),
	);

const seconds = (displayName: string, standard: number, description: string) =>
	mayBeBlank(
		wholeNumber({
			displayName,
			min: 0,
			default: standard,
			description: `${description}. Defaults to ${standard}.`,
		}),
	);

const form = settings({
	agentMustNotSay: texts('Agent Must Not Say', 'The agent must say none of these'),
	agentMustSay: texts('Agent Must Say', 'The agent must say each of these'),
	callerMustSay: texts('Caller Must Say', 'The person on the phone must say each of these'),
	expectedStatus: mayBeBlank(
		choice(CALL_STATUS, {
			displayName: 'Expected Status',
			default: 'Completed',
			description: 'How the call must end',
		}),
	),
	maxSeconds: seconds('Max Seconds', 120, 'The call must not take longer'),
	minSeconds: seconds('Min Seconds', 10, 'The call must last at least this long'),
	summaryMustContain: texts('Summary Must Contain', 'The summary must contain each of these'),
}).check((checks, refuse) => {
	const { minSeconds = 0, maxSeconds = Infinity, agentMustSay = [], agentMustNotSay = [] } = checks;
	if (agentMustSay.some((text) => agentMustNotSay.includes(text))) {
		refuse("has a text that is also in 'Agent Must Say'", 'agentMustNotSay');
	}
	if (minSeconds > maxSeconds) refuse("must not be less than 'Min Seconds'", 'maxSeconds');
	return checks;
});

/** What must be true of a call. A check that is blank, as an empty cell of a table, is not made. */
export type Checks = InputOf<typeof form>;

const field = collection(
	{
		displayName: 'Checks',
		placeholder: 'Add check',
		description: 'Adds whether the call passed, and which checks failed',
	},
	form,
);

/** The checks of a call; undefined if the user added none. Nobody pays for a call that nothing checks. */
export const checksField: Parameter<Checks | undefined> = {
	...field,
	read(value, place) {
		if (!isObject(value) || Object.keys(value).length === 0) return undefined;
		const checks = place.whole(() => field.read(value, place));
		const isMade = Object.values(checks)
			.flat()
			.some((check) => check !== undefined);
		return isMade
			? checks
			: place.refuse('are all blank for this item. Fill one in, or remove them');
	},
};

export interface Verdict {
	passed: boolean;
	/** Sentences; a text, because n8n's data tables take no list (seen in 2.41). */
	failed_checks: string;
	/** Null if no check could be made. */
	failed_check_count: number | null;
	/** The share of the checks that passed, from 0 to 1, with two decimals. */
	score: number;
	checks_note: string | null;
}

/** For each check what is wrong, or undefined if it passed. */
type Outcomes = Array<string | undefined>;

function verdictOf(outcomes: Outcomes): Verdict {
	const failed = outcomes.filter((outcome) => outcome !== undefined);
	return {
		passed: failed.length === 0,
		failed_checks: [...new Set(failed)].join(' '),
		failed_check_count: failed.length,
		score: Number((1 - failed.length / outcomes.length).toFixed(2)),
		checks_note: null,
	};
}

/** A call that was not placed, or of which nobody knows enough to check it. @param why a sentence */
export const unchecked = (why: string): Verdict => ({
	passed: false,
	failed_checks: why,
	failed_check_count: null,
	score: 0,
	checks_note: null,
});

export function partsToCheck(checks: Checks) {
	const { agentMustSay, agentMustNotSay, callerMustSay, summaryMustContain } = checks;
	const isSpoken = [agentMustSay, agentMustNotSay, callerMustSay].some((texts) => texts?.length);
	return (['summary', 'transcript'] as const).filter((part) =>
		part === 'summary' ? summaryMustContain?.length : isSpoken,
	);
}

/**
 * Checks a call that has ended and has the parts to check. Upper case, accents, spaces, and the punctuation
 * between words do not matter. What the transcript assigns to nobody counts for both.
 */
export function checkCall(checks: Checks, call: JsonObject, names: Names): Verdict {
	const { outcomes, isShared = false } = partsToCheck(checks).includes('transcript')
		? checkTexts(checks, call, names)
		: { outcomes: [] };
	const verdict = verdictOf([
		...checkStatus(checks, callStatusOf(call, names)),
		...checkLength(checks, call, names),
		...outcomes,
		...checkSummary(checks, call.summary),
	]);
	return { ...verdict, checks_note: isShared ? SHARED : null };
}

const SHARED =
	'The transcript does not always tell the agent from the caller. What it does not assign counts for both.';

function checkStatus({ expectedStatus: expected }: Checks, status: string | undefined): Outcomes {
	if (expected === undefined) return [];
	if (status === undefined) return [`The call shows no status, but ${expected} was expected.`];
	const isRight = isSameStatus(expected, status);
	return [isRight ? undefined : `The call ended as ${status}, not as ${expected}.`];
}

function checkLength({ minSeconds, maxSeconds }: Checks, call: JsonObject, names: Names): Outcomes {
	const length = secondsOf(call, names);
	const seconds = length && toJson(length);
	const check = (how: 'less' | 'more', bound: number | undefined) => {
		if (bound === undefined) return [];
		if (seconds === undefined) return ['The call does not show how long it took.'];
		const isBroken = how === 'less' ? seconds < bound : seconds > bound;
		return [isBroken ? `The call took ${seconds} seconds, ${how} than ${bound}.` : undefined];
	};
	return [...check('less', minSeconds), ...check('more', maxSeconds)];
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
 * go on in the next turn. A turn whose speaker is undefined is left out.
 */
function linesOf(turns: Turn[], speakerOf: (turn: Turn) => string | undefined): string {
	const speakers = turns.map(speakerOf);
	const lines = turns.map(({ text }, at) => {
		if (speakers[at] === undefined) return '';
		return `${at > 0 && speakers[at] === speakers[at - 1] ? ' ' : '\n'}${plain(text)}`;
	});
	return lines.join('');
}

export const isSaid = (text: string, transcript: unknown): boolean =>
	linesOf(spokenTurns(transcript), ({ speaker = '' }) => speaker).includes(plain(text));

function checkTexts(
	{ agentMustSay = [], agentMustNotSay = [], callerMustSay = [] }: Checks,
	call: JsonObject,
	names: Names,
): { outcomes: Outcomes; isShared?: boolean } {
	const all = [...agentMustSay, ...agentMustNotSay, ...callerMustSay];
	// The reference does not say whether such a call has a transcript, of what the agent said to nobody.
	if (wasUnspoken(call, names)) {
		const status = callStatusOf(call, names);
		return { outcomes: all.map(() => `The call ended as ${status}, so nothing was said.`) };
	}
	const turns = spokenTurns(call.transcript);
	if (turns.length === 0) {
		return { outcomes: all.map(() => 'There is no transcript, so nobody knows what was said.') };
	}
	const by = (side: Side) =>
		linesOf(turns, (turn) => ((sideOf(turn) ?? side) === side ? side : undefined));
	const isMissingByAgent = isMissingIn(by('agent'));
	const isMissingByCaller = isMissingIn(by('caller'));
	const isShared = turns.some((turn) => sideOf(turn) === undefined);
	const whoSaid = isShared ? 'The agent, or somebody unknown,' : 'The agent';
	const outcomes = [
		...agentMustSay.map((text) =>
			isMissingByAgent(text) ? `The agent did not say ${quoted([text])}.` : undefined,
		),
		...agentMustNotSay.map((text) =>
			isMissingByAgent(text) ? undefined : `${whoSaid} said ${quoted([text])}.`,
		),
		...callerMustSay.map((text) =>
			isMissingByCaller(text) ? `The caller did not say ${quoted([text])}.` : undefined,
		),
	];
	return { outcomes, isShared };
}

function checkSummary({ summaryMustContain: wanted = [] }: Checks, summary: unknown): Outcomes {
	if (!saysSomething(summary)) return wanted.map(() => 'There is no summary.');
	const written = typeof summary === 'string' ? summary : JSON.stringify(summary);
	const isMissing = isMissingIn(plain(written));
	return wanted.map((text) =>
		isMissing(text) ? `The summary does not contain ${quoted([text])}.` : undefined,
	);
}

const isMissingIn = (whole: string) => (text: string) =>
	plain(text) === '' || !whole.includes(plain(text));

/** Punctuation, but none between two digits, no apostrophe or hyphen in a word, and no sign with a meaning. */
const BETWEEN_WORDS =
	/(?!(?<=\p{N})\p{P}(?=\p{N}))(?!(?<=[\p{L}\p{N}])['-](?=[\p{L}\p{N}]))(?![%&#@*/\\_])\p{P}/gu;

const plain = (text: string): string =>
	text
		// Other apostrophes, also an accent that stands alone.
		.replace(/[\u2018\u2019\u201b\u02bb\u02bc\u2032\u00b4`]/g, "'")
		.normalize('NFKD')
		// Accents. Other marks are letters in their language. Characters that nobody sees, too.
		.replace(/[\u0300-\u036f]|\p{Cf}/gu, '')
		.normalize('NFC')
		.replace(/[\u2010-\u2013\u2212]/g, '-')
		.replace(BETWEEN_WORDS, ' ')
		// ẞ becomes ß and then SS; ς and σ both become Σ.
		.toLowerCase()
		.toUpperCase()
		.replace(/\s+/g, ' ')
		.trim();
