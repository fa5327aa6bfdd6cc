import type { Readings } from './readings.ts';

const ADDED = /\/?(?=\?|$)/;
const TAKEN = /\/(?=\?|$)/;

function slashOf({ slash }: Readings): { status: number; adds: boolean } | undefined {
	if (slash === 'as listed') return undefined;
	const [status, verb] = slash.split(' ');
	return { status: Number(status), adds: verb === 'adds' };
}

/** The path at which the server has a path of the reference, which may differ in the slash at its end. */
export function addressOf(path: string, readings: Readings): string {
	const slash = slashOf(readings);
	if (!slash) return path;
	return path.replace(slash.adds ? ADDED : TAKEN, slash.adds ? '/' : '');
}

interface Redirect {
	status: number;
	/** The path that is redirected. */
	path: string;
	/** The address to go to, with its query. */
	target: (url: string) => string;
}

/** The redirect from the other form of the path, if the server has one. */
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
