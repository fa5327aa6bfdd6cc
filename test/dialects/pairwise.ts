type Traits = Readonly<Record<string, readonly string[]>>;

/** One of each trait's values. */
type Row<T extends Traits> = { [Name in keyof T]: T[Name][number] };

const keyOf = (one: string, value: string, other: string, otherValue: string) =>
	JSON.stringify(one < other ? [one, value, other, otherValue] : [other, otherValue, one, value]);

/**
 * A small number of rows in which every two values of two traits are together at least once. Each row
 * starts with a pair that is in no row yet, and adds the value of each trait that makes the most new pairs.
 */
export function pairwise<T extends Traits>(traits: T): Array<Row<T>> {
	const names = Object.keys(traits);
	const open = new Map<string, Record<string, string>>();
	for (const [index, one] of names.entries())
		for (const other of names.slice(index + 1))
			for (const value of traits[one]!)
				for (const otherValue of traits[other]!)
					open.set(keyOf(one, value, other, otherValue), { [one]: value, [other]: otherValue });

	const rows: Array<Row<T>> = [];
	for (let [start] = open.values(); start !== undefined; [start] = open.values()) {
		const row: Record<string, string> = { ...start };
		for (const name of names) {
			if (name in row) continue;
			const gain = (value: string) =>
				Object.entries(row).filter(([other, taken]) => open.has(keyOf(name, value, other, taken)))
					.length;
			row[name] = [...traits[name]!].sort((one, other) => gain(other) - gain(one))[0]!;
		}
		for (const [index, one] of names.entries())
			for (const other of names.slice(index + 1))
				open.delete(keyOf(one, row[one]!, other, row[other]!));
		rows.push(Object.fromEntries(names.map((name) => [name, row[name]])) as Row<T>);
	}
	return rows;
}
