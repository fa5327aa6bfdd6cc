/** Words for the records of an imaginary restaurant. */
export const FIRST_NAMES =
	'Ada Bruno Carla Dario Elena Fabio Giulia Hugo Irene Jonas Klara Luca Marta Nadia'.split(' ');
export const LAST_NAMES =
	'Abbott Bianchi Costa Duarte Esposito Fischer Greco Hansen Ivanov Jensen Keller'.split(' ');

export const DISHES: ReadonlyArray<readonly [name: string, category: string, price: number]> = [
	['Margherita', 'Pizza', 7.5],
	['Four Seasons', 'Pizza', 9.5],
	['Diavola', 'Pizza', 9],
	['Lasagne', 'Pasta', 11],
	['Carbonara', 'Pasta', 10.5],
	['Green Salad', 'Sides', 4.5],
	['Focaccia', 'Sides', 3.8],
	['Tiramisù', 'Dessert', 5.5],
	['Panna Cotta', 'Dessert', 5],
	['Still Water', 'Drinks', 2],
	['Lemonade', 'Drinks', 3.2],
	['House Red, 0.5 l', 'Drinks', 9],
];

export const SUMMARIES = [
	'The caller asked for a table for four and was given one at half past eight.',
	'The caller ordered for delivery and confirmed the address.',
	'The caller asked about gluten-free dishes; the agent named three.',
	'The caller changed an order and was told the new total.',
];

export const OPENING = 'Good evening, this is Trattoria Aurora. How can I help?';

const WISHES = ['I would like to book a table.', 'Can I order two pizzas for delivery?'];

/** The turns of a call: who says one of these texts, and after which part of its time. */
export const TALK = [
	{ role: 'agent', texts: [OPENING], part: 0 },
	{ role: 'caller', texts: WISHES, part: 0.2 },
	{ role: 'agent', texts: ['Certainly, one moment please.'], part: 0.5 },
	{ role: 'agent', texts: ['Thank you for calling, goodbye.'], part: 0.9 },
] as const;

export const TAGS = ['booking', 'complaint', 'question', 'takeaway', 'vip'];
export const EVENT_TITLES = [
	'Table for two',
	'Table for four',
	'Birthday dinner',
	'Catering visit',
];
