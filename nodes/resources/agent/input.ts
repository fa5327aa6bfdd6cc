import { z } from 'zod';

import type { JsonObject } from '../../json';
import { LANGUAGE_RULE } from '../../table/identifier';
import { LANGUAGE_CODES } from '../../table/languages';
import {
	collection,
	nonBlank,
	list,
	oneOf,
	patch,
	textUpTo,
	trimmed,
	uuid,
} from '../../table/schema';
import {
	BACKCHANNELS,
	BETA_BACKEND,
	CLEARABLE,
	FORMALITY,
	LIVE_REASONING_EFFORT,
	PACE,
	PAUSES,
	PRONUNCIATIONS,
	REASONING_EFFORT,
	RESPONSE_LENGTH,
	TONE,
} from './choices';

const language = trimmed(z.string())
	.transform((code) => code.toLowerCase())
	.refine((code) => LANGUAGE_CODES.includes(code), {
		message: LANGUAGE_RULE.message,
	});

/** n8n wraps a fixedCollection's values in a group. */
const group = <T extends z.ZodTypeAny>(name: string, schema: T) =>
	z.object({ [name]: schema }).transform((value) => value[name] as z.infer<T>);

const conversationStyle = z.object({
	tone: oneOf(TONE),
	formality: oneOf(FORMALITY),
	response_length: oneOf(RESPONSE_LENGTH),
	pace: oneOf(PACE),
	custom_note: textUpTo(500).optional(),
});

const pronunciation = z.object({
	term: nonBlank(60),
	say_as: nonBlank(120),
});

/** Omitted keeps the present list, an empty one clears it. Rule 4. */
const liveSettings = z
	.object({
		backchannels: oneOf(BACKCHANNELS),
		pauses: oneOf(PAUSES),
		pronunciation_list: oneOf(PRONUNCIATIONS).default('keep'),
		pronunciations: z
			.object({
				pronunciation: z
					.array(pronunciation)
					.refine((entries) => entries.length <= 20, { message: 'must have at most 20 entries' })
					.default([]),
			})
			.default({}),
	})
	.transform(({ pronunciation_list: action, pronunciations, ...settings }, ctx): JsonObject => {
		const entries = pronunciations.pronunciation;
		if (action === 'keep' && entries.length === 0) return settings;
		if (action === 'clear' && entries.length === 0) return { ...settings, pronunciations: [] };
		if (action === 'replace' && entries.length > 0) return { ...settings, pronunciations: entries };
		ctx.addIssue({
			code: 'custom',
			path: ['pronunciations'],
			message:
				action === 'replace'
					? 'must have at least one entry to replace the current ones. Choose Clear to remove them all'
					: `must be empty while Pronunciation List is ${PRONUNCIATIONS[action]}; choose Replace to send them`,
		});
		return z.NEVER;
	});

/** The body of the agent PATCH. Reference: "Agent update". */
export const updateInput = () => z.object({ agent_id: uuid }).and(changesInput());

/** The body, as `{ changes }`: by itself, so that a bad ID does not hide its mistakes. */
const changesInput = () =>
	z
		.object({
			updateFields: collection({
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
				beta_backend: oneOf(BETA_BACKEND),
			}),
			clearFields: list(oneOf(CLEARABLE)).default([]),
		})
		.transform(({ updateFields, clearFields }, ctx) => ({
			changes: patch(updateFields, clearFields, ctx),
		}));
