import { createHash } from 'crypto';

import { momentOf } from '../../api/moment';
import type { JsonObject } from '../../json';

/** A record of a list, as far as it can be followed. */
export interface Listed {
	/** Stands for what tells it apart. */
	key: string;
	/** See `dateOf`. */
	at: number | undefined;
	record: JsonObject;
}

/** A record that can be followed. */
export interface Dated extends Listed {
	at: number;
}

/** 60 bits that stand for a text: with 10,000 held, one new text in 10^14 is taken for one of them. */
export function shorten(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, KEY);
}

/** The length of a key. */
export const KEY = 10;

/** An id is any text that says something, or a whole number: the reference calls few of them UUIDs. */
export function idOf({ id }: JsonObject): string | undefined {
	if (Number.isSafeInteger(id)) return String(id);
	return typeof id === 'string' && id.trim() !== '' ? id : undefined;
}

/** What tells records of a list apart: the id; where there is none, all of it. */
export const keyOf = (record: JsonObject) => idOf(record) ?? JSON.stringify(record);

/** When a record was created, in ms since 1970; undefined where it has no usable id or date. */
export const dateOf = (record: JsonObject) =>
	idOf(record) === undefined ? undefined : momentOf(record.created_at);

export const listed = (record: JsonObject): Listed => ({
	key: shorten(keyOf(record)),
	at: dateOf(record),
	record,
});

export const isDated = (one: Listed): one is Dated => one.at !== undefined;

/** Oldest first: by created_at (finer than a ms, too), then id. */
export function byAge(a: Dated, b: Dated): number {
	return (
		a.at - b.at ||
		compare(fractionOf(a.record), fractionOf(b.record)) ||
		compare(String(a.record.id), String(b.record.id))
	);
}

const fractionOf = ({ created_at: date }: JsonObject) => /[.,](\d+)/.exec(String(date))?.[1] ?? '';

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
