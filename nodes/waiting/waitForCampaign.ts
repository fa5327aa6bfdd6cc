import { refusesToAnswer } from '../api/apiError';
import type { Api } from '../api/session';
import { ASSUMED } from '../domain/assumed';
import { isState } from '../domain/status';
import { firstText, isObject, type JsonObject } from '../json';
import { optionsOf } from '../table/common';
import { always } from '../table/form';
import { number } from '../table/kinds';
import { MINUTE } from '../time';
import { rounds } from './rounds';

/** When a campaign counts as over although it shows no final state. */
export const campaignEnd = optionsOf({
	unchangedFor: always(
		number({
			displayName: 'Unchanged For (Minutes)',
			min: 1,
			max: 1440,
			default: 5,
			description: 'The campaign is over if nothing has changed for this long. Defaults to 5.',
		}),
	),
});

type CampaignEnd = ReturnType<(typeof campaignEnd)['read']>;

/**
 * Waits until a campaign has reached a final state, or has not changed for a while.
 * @throws if the API refuses to show the campaign, or the execution is stopped
 */
export async function waitForCampaign(
	api: Api,
	read: () => Promise<JsonObject>,
	campaign: JsonObject,
	end: CampaignEnd,
	most: number,
) {
	let latest = campaign;
	let movedAt = Date.now();
	// A campaign that cannot be read may move unseen.
	let seenAt = movedAt;
	let trouble = '';
	const outcome = () => {
		const state = firstText(latest, ASSUMED.campaignStatus);
		const is = state === undefined ? 'it shows no state' : `its state is ${state}`;
		const [result, explanation] = isState(ASSUMED.campaignEnds, state)
			? ['finished', `The campaign has ended: ${is}.`]
			: seenAt - movedAt >= end.unchangedFor * MINUTE
				? [
						'unchanged',
						`Neither its state nor a counter has moved for ${end.unchangedFor} minutes; ${is}.`,
					]
				: ['underWay', `The campaign had not ended in time; ${is}.${trouble}`];
		return { result, explanation, campaign: latest };
	};
	const look = async () => {
		trouble = '';
		const next = await read().catch((error: Error) => {
			if (refusesToAnswer(error)) throw error;
			trouble = ` The last look failed: ${error.message}`;
		});
		if (!next) return;
		seenAt = Date.now();
		if (progressOf(next) !== progressOf(latest)) movedAt = seenAt;
		latest = next;
	};
	const wait = rounds(look, async (ms) => await api.pause(ms));
	await wait(() => outcome().result !== 'underWay', Date.now() + most);
	return outcome();
}

/** A text that changes while the campaign runs: its state, and every number in it. */
function progressOf(campaign: JsonObject): string {
	const numbers = (value: unknown): unknown => {
		if (isObject(value)) return Object.entries(value).map(([name, part]) => [name, numbers(part)]);
		if (Array.isArray(value)) return value.map(numbers);
		const isNumber = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value);
		return typeof value === 'number' || isNumber ? value : null;
	};
	return JSON.stringify([firstText(campaign, ASSUMED.campaignStatus), numbers(campaign)]);
}
