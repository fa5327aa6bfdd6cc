import { tidy } from '../json';

/** Longer texts are not looked at. */
const MOST_CHARACTERS = 4000;

/**
 * The API key without the spaces around it that copying leaves. Reference: "Authentication" 1 and 2.
 * @throws Error with the reason and what to do; it does not repeat the key
 */
export function normalizeApiKey(raw: unknown): string {
	const key = typeof raw === 'string' ? tidy(raw.slice(0, MOST_CHARACTERS + 1)) : '';
	if (!/^yk_./.test(key)) throw new Error("The 'API Key' must begin with yk_. Copy the whole key.");
	if (key.length <= MOST_CHARACTERS && /^[\x21-\x7e]+$/.test(key)) return key;
	throw new Error(
		"The 'API Key' is too long, or has a space, a line break or a special character in it. Copy the key alone.",
	);
}
