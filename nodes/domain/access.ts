import type { About } from '../api/errors';

/** The permission that an API key needs to read. Reference: "Authentication" 4. */
export const READ_PERMISSION = 'READ or READ_WRITE';

const CALLING = 'WRITE together with MAKE_OUTBOUND_CALLS';

type Access = Pick<About, 'permission' | 'scope' | 'isWithoutId'>;

/** How requests begin that need something else than others. Reference: "Authentication" 4 and 5. */
const ACCESS: Readonly<Record<string, Partial<Access>>> = {
	'GET /agents/': { scope: 'agents:read' },
	'PATCH /agents/': { scope: 'agents:write' },
	'GET /usage': { scope: 'usage:read' },
	'GET /portal-access/': { scope: 'offline_access' },
	'POST /playground/test-call': { permission: CALLING },
	// API Request: the user chooses the method.
	'GET /{path}': {
		permission: `${READ_PERMISSION} to read, READ_WRITE to change, and ${CALLING} for a test call`,
	},
};

/** @param request method and path, such as `GET /agents/{agent_id}` */
export function accessOf(request: string): Access {
	const start = Object.keys(ACCESS).find((beginning) => request.startsWith(beginning));
	const permission = request.startsWith('GET ') ? READ_PERMISSION : 'READ_WRITE';
	const isWithoutId = /^GET [^{\d]*$/.test(request);
	return { permission, isWithoutId, ...(start !== undefined && ACCESS[start]) };
}
