import type { Readings } from './readings.ts';

const ADDED = /\/?(?=\?|$)/;
const TAKEN = /\/(?=\?|$)/;

function slashOf({ slash }: Readings): { status: number; adds: boolean } | undefined {
	if (slash === 'as listed') return undefined;
	const [status, verb] = slash.split(' ');
	return { status: Number(status), adds: verb === 'adds' };
}

/** Where a path of the reference is served: as it is listed, or with or without a slash at its end throughout. */
export function addressOf(path: string, readings: Readings): string {
	const slash = slashOf(readings);
	if (!slash) return path;
	return path.replace(slash.adds ? ADDED : TAKEN, slash.adds ? '/' : '');
}

export interface Redirect {
	status: number;
	/** The path that is redirected. */
	path: string;
	/** Where a request's address leads to, its query included. */
	target: (url: string) => string;
}

/** What a server does that serves each path in one of its two forms: the other redirects to it. */
export function redirectOf(path: string, readings: Readings): Redirect | undefined {
	const slash = slashOf(readings);
	if (!slash) return undefined;
	const served = addressOf(path, readings);
	return {
		status: slash.status,
		path: slash.adds ? served.slice(0, -1) : `${served}/`,
		target: (url) => url.replace(slash.adds ? ADDED : TAKEN, slash.adds ? '/' : ''),
	};
}
