import { enterAs, USUAL_NAMES } from '../../api/names';
import type { JsonObject } from '../../json';
import { writable, jsonField, specify } from '../../table/record';
import { form, settings, when, type Refuse } from '../../table/form';
import { collection } from '../../table/kinds';
import { DRY_RUN } from '../../table/common';
import type { RowApi } from '../../table/rowApi';
import { clearFields, patch } from '../../table/updates';
import { CLEARABLE } from './choices';
import { agentPicker, readJsonSettings, settingFields, updateOptions } from './agentFields';
import { differences, keepsFields, withKept } from './settingsCopy';

/** What an update changes. The agent is apart, so that a bad ID does not hide other mistakes. */
export const updateForm = () =>
	form({ agent_id: agentPicker }).and(
		form({
			specifyFields: specify,
			...when(
				{ show: { specifyFields: ['fields'] } },
				{
					updateFields: collection(
						{ displayName: 'Update Fields', placeholder: 'Add field' },
						settings(settingFields),
					),
					clearFields: clearFields(CLEARABLE),
				},
			),
			...jsonField(
				"Settings as a JSON object, as 'Agent: Get' with 'Settings Only' returns it. Null clears a setting.",
			),
			options: updateOptions,
		}).check(
			(
				{ specifyFields: way, updateFields = {}, clearFields: cleared = [], json = {}, ...rest },
				refuse,
				{ agentBackend: backendField },
			): Update => {
				const isJson = way === 'json';
				const set = isJson ? readJsonSettings(writable(json), refuse) : { ...updateFields };
				const { dryRun = false } = rest.options;
				const changes = withBackendName(patch(set, cleared, refuse), backendField, refuse);
				return { changes, dryRun, isJson, backendField };
			},
		),
	);

/** The changes with the API's name for Beta Backend. */
function withBackendName(changes: JsonObject, name: string, refuse: Refuse): JsonObject {
	const { [USUAL_NAMES.agentBackend]: backend, ...others } = changes;
	if (backend === undefined || name === USUAL_NAMES.agentBackend) return changes;
	if (Object.hasOwn(others, name)) {
		refuse(`has both ${USUAL_NAMES.agentBackend} and ${name}, which are the same setting`, 'json');
	}
	return { ...others, [name]: backend };
}

/** An update as the user wants it. */
export interface Update extends JsonObject {
	/** Field → new value. Null clears a field. Fields that are missing in an object are kept. */
	changes: JsonObject;
	/** Only show what would change. */
	dryRun: boolean;
	/** Whether the changes were entered as JSON. */
	isJson: boolean;
	/** The name of the field for Beta Backend. */
	backendField: string;
}

/**
 * Changes an agent, or shows what would change.
 *
 * @returns the API's answer. With Dry Run, a record for each field
 * @throws Error if the agent has no value for a field to keep, before anything is changed
 */
export async function updateAgent(path: string, update: Update, api: RowApi): Promise<unknown> {
	const { changes, dryRun } = update;
	const isRead = dryRun || keepsFields(changes);
	const agent = isRead ? await api.get(path) : {};
	const body = withKept(changes, agent);
	if (!dryRun) return await api.change('PATCH', path, body);
	api.tell(DRY_RUN);
	const unknown = Object.keys(body).filter((name) => !Object.hasOwn(agent, name));
	if (unknown.length > 0) {
		api.tell(
			`The agent has no setting ${unknown.join(', ')} yet, so the API may refuse it. Check the spelling.${unknown.includes(update.backendField) ? ` If the Beta Backend has another name in your API, ${enterAs('agentBackend')}.` : ''}`,
		);
	}
	return differences(agent, body);
}

/** What to do if the API refuses the changes. */
export function refusedHint({ changes, isJson, backendField }: Update): string {
	const advice = ['The API refused the data. Correct the value named above and run again.'];
	if (Object.hasOwn(changes, backendField)) {
		advice.push(
			`If it does not know the field ${backendField}, your API has another name for the Beta Backend: ${enterAs('agentBackend')}.`,
		);
	}
	if (isJson) {
		advice.push(
			"If it names a field that cannot be changed: leave that field out of the JSON. 'Agent: Get' with 'Settings Only' returns those that can be changed.",
		);
	}
	return advice.join(' ');
}
