import type { Names } from '../../api/names';
import { backendFieldOf } from '../../domain/agentParts';
import { isObject, type JsonObject, without } from '../../json';
import { titled, titleOf } from '../../words';

/** The settings that null resets; the API gives each a default of its own. Reference: "Agent update", rule 2. */
export const CLEARABLE = {
	...titled('prompt_instructions', 'first_message', 'ai_provider', 'selected_voice'),
	...titled('default_language', 'supported_languages', 'conversation_style'),
	...titled('live_conversation_settings', 'live_reasoning_effort', 'reasoning_effort'),
	...titled('beta_backend'),
	ai_provider: 'Model',
	selected_voice: 'Voice',
};

/** The settings that are objects: their required fields, and their optional ones with the empty value. */
const OBJECTS = {
	conversation_style: {
		required: ['tone', 'formality', 'response_length', 'pace'],
		optional: { custom_note: '' },
	},
	live_conversation_settings: {
		required: ['backchannels', 'pauses'],
		optional: { pronunciations: [] },
	},
} as const;

type ObjectName = keyof typeof OBJECTS;

const isObjectName = (name: string): name is ObjectName => Object.hasOwn(OBJECTS, name);

const hasValue = (value: unknown) => value !== undefined && value !== null && value !== '';

/**
 * A setting as an update must send it to make an exact copy. An empty text becomes null. Without a list of
 * pronunciations, the API would keep the present ones.
 */
function copySetting(name: string, value: unknown): unknown {
	if (name === 'prompt_instructions' || name === 'first_message') {
		return typeof value === 'string' && value.trim() === '' ? null : value;
	}
	if (!isObjectName(name) || !isObject(value)) return value;
	const { required, optional } = OBJECTS[name];
	const fields = [...required.map((field) => [field, null]), ...Object.entries(optional)] as const;
	return Object.fromEntries(fields.map(([field, none]) => [field, value[field as string] ?? none]));
}

/** The settings of an agent that an update takes, and nothing else. Reference: "Agent update". */
export function settingsOf(agent: JsonObject, names: Names): JsonObject {
	const usual = Object.keys(without(CLEARABLE, 'beta_backend'));
	const present = [...usual, backendFieldOf(agent, names) ?? []]
		.flat()
		.filter((name) => Object.hasOwn(agent, name));
	return Object.fromEntries(present.map((name) => [name, copySetting(name, agent[name])]));
}

/** Whether an object in the changes has fields that are kept, so that the agent must be read. */
export function keepsFields(changes: JsonObject): boolean {
	return Object.entries(changes).some(([name, value]) => {
		if (!isObjectName(name) || !isObject(value)) return false;
		const fields = [...OBJECTS[name].required, ...notesOf(name)];
		return fields.some((field) => value[field] === undefined);
	});
}

/** Optional fields to keep. The API itself keeps pronunciations that are left out, but not the note. */
const notesOf = (name: ObjectName) => (name === 'conversation_style' ? ['custom_note'] : []);

/**
 * The changes to send. Fields that an object keeps get the agent's current values.
 * @throws Error if the agent has no value for a field to keep
 */
export function withKept(changes: JsonObject, agent: JsonObject): JsonObject {
	return Object.fromEntries(
		Object.entries(changes).map(([name, value]) => [
			name,
			isObjectName(name) && isObject(value) ? completeObject(name, value, agent[name]) : value,
		]),
	);
}

function completeObject(name: ObjectName, changes: JsonObject, present: unknown): JsonObject {
	const { required } = OBJECTS[name];
	const before = isObject(present) ? present : {};
	const kept = [...required, ...notesOf(name)].filter(
		(field) => changes[field] === undefined && hasValue(before[field]),
	);
	const all = { ...Object.fromEntries(kept.map((field) => [field, before[field]])), ...changes };
	const missing = required.filter((field) => !hasValue(all[field]));
	if (missing.length > 0) {
		const names = missing.map((field) => `'${titleOf(field)}'`).join(' and ');
		throw new Error(
			`the agent has no ${titleOf(name)} yet, so there is nothing to keep: choose ${names} too`,
		);
	}
	return all;
}

/** For each field of an update: its value before and after, and whether they differ. */
export function differences(agent: JsonObject, sent: JsonObject): JsonObject[] {
	return Object.entries(sent).map(([field, value]) => {
		const before = copySetting(field, agent[field] ?? null);
		const after = copySetting(field, stored(field, value, agent[field]));
		return {
			agent_id: agent.id,
			agent_name: agent.name,
			field,
			before,
			after,
			changes: canonical(stored(field, before, agent[field])) !== canonical(after),
		};
	});
}

/** The value that the API stores. Reference: "Agent update", the table and rule 4. */
function stored(field: string, value: unknown, present: unknown): unknown {
	if (field === 'live_reasoning_effort') return value ?? 'medium';
	if (field !== 'live_conversation_settings' || !isObject(value)) return value;
	const before = isObject(present) ? present.pronunciations : undefined;
	return { ...value, pronunciations: value.pronunciations ?? before };
}

/** JSON in which the order of an object's fields makes no difference. */
const canonical = (value: unknown): string =>
	JSON.stringify(value, (_name, inner: unknown) =>
		isObject(inner) ? Object.fromEntries(Object.entries(inner).sort()) : inner,
	);
