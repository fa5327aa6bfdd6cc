/**
 * The API key without the spaces around it that copying leaves. Reference: "Authentication" 1 and 2.
 * @throws Error with the reason and what to do; it does not repeat the key
 */
export function normalizeApiKey(raw: unknown): string {
	const key = String(raw ?? '').trim();
	if (/^yk_./.test(key)) return key;
	throw new Error("The 'API Key' must begin with yk_. Copy the whole key.");
}
