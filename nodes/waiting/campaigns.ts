import { isState } from '../domain/status';
import { readRecord } from '../api/record';
import type { Api } from '../api/session';
import { isObject, textIn, type JsonObject } from '../json';
import { clockOf, isRefusal } from './reader';
import { Rounds, type Clock } from './rounds';
import { MINUTE } from '../time';

/** How to recognise that a campaign is over. The reference does not show it, so these are settings. */
export interface CampaignEnd {
	stateFields: readonly string[];
	states: readonly string[];
	/** If neither its state nor a counter changes for so long, the campaign counts as over (ms). */
	quiet: number;
}

/** What is known of a campaign that an item waits for. */
interface CampaignState {
	id: string;
	end: CampaignEnd;
	campaign: JsonObject;
	/** When its state or a counter last changed, on n8n's clock, in ms. */
	movedAt: number;
	verdict?: 'finished' | 'unchanged' | Error;
	/** The error of the last look. The next look may succeed. */
	trouble?: Error;
}

/** Watches the campaigns of one account for all items that wait. Reference: GET /campaigns/{campaign_id}. */
export class CampaignWatch {
	private readonly reader: Api;

	private readonly clock: Clock;

	private readonly rounds: Rounds<CampaignState>;

	constructor(reader: Api, clock: Clock = clockOf(reader)) {
		this.reader = reader;
		this.clock = clock;
		this.rounds = new Rounds(
			async (waiting) =>
				await Promise.all(waiting.map(async ({ state }) => await this.look(state))),
			({ verdict }) => verdict !== undefined,
			clock,
		);
	}

	/**
	 * Waits until a campaign has reached a final state, or has not changed for a while.
	 * @param campaign as it was read just now
	 * @param most how long to wait, in ms
	 */
	async wait(
		id: string,
		campaign: JsonObject,
		end: CampaignEnd,
		most: number,
	): Promise<CampaignState> {
		const start = { id, end, campaign, movedAt: this.clock.now() };
		return await this.rounds.wait(this.judged(start), most, true);
	}

	private async look({ trouble: _before, ...state }: CampaignState): Promise<CampaignState> {
		const path = `/campaigns/${encodeURIComponent(state.id)}`;
		try {
			const campaign = await readRecord(this.reader, { method: 'GET', path });
			const hasMoved = progressOf(campaign, state.end) !== progressOf(state.campaign, state.end);
			const movedAt = hasMoved ? this.clock.now() : state.movedAt;
			return this.judged({ ...state, campaign, movedAt });
		} catch (error) {
			return { ...state, ...(isRefusal(error) ? { verdict: error } : { trouble: error as Error }) };
		}
	}

	private judged(state: CampaignState): CampaignState {
		const { campaign, end, movedAt } = state;
		if (isState(end.states, stateOf(campaign, end))) return { ...state, verdict: 'finished' };
		const isQuiet = this.clock.now() - movedAt >= end.quiet;
		return isQuiet ? { ...state, verdict: 'unchanged' } : state;
	}
}

const stateOf = (campaign: JsonObject, { stateFields }: CampaignEnd): string | undefined =>
	stateFields.map((name) => textIn(campaign[name])).find((state) => state !== undefined);

/** A text that changes while the campaign runs: its state, and every number in it. */
function progressOf(campaign: JsonObject, end: CampaignEnd): string {
	const numbers = (value: unknown): unknown => {
		if (isObject(value)) return Object.entries(value).map(([name, part]) => [name, numbers(part)]);
		if (Array.isArray(value)) return value.map(numbers);
		const isNumber = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value);
		return typeof value === 'number' || isNumber ? value : null;
	};
	return JSON.stringify([stateOf(campaign, end), numbers(campaign)]);
}

/** The item for a campaign when the waiting is over. */
export function campaignOutcome(state: CampaignState): JsonObject {
	const { campaign, end, verdict, trouble } = state;
	const named = stateOf(campaign, end);
	const is = named === undefined ? 'it shows no state' : `its state is ${named}`;
	const explanations = {
		finished: `The campaign has ended: ${is}.`,
		unchanged: `Neither its state nor a counter has moved for ${end.quiet / MINUTE} minutes; ${is}.`,
		underWay: `The campaign had not ended in time; ${is}.${trouble ? ` The last look failed: ${trouble.message}` : ''}`,
	};
	const result = typeof verdict === 'string' ? verdict : 'underWay';
	return { result, explanation: explanations[result], campaign };
}
