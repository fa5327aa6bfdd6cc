/** What a request needs besides the usual permission, and what an error status means for it. */
interface Access {
	/** The OAuth scope it needs. */
	scope?: string;
	hints?: Readonly<Record<number, string>>;
}

/** Request → what it needs. Actions and triggers share it. Reference: "Authentication" 5, and GET /usage. */
export const ACCESS = {
	'GET /agents/{agent_id}': { scope: 'agents:read' },
	'GET /usage': {
		scope: 'usage:read',
		hints: { 404: 'The organization has no active plan, so there is no usage to report.' },
	},
} as const satisfies Readonly<Record<string, Access>>;

export const accessOf = (request: string): Access =>
	(ACCESS as Readonly<Record<string, Access>>)[request] ?? {};
