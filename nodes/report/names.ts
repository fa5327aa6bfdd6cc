/** The languages of a report, by the code that Intl takes. */
export const LANGUAGES = {
	en: 'English',
	fr: 'French',
	de: 'German',
	it: 'Italian',
	es: 'Spanish',
} as const;

export type Language = keyof typeof LANGUAGES;

/** The parts of a report, in their order on the page. */
export const SECTIONS = {
	keyFigures: 'Key Figures',
	callsByDay: 'Calls by Day',
	callsByStatus: 'Calls by Status',
	callsByAgent: 'Calls by Agent',
	busiestHours: 'Busiest Hours',
	orders: 'Orders',
	wallet: 'Wallet',
} as const;

export type SectionName = keyof typeof SECTIONS;
