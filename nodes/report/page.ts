/** A report before it is drawn: everything is text in the report's language already. */
export interface ReportPage {
	language: string;
	title: string;
	/** The period, and the one it is compared with, on lines of their own. */
	subtitle: string;
	sentence?: string;
	/** Colour of bars and of the line at the top: `#rrggbb`. */
	accent: string;
	logo?: string;
	intro?: string;
	footer?: string;
	sections: Section[];
}

/** Notes say what the figures leave out, or why there are none. */
export interface Section {
	title: string;
	tiles?: Tile[];
	columns?: Columns;
	bars?: Bar[];
	table?: Table;
	notes: string[];
}

export interface Tile {
	label: string;
	value: string;
	change?: string;
	/** Whether the change is good news. Undefined if it is neither. */
	isGood?: boolean;
}

export interface Columns {
	legend: { now: string; before?: string; weekend?: string };
	entries: Array<{
		/** Below the bar. Empty if there is no room for each. */
		mark: string;
		/** What the bar says if it is read aloud or printed as text. */
		label: string;
		now: number;
		before?: number;
		isWeekend?: boolean;
	}>;
}

export interface Bar {
	label: string;
	value: string;
	/** 0 to 1, of the longest bar. */
	share: number;
}

export interface Table {
	head: string[];
	rows: string[][];
}
