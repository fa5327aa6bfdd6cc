/** Words for the records of an imaginary restaurant. */
export const FIRST_NAMES =
	'Ada Bruno Carla Dario Elena Fabio Giulia Hugo Irene Jonas Klara Luca Marta Nadia Oscar Paula'.split(
		' ',
	);
export const LAST_NAMES =
	'Abbott Bianchi Costa Duarte Esposito Fischer Greco Hansen Ivanov Jensen Keller Lombardi'.split(
		' ',
	);

export const DISHES: ReadonlyArray<readonly [name: string, category: string, price: number]> = [
	['Margherita', 'Pizza', 7.5],
	['Marinara', 'Pizza', 6.5],
	['Four Seasons', 'Pizza', 9.5],
	['Diavola', 'Pizza', 9],
	['Calzone', 'Pizza', 10],
	['Lasagne', 'Pasta', 11],
	['Carbonara', 'Pasta', 10.5],
	['Amatriciana', 'Pasta', 10.5],
	['Pesto Trofie', 'Pasta', 9.8],
	['Green Salad', 'Sides', 4.5],
	['Focaccia', 'Sides', 3.8],
	['Fried Courgettes', 'Sides', 5.2],
	['Tiramisù', 'Dessert', 5.5],
	['Panna Cotta', 'Dessert', 5],
	['Lemon Sorbet', 'Dessert', 4.2],
	['Still Water', 'Drinks', 2],
	['Lemonade', 'Drinks', 3.2],
	['House Red, 0.5 l', 'Drinks', 9],
];

export const SUMMARIES = [
	'The caller asked for a table for four and was given one at half past eight.',
	'The caller ordered for delivery and confirmed the address.',
	'The caller asked about gluten-free dishes; the agent named three.',
	'The caller changed an order and was told the new total.',
	'The caller asked for the opening hours on Sunday.',
];

export const OPENINGS = [
	'Good evening, this is Trattoria Aurora. How can I help?',
	'Hello, you are speaking with the assistant of Trattoria Aurora.',
];
const WISHES = [
	'I would like to book a table for tonight.',
	'Can I order two pizzas for delivery?',
	'Do you have anything without gluten?',
	'Are you open on Sunday?',
];
const ANSWERS = [
	'Certainly, for how many people?',
	'Of course. What is the address?',
	'Yes, one moment please.',
];
const CLOSINGS = ['Thank you, see you soon.', 'Thank you for calling, goodbye.'];

/** The turns of a call: who says one of these texts, and after which part of its time. */
export const TALK = [
	{ role: 'agent', texts: OPENINGS, part: 0 },
	{ role: 'caller', texts: WISHES, part: 0.2 },
	{ role: 'agent', texts: ANSWERS, part: 0.5 },
	{ role: 'agent', texts: CLOSINGS, part: 0.9 },
] as const;

export const TAGS = ['booking', 'order', 'complaint', 'question', 'vip'];
export const EVENT_TITLES = [
	'Table for two',
	'Table for four',
	'Birthday dinner',
	'Wine tasting',
	'Catering visit',
];
