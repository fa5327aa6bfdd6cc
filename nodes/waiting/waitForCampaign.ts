import { refusesToAnswer } from '../api/apiError';
import { readRecord } from '../api/readRecord';
import type { Api, Request } from '../api/session';
import { ASSUMED } from '../domain/assumed';
import { isState } from '../domain/status';
import { firstText, isObject, type JsonObject } from '../json';
import { optionsOf } from '../table/common';
import { always } from '../table/form';
import { number } from '../table/kinds';
import { MINUTE } from '../time';
import { Rounds } from './rounds';
import { names } from './waitingFields';

/** How to recognise that a campaign is over. The reference does not show it, so these are settings. */
export const campaignEnd = optionsOf({
	stateFields: names(ASSUMED.campaignState, {
		displayName: 'State Fields',
		description:
			'Advanced: names of the fields that may hold the state of a campaign, separated by commas',
	}),
	finalStates: names(ASSUMED.campaignEnds, {
		displayName: 'Final States',
		description:
			'Advanced: states in which a campaign is over, separated by commas, in any spelling',
	}),
	unchangedFor: always(
		number({
			displayName: 'Unchanged For (Minutes)',
			min: 1,
			max: 1440,
			default: 5,
			description:
				'The campaign counts as over if neither its state nor a counter has changed for this long. Defaults to 5.',
		}),
	),
});

export type CampaignEnd = ReturnType<(typeof campaignEnd)['read']>;

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
	if (isState(end.finalStates, state)) {
		return { result: 'finished', explanation: `The campaign has ended: ${is}.`, campaign };
	}
	if (unchangedFor >= end.unchangedFor * MINUTE) {
		const explanation = `Neither its state nor a counter has moved for ${end.unchangedFor} minutes; ${is}.`;
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
