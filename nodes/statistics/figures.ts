import { dividedBy, toJson, type Decimal } from './decimal';

/** A figure of a row; null where it is not known. */
export type Figure = number | string | null;

/** A part of a whole in percent, with two digits; null of nothing. */
export const percent = (part: number, whole: number): Figure =>
	whole > 0 ? toJson(dividedBy(counted(part * 100), counted(whole), 2)) : null;

/** A sum by the number of what was added up; null where that is nothing. */
export const average = (sum: Decimal, count: number, digits: number): Figure =>
	count > 0 ? toJson(dividedBy(sum, counted(count), digits)) : null;

const counted = (count: number): Decimal => ({ units: BigInt(count), scale: 0 });
