import type { Readings } from './readings.ts';

const AT_THE_END = /\/?(?=\?|$)/;

const adds = ({ slash }: Readings) => slash.endsWith('adds');

/** The path at which the server has a path of the reference, or an address: with or without a slash at the end. */
export function addressOf(path: string, readings: Readings): string {
	if (readings.slash === 'as listed') return path;
	return path.replace(AT_THE_END, adds(readings) ? '/' : '');
}

/** The other form of the path, and the status with which it redirects; undefined if the server has only one form. */
export function redirectOf(
	path: string,
	readings: Readings,
): { status: number; path: string } | undefined {
	if (readings.slash === 'as listed') return undefined;
	const served = addressOf(path, readings);
	return {
		status: Number(readings.slash.split(' ')[0]),
		path: adds(readings) ? served.slice(0, -1) : `${served}/`,
	};
}
