import { Refusal } from './envelope.ts';

/** Section "Authentication", 3. */
type Permission = 'READ' | 'READ_WRITE' | 'WRITE' | 'MAKE_OUTBOUND_CALLS';

/** Section "Authentication", 4: what an endpoint asks of an API key. */
export type Need = 'read' | 'change' | 'call';

export interface Caller {
	/** `own`, `other`, or one that a test added. */
	organization: string;
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

const [OF_KEY, OF_TOKEN] = ['yk_emulator_', 'oauth_'];

/** API keys. */
export const KEYS = named(OF_KEY, PERMISSIONS);
/** OAuth access tokens. */
export const TOKENS = named(OF_TOKEN, SCOPES);

/** The callers known from the start, by their key or token. */
export function knownCallers(): Map<string, Caller> {
	const callers = new Map<string, Caller>();
	for (const [name, permissions] of Object.entries(PERMISSIONS)) {
		const organization = name === 'otherOrg' ? 'other' : 'own';
		callers.set(OF_KEY + name, { organization, permissions });
	}
	for (const [name, scopes] of Object.entries(SCOPES))
		callers.set(OF_TOKEN + name, { organization: 'own', scopes });
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

/** What each need asks: one of these groups of permissions. */
const NEEDED: Record<Need, { groups: Permission[][]; words: string }> = {
	read: { groups: [['READ'], ['READ_WRITE']], words: 'READ or READ_WRITE' },
	change: { groups: [['READ_WRITE']], words: 'READ_WRITE' },
	call: {
		groups: [['WRITE', 'MAKE_OUTBOUND_CALLS']],
		words: 'WRITE together with MAKE_OUTBOUND_CALLS',
	},
};

/**
 * Section "Authentication", 4 to 6.
 * @param accepted scopes, of which one is enough; without any, the endpoint takes no OAuth token (401)
 */
export function permit(
	{ permissions = [], scopes }: Caller,
	need: Need,
	accepted: readonly string[] | undefined,
): void {
	const { groups, words } = NEEDED[need];
	if (scopes && !accepted)
		throw unauthorized('this endpoint takes an API key, not an OAuth access token');
	const isPermitted = scopes
		? scopes.some((scope) => accepted?.includes(scope))
		: groups.some((group) => group.every((one) => permissions.includes(one)));
	if (isPermitted) return;
	const lacking = scopes
		? `the token needs the scope ${accepted?.join(' or ')}`
		: `the key needs ${words}`;
	throw new Refusal(403, 'INSUFFICIENT_PERMISSIONS', lacking);
}
