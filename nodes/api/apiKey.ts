/**
 * The API key of an account as it is sent, without the blanks around it that copying leaves.
 * Reference: "Authentication" 1 and 2.
 * @throws Error with the reason and how to mend it; it does not repeat the key
 */
export function normalizeApiKey(raw: unknown): string {
	const key = String(raw ?? '').trim();
	if (/^yk_./.test(key)) return key;
	throw new Error('The API Key must begin with yk_. Copy the whole key from your account.');
}
