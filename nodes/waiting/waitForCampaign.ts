import { refusesToAnswer } from '../api/apiError';
import { readRecord } from '../api/readRecord';
import type { Api, Request } from '../api/session';
import { isState } from '../domain/status';
import { firstText, isObject, type JsonObject } from '../json';
import { MINUTE } from '../time';
import { Rounds } from './rounds';

/** How to recognise that a campaign is over. The reference does not show it, so these are settings. */
export interface CampaignEnd {
	stateFields: readonly string[];
	states: readonly string[];
	/** If neither its state nor a counter changes for so long, the campaign counts as over (ms). */
	quiet: number;
}

/** The item for a campaign when the waiting is over. */
export interface CampaignOutcome extends JsonObject {
	result: 'finished' | 'unchanged' | 'underWay';
	/** The result in words. */
	explanation: string;
	campaign: JsonObject;
}

/**
 * Waits until a campaign has reached a final state, or has not changed for a while.
 * Reference: GET /campaigns/{campaign_id}.
 *
 * @param campaign as it was read just now
 * @param most how long to wait, in ms
 * @throws if the API refuses to show the campaign, or the execution is stopped
 */
export async function waitForCampaign(
	api: Api,
	request: Request,
	campaign: JsonObject,
	end: CampaignEnd,
	most: number,
): Promise<CampaignOutcome> {
	let latest = campaign;
	let movedAt = Date.now();
	// A campaign that cannot be read may move unseen.
	let seenAt = movedAt;
	let trouble = '';
	const outcome = () => campaignOutcome(latest, end, seenAt - movedAt, trouble);
	const look = async () => {
		trouble = '';
		const next = await readRecord(api, request).catch((error: Error) => {
			if (refusesToAnswer(error)) throw error;
			trouble = ` The last look failed: ${error.message}`;
			return latest;
		});
		if (trouble === '') seenAt = Date.now();
		if (progressOf(next, end) !== progressOf(latest, end)) movedAt = seenAt;
		latest = next;
	};
	const rounds = new Rounds(look, async (ms) => await api.pause(ms));
	await rounds.wait(() => outcome().result !== 'underWay', Date.now() + most);
	return outcome();
}

/** @param unchangedFor for how long neither its state nor a counter has changed, in ms */
function campaignOutcome(
	campaign: JsonObject,
	end: CampaignEnd,
	unchangedFor: number,
	trouble: string,
): CampaignOutcome {
	const state = firstText(campaign, end.stateFields);
	const is = state === undefined ? 'it shows no state' : `its state is ${state}`;
	if (isState(end.states, state)) {
		return { result: 'finished', explanation: `The campaign has ended: ${is}.`, campaign };
	}
	if (unchangedFor >= end.quiet) {
		const explanation = `Neither its state nor a counter has moved for ${end.quiet / MINUTE} minutes; ${is}.`;
		return { result: 'unchanged', explanation, campaign };
	}
	const explanation = `The campaign had not ended in time; ${is}.${trouble}`;
	return { result: 'underWay', explanation, campaign };
}

/** A text that changes while the campaign runs: its state, and every number in it. */
function progressOf(campaign: JsonObject, end: CampaignEnd): string {
	const numbers = (value: unknown): unknown => {
		if (isObject(value)) return Object.entries(value).map(([name, part]) => [name, numbers(part)]);
		if (Array.isArray(value)) return value.map(numbers);
		const isNumber = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value);
		return typeof value === 'number' || isNumber ? value : null;
	};
	return JSON.stringify([firstText(campaign, end.stateFields), numbers(campaign)]);
}
