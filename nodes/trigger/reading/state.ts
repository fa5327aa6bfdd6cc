import { isObject } from '../../json';
import { KEY } from './record';

/**
 * What is saved between polls of a window over a list, as plain JSON. A record is new if it is not
 * in `done` and is not older than `floor`, or is in `open`.
 */
export interface State {
	v: 2;
	/** What is watched, and in which account: two short keys with a colon between them. */
	scope: string;
	/** Nothing older is looked for (ms since 1970, on the API's clock). */
	floor: number;
	/** What was emitted or is unwanted, from the floor on: see `packed`. */
	done: string;
	/** The few that still wait though the floor had to pass them: id → created_at. */
	open: Record<string, string>;
}

/** Key → when it was created, in whole seconds since the floor. */
export type Done = Map<string, number>;

const SECOND = 1000;

const PACKED = new RegExp(`^(?:[0-9a-z]+:(?:[\\w-]{${KEY}})+(?:,|$))*$`);

/** The records done with as one text: `second:keys` of each second, the second in base 36. */
export function packed(done: Done): string {
	const seconds = new Map<number, string>();
	for (const [key, second] of done) seconds.set(second, (seconds.get(second) ?? '') + key);
	return [...seconds]
		.sort(([one], [other]) => one - other)
		.map(([second, keys]) => `${second.toString(36)}:${keys}`)
		.join(',');
}

export function unpacked(text: string): Done {
	const done: Done = new Map();
	for (const entry of text.split(',')) {
		const [second = '', keys = ''] = entry.split(':');
		for (let at = 0; at < keys.length; at += KEY)
			done.set(keys.slice(at, at + KEY), parseInt(second, 36));
	}
	return done;
}

/** Whole seconds from the floor to a time, by which every rise of the floor keeps them exact. */
export const secondOf = (at: number, floor: number) => Math.floor((at - floor) / SECOND);

/** The floor, raised towards a time by whole seconds; never lowered. */
export const raised = (floor: number, to: number) =>
	to > floor ? floor + secondOf(to, floor) * SECOND : floor;

/** A stored value as a state, or undefined where it is missing, damaged or of another version. */
export function stateIn(raw: unknown): State | undefined {
	if (!isObject(raw) || raw.v !== 2 || typeof raw.scope !== 'string') return undefined;
	const { scope, floor, done, open } = raw;
	if (!isTime(floor) || typeof done !== 'string' || !PACKED.test(done)) return undefined;
	if (!isObject(open) || !Object.values(open).every(isText)) return undefined;
	return { v: 2, scope, floor, done, open: { ...(open as Record<string, string>) } };
}

/** The state that version 0.1 stored of a list, and how it goes on from there. */
export function stateOfLap(raw: unknown, scope: string): State | undefined {
	if (!isObject(raw) || raw.v !== 1 || !isTime(raw.f) || !isObject(raw.ids)) return undefined;
	const floor = raw.f;
	const ids = Object.entries(raw.ids);
	if (!ids.every((entry): entry is [string, number] => isTime(entry[1]))) return undefined;
	const done = ids
		.filter(([key, at]) => at >= floor && key.length >= KEY)
		.map(([key, at]) => [key.slice(0, KEY), secondOf(at, floor)] as const);
	return { v: 2, scope, floor, done: packed(new Map(done)), open: {} };
}

/** A time that a date can show, in ms. */
export const isTime = (raw: unknown): raw is number =>
	typeof raw === 'number' && Math.abs(raw) <= 8.64e15;

const isText = (raw: unknown) => typeof raw === 'string';
