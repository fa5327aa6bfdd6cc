import { dividedBy, toJson, type Decimal } from './decimal';

/** A figure in a row. Null if it is not known. */
export type Figure = number | string | null;

/** A share in percent, with two digits. Null if the whole is 0. */
export const percent = (part: number, whole: number): Figure =>
	whole > 0 ? toJson(dividedBy(wholeNumber(part * 100), wholeNumber(whole), 2)) : null;

/** A sum divided by how many were added up. Null if there were none. */
export const average = (sum: Decimal, count: number, digits: number): Figure =>
	count > 0 ? toJson(dividedBy(sum, wholeNumber(count), digits)) : null;

const wholeNumber = (count: number): Decimal => ({ units: BigInt(count), scale: 0 });
