import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

/** The HTTP requests this process has sent and got an answer to, whoever they went to. */
export interface Traffic {
	answered: number;
	/** Of those, the ones for a call's summary. */
	summaries: number;
	/** The methods other than GET, which change something. */
	writes: number;
}

/** Counts from now on, at the socket: what is shown as progress is what really went out. */
export function watchTraffic(): Traffic {
	const traffic: Traffic = { answered: 0, summaries: 0, writes: 0 };
	subscribe('http.client.request.start', (message) => {
		const { request } = message as { request: ClientRequest };
		if (request.method !== 'GET') traffic.writes += 1;
	});
	subscribe('http.client.response.finish', (message) => {
		const { request } = message as { request: ClientRequest };
		traffic.answered += 1;
		if (request.path.endsWith('/summary')) traffic.summaries += 1;
	});
	return traffic;
}
