import { readRecord } from '../../api/readRecord';
import { checkCall, partsToCheck, unchecked } from '../../checks/checkCall';
import { checksField } from '../../checks/checksField';
import { callStatusOf, hasEnded } from '../../domain/call';
import { withParts } from '../../domain/callParts';
import { form, type Parameter } from '../../table/form';
import { operation } from '../../table/operation';

/** Whether a call is as it should be. @param about the call */
export const checkOf = (about: { call_id: Parameter<string> }) =>
	operation({
		name: 'Check',
		description:
			'Check what was said in a call, how it ended and how long it took. Returns whether it passed, and what failed.',
		hint: 'Set the checks that matter, for example checks.agentMustSay. The result is in passed and failed_checks. To place a call and check it, use Make Test Call with its checks.',
		request: 'GET /call-history/{call_id}',
		fields: () =>
			form({ ...about, checks: checksField }).check((input, refuse) => {
				if (input.checks === undefined) refuse('must have at least one', 'checks');
				return { ...input, checks: input.checks ?? {} };
			}),
		run: async ({ checks }, { api, request }) => {
			const call = await readRecord(api, request());
			const status = callStatusOf(call);
			// A call without a status may have ended.
			if (status !== undefined && !hasEnded(call)) {
				return { ...unchecked(`The call has not ended; its status is ${status}.`), call };
			}
			const whole = await withParts(call, partsToCheck(checks), api);
			return { ...checkCall(checks, whole), call: whole };
		},
		hints: () => ({
			404: 'There is no such call in this account, or the API shows it only after its end.',
		}),
	});
