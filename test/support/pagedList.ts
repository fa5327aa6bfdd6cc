import { USUAL_NAMES } from '../../nodes/api/names.ts';
import type { FetchPage } from '../../nodes/api/pages.ts';
import type { Api } from '../../nodes/api/session.ts';
import type { JsonObject } from '../../nodes/json.ts';

/** How a list is served. */
interface Serving {
	/** The most records of each page in turn. */
	caps?: number[];
	/** Whether a page says the most that it may have. */
	tellsCap?: boolean;
	/** The total that a page names, by the records of the list and of the page. Default: the right one. */
	total?(count: number, page: number): number | undefined;
	/** What happens before an answer. Requests are counted from 0. */
	before?(request: number): Promise<void> | void;
}

/** A list that is served in pages, for unit tests of what reads lists. It may change between two answers. */
export class PagedList {
	requests = 0;

	records: JsonObject[];

	readonly #serving: Serving;

	constructor(records: JsonObject[], serving: Serving = {}) {
		this.records = records;
		this.#serving = serving;
	}

	readonly fetch: FetchPage = async (offset, limit) => {
		const { caps = [100], tellsCap, total = (count) => count, before } = this.#serving;
		const cap = Math.min(limit, caps[this.requests % caps.length]!);
		await before?.(this.requests++);
		const records = this.records.slice(offset, offset + cap);
		return {
			records,
			total: total(this.records.length, records.length),
			...(tellsCap && { limit: cap }),
		};
	};

	/** An API that answers each request with this list. */
	get api(): Api {
		const send = async ({ query }: { query: { offset: number; limit: number } }) => {
			const { records: data, total, limit } = await this.fetch(query.offset, query.limit);
			return { data, meta: { total_items: total, limit } };
		};
		const malformed = (what: string) => new Error(what);
		return { names: USUAL_NAMES, send, checking: () => ({ send }), malformed } as unknown as Api;
	}
}

/** So many records with IDs. */
export const numbered = (count: number): JsonObject[] =>
	Array.from({ length: count }, (_, id) => ({ id }));
