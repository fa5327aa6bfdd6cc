import { createHash } from 'crypto';

/** Length of a key. Of 10,000 keys, the chance that a new one equals another is 1 in 10^14. */
export const KEY = 10;

/** A short text that stands for a long one. */
export const digest = (text: string): string =>
	createHash('sha256').update(text).digest('base64url').slice(0, KEY);

/** A longer text is no good key: JavaScript tells the keys of a map apart by their length alone from 16,384 on. */
const LONGEST = 1000;

/** A text as a key, cut if it is long. What is cut stays as it is if it is cut again. */
export const shortKey = (text: string): string =>
	text.length > LONGEST ? `${text.slice(0, LONGEST - 2 * KEY)}… ${digest(text)}` : text;
