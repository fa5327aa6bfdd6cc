import { readAll } from '../../api/lists';
import { pathTo } from '../../api/path';
import { isObject, textIn } from '../../json';
import { lists, operation, type Resource } from '../../table/operation';
import { WithFile } from '../../table/rowApi';
import { filtersOf, optionsOf, outputField } from '../../table/common';
import { form } from '../../table/form';
import { ifNotFound } from '../../table/handling';
import { sameId, UUID_RULE } from '../../domain/identifiers';
import { choice, picker, toggle } from '../../table/kinds';
import { uuid } from '../../table/schema';
import { FullRecord, toRows, type Columns } from '../../domain/simplify';
import { titled } from '../../words';
import { agentPicker, modelPicker } from './agentFields';
import { includeSettings, includeTools, withAgentParts } from './include';
import { settingsOf } from './settingsCopy';
import { refusedHint, updateAgent, updateForm } from './update';

const agentColumns = (...names: string[]): Columns => ({
	first: ['name', 'agent_type', 'is_active', 'ai_provider', 'first_message', ...names],
	onTop: ['settings', 'tools'],
	isAll: true,
});

const VOICE: Columns = {
	first: [
		...['custom_name', 'description', 'ai_provider', 'gender', 'language'],
		...['language_characterization', 'recommended_for'],
	],
	isAll: true,
};

/** Reference: "Agent catalogue and agents (full shapes)". */
export const agent: Resource = {
	name: 'Agent',
	description: 'Voice agents',
	operations: {
		get: operation({
			name: 'Get',
			description: "Retrieve one agent. Turn off 'Simplify' to get all of its settings.",
			request: 'GET /agents/{agent_id}',
			hint: 'options.settingsOnly returns what agent.update takes as json: to copy settings, run the update with options.dryRun first.',
			fields: () =>
				form({
					agent_id: agentPicker,
					options: optionsOf({
						ifNotFound,
						include: includeTools,
						settingsOnly: toggle({
							displayName: 'Settings Only',
							default: true,
							description:
								"Whether to return only the settings that 'Update' takes as JSON. A null clears that setting of another agent.",
						}),
					}),
				}).check((input, refuse) => {
					const { settingsOnly, include } = input.options;
					const words = "cannot be used with 'Settings Only': remove one of the two";
					if (settingsOnly && include !== undefined) refuse(words, 'options', 'include');
					return input;
				}),
			async run({ agent_id, options: { settingsOnly, include = [] } }, api) {
				const agent = await api.get(pathTo('/agents/{agent_id}', { agent_id }));
				return settingsOnly
					? settingsOf(agent, api.names)
					: await withAgentParts(agent, include, api);
			},
			simplify: (_names, { options }) =>
				options.settingsOnly
					? undefined
					: agentColumns(
							...['prompt_instructions', 'selected_voice'],
							...['default_language', 'supported_languages'],
						),
		}),
		getAll: operation({
			name: 'Get Many',
			description: 'Retrieve a list of agents, newest first',
			request: 'GET /agents/',
			does: 'list',
			fields: () =>
				form({
					filters: filtersOf({
						agent_type: choice(titled('inbound', 'outbound', 'meta'), {
							displayName: 'Agent Type',
							description: 'Only agents of this type',
						}),
					}),
					options: optionsOf({ include: includeSettings }),
				}).check(({ filters, options: { include = [] } }) => ({ filters, include })),
			run: async ({ filters, include }, api) => {
				const agents = await api.list('/agents/', filters);
				return await Promise.all(agents.map((agent) => withAgentParts(agent, include, api)));
			},
			simplify: () => agentColumns('created_at', 'updated_at'),
		}),
		getModels: {
			name: 'Get Many Models',
			action: 'Get many models',
			description: 'Retrieve the voice models, and whether you may use them',
			...lists('/agents/models'),
		},
		getVoices: {
			name: 'Get Many Voices',
			action: 'Get many voices',
			description: 'Retrieve the voices that agents can speak with',
			...lists('/agents/voices'),
			fields: () =>
				form({
					filters: filtersOf({ model_name: modelPicker('Only voices of this model') }),
				}).check(({ filters }) => filters),
			simplify: () => VOICE,
		},
		getVoicePreview: operation({
			name: 'Get Voice Preview',
			action: 'Get voice preview',
			description: 'Download a sample of a voice',
			request: 'GET /agents/voices',
			fields: () =>
				form({
					voice_id: picker(
						{
							displayName: 'Voice',
							search: 'searchVoices',
							description: 'Voice to listen to',
							rule: UUID_RULE,
						},
						uuid,
					),
					binaryPropertyName: outputField,
				}),
			run: async ({ voice_id, binaryPropertyName: field }, api) => {
				const request = { method: 'GET', path: '/agents/voices' } as const;
				const voices = await api.share('voices', (reader) => readAll(reader, request));
				const voice = voices.find(({ id }) => sameId(textIn(id) ?? '') === sameId(voice_id));
				if (voice === undefined) throw new Error(`there is no voice with the ID ${voice_id}`);
				const { url, file_name, content_type } = isObject(voice.file) ? voice.file : {};
				if (typeof url !== 'string' || url === '') {
					throw new Error(`the voice ${voice_id} has no preview`);
				}
				const content = await api.download(url);
				const name = typeof file_name === 'string' ? file_name : 'preview';
				const type = textIn(content_type);
				const mimeType = /^audio\/[\w.+-]{1,50}$/.test(type ?? '') ? type : 'audio/mpeg';
				const [row] = toRows([new FullRecord(voice)], VOICE, api.now.zoneName!);
				return new WithFile(row!, { field, name, mimeType, content });
			},
		}),
		update: operation({
			name: 'Update',
			description: 'Change some settings of an agent',
			hint: 'Only the fields in updateFields change; keep leaves a field as it is. To reset a field name it in clearFields, never in both. A voice must belong to the model of the agent. options.dryRun shows what would change.',
			request: 'PATCH /agents/{agent_id}',
			does: ({ dryRun }) => (dryRun ? 'read' : 'change'),
			fields: updateForm,
			run: async ({ agent_id, ...update }, api) => {
				const path = pathTo('/agents/{agent_id}', { agent_id });
				return await api.alone(path, async () => await updateAgent(path, update, api));
			},
			hints: (input) => ({
				400: refusedHint(input),
				409: 'The update conflicts with what is stored, for example because the agent was changed in the meantime. Read the agent, then repeat the update.',
				500: 'The agent could not be stored. Read it again to see what it holds before you repeat the update.',
			}),
		}),
	},
};
