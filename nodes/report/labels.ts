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

const ORDER = ['en', 'de', 'es', 'fr', 'it'] as const satisfies readonly Language[];

type Texts = Record<string, [en: string, de: string, es: string, fr: string, it: string]>;

const TEXTS = {
	title: [
		'Voice agent report',
		'Bericht der Sprachagenten',
		'Informe de los agentes de voz',
		'Rapport des agents vocaux',
		'Report degli agenti vocali',
	],
	calls: ['Calls', 'Anrufe', 'Llamadas', 'Appels', 'Chiamate'],
	minutes: [
		'Total minutes',
		'Minuten insgesamt',
		'Minutos en total',
		'Minutes au total',
		'Minuti in totale',
	],
	completed: ['Completed', 'Abgeschlossen', 'Completadas', 'Aboutis', 'Completate'],
	averageLength: [
		'Average length of a completed call',
		'Ø Länge eines abgeschlossenen Anrufs',
		'Duración media de una llamada completada',
		'Durée moyenne d’un appel abouti',
		'Durata media di una chiamata completata',
	],
	oneCall: ['call', 'Anruf', 'llamada', 'appel', 'chiamata'],
	someCalls: ['calls', 'Anrufe', 'llamadas', 'appels', 'chiamate'],
	inMonth: ['in {}', 'im {}', 'en {}', 'en {}', 'in {}'],
	inPeriod: [
		'in this period',
		'in diesem Zeitraum',
		'en este periodo',
		'sur cette période',
		'in questo periodo',
	],
	more: ['{} more', '{} mehr', 'un {} más', '{} de plus', '{} in più'],
	fewer: ['{} fewer', '{} weniger', 'un {} menos', '{} de moins', '{} in meno'],
	thanMonth: ['than in {}', 'als im {}', 'que en {}', 'qu’en {}', 'rispetto al mese di {}'],
	thanPeriod: [
		'than in the period before',
		'als im Zeitraum davor',
		'que en el periodo anterior',
		'que sur la période précédente',
		'rispetto al periodo precedente',
	],
	shareCompleted: [
		'{} were completed',
		'{} wurden abgeschlossen',
		'el {} se completó',
		'{} ont abouti',
		'{} a buon fine',
	],
	busiest: [
		'on average, {} is the busiest day of the week',
		'im Durchschnitt ist {} der stärkste Wochentag',
		'de media, el día con más llamadas es el {}',
		'en moyenne, le jour le plus chargé est le {}',
		'in media, il giorno con più chiamate è {}',
	],
	dataBegins: [
		'Data begins on {}, so nothing is compared.',
		'Die Daten beginnen am {}, darum wird nichts verglichen.',
		'Los datos empiezan el {}, por eso no se compara nada.',
		'Les données commencent le {}, rien n’est donc comparé.',
		'I dati iniziano {}, quindi non si confronta nulla.',
	],
	inbound: ['Incoming', 'Eingehend', 'Entrantes', 'Entrants', 'In entrata'],
	outbound: ['Outgoing', 'Ausgehend', 'Salientes', 'Sortants', 'In uscita'],
	noDirection: [
		'Direction not known',
		'Richtung nicht bekannt',
		'Sentido desconocido',
		'Sens inconnu',
		'Direzione non nota',
	],
	timesIn: [
		'Times in {}',
		'Zeitzone: {}',
		'Zona horaria: {}',
		'Fuseau horaire : {}',
		'Fuso orario: {}',
	],
	until: ['until {}', 'bis {}', 'hasta el {}', 'jusqu’au {}', 'fino a {}'],
	untilTime: ['until {}', 'bis {}', 'hasta las {}', 'jusqu’à {}', 'fino alle {}'],
	weekend: ['Weekend', 'Wochenende', 'Fin de semana', 'Week-end', 'Fine settimana'],
	keyFigures: ['Key figures', 'Kennzahlen', 'Cifras clave', 'Chiffres clés', 'Dati principali'],
	callsByDay: [
		'Calls by day',
		'Anrufe nach Tag',
		'Llamadas por día',
		'Appels par jour',
		'Chiamate per giorno',
	],
	callsByWeek: [
		'Calls by week',
		'Anrufe nach Woche',
		'Llamadas por semana',
		'Appels par semaine',
		'Chiamate per settimana',
	],
	callsByMonth: [
		'Calls by month',
		'Anrufe nach Monat',
		'Llamadas por mes',
		'Appels par mois',
		'Chiamate per mese',
	],
	callsByStatus: [
		'How calls ended',
		'Wie die Anrufe endeten',
		'Cómo terminaron las llamadas',
		'Issue des appels',
		'Esito delle chiamate',
	],
	callsByAgent: [
		'Calls by agent',
		'Anrufe nach Agent',
		'Llamadas por agente',
		'Appels par agent',
		'Chiamate per agente',
	],
	busiestHours: [
		'Busiest hours',
		'Anrufe nach Uhrzeit',
		'Llamadas por hora del día',
		'Appels par heure de la journée',
		'Chiamate per ora del giorno',
	],
	most: ['Most calls', 'Meiste Anrufe', 'Más llamadas', 'Le plus d’appels', 'Più chiamate'],
	orders: ['Orders', 'Bestellungen', 'Pedidos', 'Commandes', 'Ordini'],
	revenue: ['Revenue', 'Umsatz', 'Ingresos', 'Chiffre d’affaires', 'Fatturato'],
	averageOrder: [
		'Average order',
		'Ø Bestellung',
		'Pedido medio',
		'Commande moyenne',
		'Ordine medio',
	],
	sold: [
		'Revenue and average count confirmed and completed orders',
		'Umsatz und Durchschnitt zählen bestätigte und abgeschlossene Bestellungen',
		'Ingresos y media cuentan los pedidos confirmados y completados',
		'Le chiffre d’affaires et la moyenne comptent les commandes confirmées et terminées',
		'Fatturato e media contano gli ordini confermati e completati',
	],
	wallet: [
		'Balance movements',
		'Guthabenbewegungen',
		'Movimientos del saldo',
		'Mouvements du solde',
		'Movimenti del saldo',
	],
	added: ['Added', 'Aufgeladen', 'Recargado', 'Ajouté', 'Aggiunto'],
	consumed: ['Used', 'Verbraucht', 'Consumido', 'Consommé', 'Consumato'],
	currency: ['Currency', 'Währung', 'Moneda', 'Devise', 'Valuta'],
	noCurrency: ['Without a currency', 'Ohne Währung', 'Sin moneda', 'Sans devise', 'Senza valuta'],
	unknownAgent: ['Without an agent', 'Ohne Agent', 'Sin agente', 'Sans agent', 'Senza agente'],
	otherAgents: ['Others', 'Weitere', 'Otros', 'Autres', 'Altri'],
	unknown: ['not known', 'nicht bekannt', 'no se sabe', 'inconnu', 'non noto'],
	before: ['was', 'vorher', 'antes', 'avant', 'prima'],
	comparedWith: [
		'Compared with',
		'Im Vergleich zu',
		'En comparación con',
		'Comparé à',
		'Rispetto a',
	],
	asBefore: ['as before', 'wie vorher', 'como antes', 'comme avant', 'come prima'],
	points: [
		'percentage points',
		'Prozentpunkte',
		'puntos porcentuales',
		'points de pourcentage',
		'punti percentuali',
	],
	noCalls: [
		'There were no calls in this period.',
		'In diesem Zeitraum gab es keine Anrufe.',
		'No hubo llamadas en este periodo.',
		'Il n’y a eu aucun appel pendant cette période.',
		'In questo periodo non ci sono state chiamate.',
	],
	noOrders: [
		'There were no orders in this period.',
		'In diesem Zeitraum gab es keine Bestellungen.',
		'No hubo pedidos en este periodo.',
		'Il n’y a eu aucune commande pendant cette période.',
		'In questo periodo non ci sono stati ordini.',
	],
	noTransactions: [
		'There were no transactions in this period.',
		'In diesem Zeitraum gab es keine Buchungen.',
		'No hubo movimientos en este periodo.',
		'Il n’y a eu aucun mouvement pendant cette période.',
		'In questo periodo non ci sono stati movimenti.',
	],
	notShown: [
		'The account does not show this.',
		'Das Konto zeigt das nicht.',
		'La cuenta no muestra este dato.',
		'Le compte ne montre pas cette donnée.',
		'L’account non mostra questo dato.',
	],
	withoutLength: [
		'Calls without a length, left out of minutes and averages',
		'Anrufe ohne Dauer, in Minuten und Durchschnitt nicht enthalten',
		'Llamadas sin duración, no incluidas en minutos y media',
		'Appels sans durée, non compris dans les minutes et la moyenne',
		'Chiamate senza durata, escluse da minuti e media',
	],
	withoutDate: [
		'Records without a date, not counted',
		'Einträge ohne Datum, nicht gezählt',
		'Registros sin fecha, no contados',
		'Entrées sans date, non comptées',
		'Voci senza data, non contate',
	],
	withoutAmount: [
		'Records without an amount, not added up',
		'Einträge ohne Betrag, nicht summiert',
		'Registros sin importe, no sumados',
		'Entrées sans montant, non additionnées',
		'Voci senza importo, non sommate',
	],
	underWay: [
		'Calls that had not ended',
		'Anrufe, die noch nicht beendet waren',
		'Llamadas que no habían terminado',
		'Appels qui n’étaient pas terminés',
		'Chiamate non ancora terminate',
	],
} satisfies Texts;

/** The statuses of calls by the column that counts them, in the order of the page. */
const CALL_STATUS = {
	completed: ['Completed', 'Abgeschlossen', 'Completada', 'Abouti', 'Completata'],
	not_answered: [
		'Not answered',
		'Nicht angenommen',
		'Sin respuesta',
		'Sans réponse',
		'Senza risposta',
	],
	rejected: ['Rejected', 'Abgelehnt', 'Rechazada', 'Rejeté', 'Rifiutata'],
	failed: ['Failed', 'Fehlgeschlagen', 'Fallida', 'Échoué', 'Non riuscita'],
	busy: ['Busy', 'Besetzt', 'Ocupado', 'Occupé', 'Occupato'],
	voicemail: ['Voicemail', 'Mailbox', 'Buzón de voz', 'Messagerie vocale', 'Segreteria'],
	ended_in_queue: [
		'Ended in queue',
		'In der Warteschlange beendet',
		'Terminada en la cola',
		'Terminé dans la file d’attente',
		'Terminata in coda',
	],
	in_progress: ['In progress', 'Läuft noch', 'En curso', 'En cours', 'In corso'],
	cancelled: ['Cancelled', 'Abgebrochen', 'Cancelada', 'Annulé', 'Annullata'],
	other_status: ['Other', 'Anderes', 'Otro', 'Autre', 'Altro'],
	without_status: ['Without a status', 'Ohne Status', 'Sin estado', 'Sans statut', 'Senza stato'],
} satisfies Texts;

const ORDER_STATUS = {
	pending: ['Pending', 'Offen', 'Pendientes', 'En attente', 'In attesa'],
	confirmed: ['Confirmed', 'Bestätigt', 'Confirmados', 'Confirmées', 'Confermati'],
	completed: ['Completed', 'Abgeschlossen', 'Completados', 'Terminées', 'Completati'],
	cancelled: ['Cancelled', 'Storniert', 'Cancelados', 'Annulées', 'Annullati'],
	refused: ['Refused', 'Abgelehnt', 'Rechazados', 'Refusées', 'Rifiutati'],
	other_status: ['Other', 'Anderes', 'Otro', 'Autre', 'Altro'],
	without_status: ['Without a status', 'Ohne Status', 'Sin estado', 'Sans statut', 'Senza stato'],
} satisfies Texts;

export type Labels = ReturnType<typeof labelsIn>;

export function labelsIn(language: Language) {
	const at = ORDER.indexOf(language);
	const inLanguage = <T extends Texts>(texts: T) =>
		Object.fromEntries(Object.entries(texts).map(([name, each]) => [name, each[at]])) as Record<
			keyof T,
			string
		>;
	return {
		...inLanguage(TEXTS),
		callStatus: inLanguage(CALL_STATUS),
		orderStatus: inLanguage(ORDER_STATUS),
	};
}
