import { enterAs, USUAL_NAMES } from '../../api/names';
import type { JsonObject } from '../../json';
import { DRY_RUN, dryRun, optionsOf } from '../../table/common';
import { form, settings, when, type InputOf, type Refuse } from '../../table/form';
import { collection } from '../../table/kinds';
import { jsonField, specify, writable } from '../../table/record';
import type { RowApi } from '../../table/rowApi';
import { isBlank, lackingIn, noValueFor } from '../../table/schema';
import { clearFields, patch } from '../../table/updates';
import { agentPicker, settingFields } from './agentFields';
import { CLEARABLE, differences, keepsFields, withKept } from './settingsCopy';

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
			options: optionsOf({ dryRun }),
		}).check(
			(
				{ specifyFields, updateFields = {}, clearFields: cleared = [], json = {}, options },
				refuse,
				{ agentBackend: backendField },
			) => {
				const isJson = specifyFields === 'json';
				const set = isJson ? writable(json) : updateFields;
				if (isJson) checkSettings(set, refuse);
				const changes = withBackendName(patch(set, cleared, refuse), backendField, refuse);
				return { changes, dryRun: options.dryRun ?? false, isJson, backendField };
			},
		),
	);

/** A blank text would clear a setting, and only null says that this is meant. */
function checkSettings(json: JsonObject, refuse: Refuse): void {
	const lacking = lackingIn(json);
	if (lacking !== undefined) refuse(noValueFor(lacking), 'json');
	for (const [field, value] of Object.entries(json)) {
		if (typeof value === 'string' && isBlank(value))
			refuse(`has a blank ${field}: write null to clear it`, 'json');
	}
}

/** The changes with the API's name for Beta Backend. */
function withBackendName(changes: JsonObject, name: string, refuse: Refuse): JsonObject {
	const { [USUAL_NAMES.agentBackend]: backend, ...others } = changes;
	if (backend === undefined || name === USUAL_NAMES.agentBackend) return changes;
	if (Object.hasOwn(others, name)) {
		refuse(`has both ${USUAL_NAMES.agentBackend} and ${name}, which are the same setting`, 'json');
	}
	return { ...others, [name]: backend };
}

type Update = Omit<InputOf<ReturnType<typeof updateForm>>, 'agent_id'>;

/**
 * Changes an agent, or shows for each field what would change.
 * @throws Error if the agent has no value for a field to keep, before anything is changed
 */
export async function updateAgent(
	path: string,
	{ changes, dryRun, backendField }: Update,
	api: RowApi,
): Promise<unknown> {
	const agent = dryRun || keepsFields(changes) ? await api.get(path) : {};
	const body = withKept(changes, agent);
	if (!dryRun) return await api.change('PATCH', path, body);
	api.tell(DRY_RUN);
	const unknown = Object.keys(body).filter((name) => !Object.hasOwn(agent, name));
	if (unknown.length > 0) {
		api.tell(
			`The agent has no setting ${unknown.join(', ')} yet, so the API may refuse it. Check the spelling.${unknown.includes(backendField) ? ` If the Beta Backend has another name in your API, ${enterAs('agentBackend')}.` : ''}`,
		);
	}
	return differences(agent, body);
}

export const refusedHint = ({ changes, isJson, backendField }: Update): string =>
	[
		'The API refused the data. Correct the value named above and run again.',
		Object.hasOwn(changes, backendField) &&
			`If it does not know the field ${backendField}, your API has another name for the Beta Backend: ${enterAs('agentBackend')}.`,
		isJson &&
			"If it names a field that cannot be changed: leave that field out of the JSON. 'Agent: Get' with 'Settings Only' returns those that can be changed.",
	]
		.filter(Boolean)
		.join(' ');
