import { Refusal } from './envelope.ts';

/** Section "Authentication", 3. */
export type Permission = 'READ' | 'READ_WRITE' | 'WRITE' | 'MAKE_OUTBOUND_CALLS';

/** Section "Authentication", 4: what an endpoint asks of an API key. */
export type Need = 'read' | 'change' | 'call';

/** Two are there from the start, `own` and `other`; a test may add more. */
export type Organization = string;

export interface Caller {
	organization: Organization;
	/** Of an API key. */
	permissions?: readonly Permission[];
	/** Of an OAuth access token. */
	scopes?: readonly string[];
}

export const KEYS = {
	read: 'yk_emulator_read',
	readWrite: 'yk_emulator_read_write',
	write: 'yk_emulator_write',
	calls: 'yk_emulator_calls',
	writeCalls: 'yk_emulator_write_calls',
	all: 'yk_emulator_all',
	none: 'yk_emulator_none',
	otherOrg: 'yk_emulator_other_organization',
};

export const TOKENS = {
	agentsRead: 'oauth_agents_read',
	agentsWrite: 'oauth_agents_write',
	usageRead: 'oauth_usage_read',
	offlineAccess: 'oauth_offline_access',
	genericWrite: 'oauth_write',
	all: 'oauth_all',
	none: 'oauth_none',
};

/** "write" stands for the generic write scope, which does not suffice anywhere. */
export const ALL_SCOPES = [
	'agents:read',
	'agents:write',
	'usage:read',
	'offline_access',
	'write',
] as const;

export const EVERYTHING: readonly Permission[] = ['READ_WRITE', 'WRITE', 'MAKE_OUTBOUND_CALLS'];

/** The callers known from the start, by what they write behind "Bearer". */
export function knownCallers(): Map<string, Caller> {
	const key = (permissions: readonly Permission[], organization: Organization = 'own') => ({
		organization,
		permissions,
	});
	const token = (...scopes: string[]): Caller => ({ organization: 'own', scopes });
	return new Map<string, Caller>([
		[KEYS.read, key(['READ'])],
		[KEYS.readWrite, key(['READ_WRITE'])],
		[KEYS.write, key(['WRITE'])],
		[KEYS.calls, key(['MAKE_OUTBOUND_CALLS'])],
		[KEYS.writeCalls, key(['WRITE', 'MAKE_OUTBOUND_CALLS'])],
		[KEYS.all, key(EVERYTHING)],
		[KEYS.none, key([])],
		[KEYS.otherOrg, key(EVERYTHING, 'other')],
		[TOKENS.agentsRead, token('agents:read')],
		[TOKENS.agentsWrite, token('agents:write')],
		[TOKENS.usageRead, token('usage:read')],
		[TOKENS.offlineAccess, token('offline_access')],
		[TOKENS.genericWrite, token('write')],
		[TOKENS.all, token(...ALL_SCOPES)],
		[TOKENS.none, token()],
	]);
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
 * Section "Authentication", 4 to 6. Scopes are those of which one suffices; an endpoint without any
 * takes no OAuth token, for which the token is then an invalid key.
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
