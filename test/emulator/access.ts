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
	all: ['agents:read', 'agents:write', 'usage:read', 'offline_access'],
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

/** What each need asks: one of these groups of permissions. */
const NEEDED: Record<Need, Permission[][]> = {
	read: [['READ'], ['READ_WRITE']],
	change: [['READ_WRITE']],
	call: [['WRITE', 'MAKE_OUTBOUND_CALLS']],
};

/**
 * Section "Authentication".
 * @param scopes of which one is enough for an OAuth token; without any, the endpoint takes no token
 * @throws a 401 if the key or token is missing or unknown, a 403 if it may not do this
 */
export function identify(
	callers: ReadonlyMap<string, Caller>,
	header: string | undefined,
	need: Need,
	scopes: readonly string[] | undefined,
): Caller {
	const caller = callers.get(/^Bearer (\S+)$/.exec(header ?? '')?.[1] ?? '');
	if (!caller) throw new Refusal(401, 'the API key is missing or invalid');
	const { permissions = [], scopes: granted } = caller;
	if (granted) {
		if (!scopes) throw new Refusal(401, 'this endpoint takes an API key, no OAuth access token');
		if (scopes.some((scope) => granted.includes(scope))) return caller;
		throw new Refusal(403, `the token needs the scope ${scopes.join(' or ')}`);
	}
	const groups = NEEDED[need];
	if (groups.some((group) => group.every((one) => permissions.includes(one)))) return caller;
	const words = groups.map((group) => group.join(' together with ')).join(' or ');
	throw new Refusal(403, `the key needs ${words}`);
}
