/** An exact decimal number: `units` divided by 10 to the power of `scale`. */
export interface Decimal {
	units: bigint;
	scale: number;
}

export const ZERO: Decimal = { units: 0n, scale: 0 };
export const ONE: Decimal = { units: 1n, scale: 0 };

const DECIMAL = /^([+-]?)(\d+)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i;

/**
 * Reads a number, or text with a decimal point, exactly as it is written: 0.1 is a tenth. Undefined for
 * anything else. Text with a comma is refused, because a comma may separate thousands or cents. Of a
 * number, 15 digits count: amounts that the API added up in binary end in 9s, such as 141.669999999999998.
 */
export function decimalOf(value: unknown): Decimal | undefined {
	if (typeof value !== 'number' && typeof value !== 'string') return undefined;
	if (Number.isSafeInteger(value)) return { units: BigInt(value), scale: 0 };
	const text = typeof value === 'number' ? String(Number(value.toPrecision(15))) : value.trim();
	const [, sign, whole, fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? [];
	if (whole === undefined) return undefined;
	const units = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n);
	const scale = fraction.length - Number(exponent);
	return scale < 0 ? { units: units * 10n ** BigInt(-scale), scale: 0 } : { units, scale };
}

/** The units of the same number at a larger scale. */
const unitsAt = ({ units, scale }: Decimal, digits: number) =>
	digits > scale ? units * 10n ** BigInt(digits - scale) : units;

export function plus(one: Decimal, other: Decimal): Decimal {
	const scale = Math.max(one.scale, other.scale);
	return { units: unitsAt(one, scale) + unitsAt(other, scale), scale };
}

export const minus = (one: Decimal, other: Decimal): Decimal =>
	plus(one, { ...other, units: -other.units });

export const times = (one: Decimal, other: Decimal): Decimal => ({
	units: one.units * other.units,
	scale: one.scale + other.scale,
});

/** Divides, and rounds half away from zero to `digits` behind the point. */
export function dividedBy(one: Decimal, other: Decimal, digits: number): Decimal {
	const dividend = one.units * 10n ** BigInt(digits + other.scale);
	const divisor = other.units * 10n ** BigInt(one.scale);
	const isNegative = dividend < 0n !== divisor < 0n;
	const [top, bottom] = [size(dividend), size(divisor)];
	const rounded = (top * 2n + bottom) / (bottom * 2n);
	return { units: isNegative ? -rounded : rounded, scale: digits };
}

const size = (units: bigint) => (units < 0n ? -units : units);

export const sizeOf = ({ units, scale }: Decimal): Decimal => ({ units: size(units), scale });

/** The number as text, without zeros at its end: 12.5. */
export function decimalText({ units, scale }: Decimal): string {
	const digits = String(size(units)).padStart(scale + 1, '0');
	const whole = digits.slice(0, digits.length - scale);
	let fraction = digits.slice(digits.length - scale);
	while (fraction.endsWith('0')) fraction = fraction.slice(0, -1);
	return `${units < 0n ? '-' : ''}${whole}${fraction && `.${fraction}`}`;
}

export const toJson = (decimal: Decimal): number => Number(decimalText(decimal));
