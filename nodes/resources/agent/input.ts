import { z } from 'zod';

import { ASSUMED } from '../../domain/assumed';
import type { JsonObject } from '../../json';
import { LANGUAGE_RULE } from '../../table/identifier';
import { LANGUAGE_CODES } from '../../table/languages';
import { READ_ONLY } from '../../table/columns';
import { SPECIFY } from '../../table/record';
import {
	collection,
	flag,
	jsonObject,
	nonBlank,
	list,
	oneOf,
	refusing,
	textUpTo,
	trimmed,
	uuid,
	wordsFor,
} from '../../table/schema';
import { patch } from '../../table/patch';
import {
	BACKCHANNELS,
	CLEARABLE,
	FORMALITY,
	KEEP,
	LIVE_REASONING_EFFORT,
	PACE,
	PAUSES,
	PRONUNCIATIONS,
	REASONING_EFFORT,
	RESPONSE_LENGTH,
	TONE,
} from './choices';
import type { Update } from './update';

const language = trimmed(z.string())
	.transform((code) => code.toLowerCase())
	.refine((code) => LANGUAGE_CODES.includes(code), {
		message: LANGUAGE_RULE.message,
	});

/** n8n wraps a fixedCollection's values in a group. */
const group = <T extends z.ZodTypeAny>(name: string, schema: T) =>
	z.object({ [name]: schema }).transform((value) => value[name] as z.infer<T>);

/** One of some values, or undefined to keep the present one. */
const keepable = (map: Readonly<Record<string, string>>) =>
	oneOf({ ...KEEP, ...map })
		.default('keep')
		.transform((value): string | undefined => (value === 'keep' ? undefined : value));

/** An object's fields without those that are kept; undefined if all are. */
function named(fields: JsonObject): JsonObject | undefined {
	const set = Object.entries(fields).filter(([, value]) => value !== undefined);
	return set.length > 0 ? Object.fromEntries(set) : undefined;
}

const styleShape = {
	tone: keepable(TONE),
	formality: keepable(FORMALITY),
	response_length: keepable(RESPONSE_LENGTH),
	pace: keepable(PACE),
	custom_note: textUpTo(500).optional(),
};

const conversationStyle = z
	.object({ ...styleShape, clear_note: flag.default(false) })
	.transform(({ clear_note: clears, custom_note, ...choices }, ctx) => {
		const note = custom_note?.trim() === '' ? undefined : custom_note;
		if (clears && note !== undefined) {
			ctx.addIssue({ code: 'custom', path: ['custom_note'], message: 'is both set and cleared' });
		}
		return named({ ...choices, custom_note: clears ? '' : note });
	});

const liveShape = { backchannels: keepable(BACKCHANNELS), pauses: keepable(PAUSES) };

const pronunciation = z.object({
	term: nonBlank(60),
	say_as: nonBlank(120),
});

const pronunciations = z
	.array(pronunciation)
	.refine((entries) => entries.length <= 20, { message: 'must have at most 20 entries' });

/** If pronunciations are left out, the agent keeps its own. An empty list clears them. Rule 4. */
const liveSettings = z
	.object({
		...liveShape,
		pronunciation_list: oneOf(PRONUNCIATIONS).default('keep'),
		pronunciations: z
			.object({
				pronunciation: pronunciations.default([]),
			})
			.default({}),
	})
	.transform(({ pronunciation_list: action, pronunciations: group, ...choices }, ctx) => {
		const entries = group.pronunciation;
		const isRight = action === 'replace' ? entries.length > 0 : entries.length === 0;
		if (isRight)
			return named({ ...choices, ...(action !== 'keep' && { pronunciations: entries }) });
		ctx.addIssue({
			code: 'custom',
			path: ['pronunciations'],
			message:
				action === 'replace'
					? 'must have at least one entry to replace the current ones. Choose Clear to remove them all'
					: `must be empty if 'Pronunciation List' is ${PRONUNCIATIONS[action]}; choose Replace to send them`,
		});
		return z.NEVER;
	});

/** The settings as n8n's fields give them. */
const updateFields = () =>
	collection({
		prompt_instructions: textUpTo(20_000),
		first_message: textUpTo(1000),
		ai_provider: trimmed(nonBlank()),
		selected_voice: uuid,
		default_language: language,
		supported_languages: list(language).refine((codes) => codes.length > 0, {
			message: 'must name at least one language; use Clear Fields to reset it',
		}),
		conversation_style: group('style', conversationStyle),
		live_conversation_settings: group('settings', liveSettings),
		live_reasoning_effort: oneOf(LIVE_REASONING_EFFORT),
		reasoning_effort: oneOf(REASONING_EFFORT),
		beta_backend: trimmed(nonBlank()),
	});

/** A text that null clears. Blank may be what an expression without a value left, so it clears nothing. */
const textOrNull = (max: number) =>
	textUpTo(max).refine((text) => text.trim() !== '', {
		message: 'must not be blank: write null to clear it',
	});

/** The settings as the API has them; each may be null. Fields that are not known here are passed on. */
const jsonFields = () =>
	z
		.object({
			prompt_instructions: textOrNull(20_000).nullable(),
			first_message: textOrNull(1000).nullable(),
			ai_provider: trimmed(nonBlank()).nullable(),
			selected_voice: uuid.nullable(),
			default_language: language.nullable(),
			supported_languages: list(language).nullable(),
			conversation_style: z.object(styleShape).passthrough().transform(named).nullable(),
			live_conversation_settings: z
				.object({ ...liveShape, pronunciations: pronunciations.nullable().optional() })
				.passthrough()
				.transform(named)
				.nullable(),
			live_reasoning_effort: oneOf(LIVE_REASONING_EFFORT).nullable(),
			reasoning_effort: oneOf(REASONING_EFFORT).nullable(),
			beta_backend: trimmed(nonBlank()).nullable(),
		})
		.partial()
		.passthrough();

/** The settings in JSON. A mistake names the field, because it is no parameter of the node. */
function jsonChanges(json: JsonObject, ctx: z.RefinementCtx): JsonObject {
	const refuse = (field: string, words: string) =>
		ctx.addIssue({
			code: 'custom',
			path: ['json'],
			message: `has a wrong value: ${field} ${words}`,
		});
	const entries = Object.entries(json).filter(([name]) => !READ_ONLY.test(name));
	for (const [name, value] of entries) if (value === undefined) refuse(name, 'has no value');
	const { data = {}, error } = jsonFields().safeParse(Object.fromEntries(entries));
	for (const issue of error?.issues ?? []) {
		refuse(issue.path.join('.'), wordsFor(issue, valueBehind(json, issue.path)));
	}
	return data;
}

const valueBehind = (json: unknown, path: ReadonlyArray<PropertyKey>): unknown =>
	path.reduce((value, step) => (value as JsonObject | undefined)?.[step as string], json);

/** The changes with the API's name for Beta Backend. */
function withBackendName(changes: JsonObject, name: string, ctx: z.RefinementCtx): JsonObject {
	const { [ASSUMED.backendField]: backend, ...others } = changes;
	if (backend === undefined || name === ASSUMED.backendField) return changes;
	if (Object.hasOwn(others, name)) {
		const message = `has both ${ASSUMED.backendField} and ${name}, which are the same setting`;
		ctx.addIssue({ code: 'custom', path: ['json'], message });
	}
	return { ...others, [name]: backend };
}

export const backendName = trimmed(nonBlank());

/** What an update changes. Reference: "Agent update". */
export const updateInput = () => z.object({ agent_id: uuid }).and(changesInput());

/** It is separate from the ID, so that a bad ID does not hide its mistakes. */
const changesInput = () =>
	z
		.object({
			specifyFields: oneOf(SPECIFY).default('fields'),
			updateFields: updateFields(),
			clearFields: list(oneOf(CLEARABLE)).default([]),
			json: jsonObject.optional(),
			options: collection({ backendField: backendName, dryRun: flag }),
		})
		.transform(({ specifyFields: way, updateFields: fields, json = {}, ...rest }, ctx): Update => {
			const isJson = way === 'json';
			const set = named(isJson ? jsonChanges(json, ctx) : fields) ?? {};
			const { dryRun = false, backendField = ASSUMED.backendField } = rest.options;
			const changes = withBackendName(
				patch(set, rest.clearFields, refusing(ctx)),
				backendField,
				ctx,
			);
			return { changes, dryRun, isJson, backendField };
		});
