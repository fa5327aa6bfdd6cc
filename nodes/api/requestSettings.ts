/** What the user may set for all requests. */
export interface RequestSettings {
	/** How many requests of one account may run in parallel. */
	concurrency?: number;
	/** Time limit of one request, from its start to the end of its answer, in ms. */
	timeout: number;
	/** How long one request may wait for its retries and for rate limits in total, in ms. */
	maxWait: number;
}

export const DEFAULT_REQUEST_SETTINGS: RequestSettings = {
	timeout: 60_000,
	maxWait: 120_000,
};
