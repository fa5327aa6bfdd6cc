import type { Api } from '../../api/session';
import { isSaid } from '../../checks/checkCall';
import { withParts } from '../../domain/callParts';
import type { JsonObject } from '../../json';
import { text } from '../../table/kinds';
import { nonBlank, trimmed } from '../../table/schema';

/** The filter of calls by what was said. The API does not have it, so the node reads the transcripts. */
export const transcriptContains = text(
	{
		displayName: 'Transcript Contains',
		placeholder: 'e.g. cancel my order',
		description:
			'Only calls in which somebody said this. Case and accents are ignored. Calls without a transcript are left out. Costs one request for each call that the other filters leave.',
	},
	trimmed(
		nonBlank(1000).refine((said) => /[\p{L}\p{N}]/u.test(said), {
			message: 'must have a letter or a digit',
		}),
	),
);

/**
 * The calls in which somebody said a text. A call without a transcript is none of them.
 * Reference: GET /call-history/{call_id}/transcript.
 */
export async function callsThatContain(
	said: string,
	calls: JsonObject[],
	api: Api,
): Promise<JsonObject[]> {
	const found = await Promise.all(
		calls.map(async (call) => {
			const { transcript } = await withParts(call, ['transcript'], api);
			return isSaid(said, transcript);
		}),
	);
	return calls.filter((_call, at) => found[at]);
}
