import { Refusal } from './envelope.ts';

/** Section "Authentication", 3. */
type Permission = 'READ' | 'READ_WRITE' | 'WRITE' | 'MAKE_OUTBOUND_CALLS';

/** Section "Authentication", 4: what an endpoint asks of an API key. */
export type Need = 'read' | 'change' | 'call';

/** `own` and `other` exist from the start. A test may add more. */
export type Organization = string;

export interface Caller {
	organization: Organization;
	/** Of an API key. */
	permissions?: readonly Permission[];
	/** Of an OAuth access token. */
	scopes?: readonly string[];
}

export const EVERYTHING: readonly Permission[] = ['READ_WRITE', 'WRITE', 'MAKE_OUTBOUND_CALLS'];

const PERMISSIONS = {
	read: ['READ'],
	readWrite: ['READ_WRITE'],
	write: ['WRITE'],
	calls: ['MAKE_OUTBOUND_CALLS'],
	writeCalls: ['WRITE', 'MAKE_OUTBOUND_CALLS'],
	all: EVERYTHING,
	none: [],
	/** The one key of another organization. */
	otherOrg: EVERYTHING,
} satisfies Record<string, readonly Permission[]>;

const SCOPES = {
	agentsRead: ['agents:read'],
	agentsWrite: ['agents:write'],
	usageRead: ['usage:read'],
	offlineAccess: ['offline_access'],
	/** A write scope for everything, which is not enough anywhere. */
	genericWrite: ['write'],
	all: ['agents:read', 'agents:write', 'usage:read', 'offline_access', 'write'],
	none: [],
} satisfies Record<string, readonly string[]>;

/** A text for each name, such as yk_emulator_readWrite. */
const named = <Name extends string>(prefix: string, of: Record<Name, unknown>) =>
	Object.fromEntries(Object.keys(of).map((name) => [name, prefix + name])) as Record<Name, string>;

/** API keys. */
export const KEYS = named('yk_emulator_', PERMISSIONS);
/** OAuth access tokens. */
export const TOKENS = named('oauth_', SCOPES);

/** The callers known from the start, by their key or token. */
export function knownCallers(): Map<string, Caller> {
	const callers = new Map<string, Caller>();
	for (const [name, permissions] of Object.entries(PERMISSIONS)) {
		const organization = name === 'otherOrg' ? 'other' : 'own';
		callers.set(KEYS[name as keyof typeof KEYS], { organization, permissions });
	}
	for (const [name, scopes] of Object.entries(SCOPES))
		callers.set(TOKENS[name as keyof typeof TOKENS], { organization: 'own', scopes });
	return callers;
}

/** Section "Authentication", 6: a missing or invalid key is a 401. */
export function unauthorized(message = 'the API key is missing or invalid'): Refusal {
	return new Refusal(401, 'AUTHENTICATION_FAILED', message);
}

/** Section "Authentication", 1 and 6. */
export function identify(header: string | undefined, callers: ReadonlyMap<string, Caller>): Caller {
	const caller = callers.get(/^Bearer (\S+)$/.exec(header ?? '')?.[1] ?? '');
	if (!caller) throw unauthorized();
	return caller;
}

const SATISFIES: Record<Need, (permissions: readonly Permission[]) => boolean> = {
	read: (permissions) => permissions.includes('READ') || permissions.includes('READ_WRITE'),
	change: (permissions) => permissions.includes('READ_WRITE'),
	call: (permissions) =>
		permissions.includes('WRITE') && permissions.includes('MAKE_OUTBOUND_CALLS'),
};

const WORDS: Record<Need, string> = {
	read: 'READ or READ_WRITE',
	change: 'READ_WRITE',
	call: 'WRITE together with MAKE_OUTBOUND_CALLS',
};

/**
 * Section "Authentication", 4 to 6.
 * @param scopes one of them is enough; without any, the endpoint takes no OAuth token (401)
 */
export function permit(caller: Caller, need: Need, scopes: readonly string[] | undefined): void {
	if (caller.scopes && !scopes)
		throw unauthorized('this endpoint takes an API key, not an OAuth access token');
	const permitted = caller.scopes
		? caller.scopes.some((scope) => scopes?.includes(scope))
		: SATISFIES[need](caller.permissions ?? []);
	if (permitted) return;
	const lacking = caller.scopes
		? `the token needs the scope ${scopes?.join(' or ')}`
		: `the key needs ${WORDS[need]}`;
	throw new Refusal(403, 'INSUFFICIENT_PERMISSIONS', lacking);
}
