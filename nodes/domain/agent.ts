import { ASSUMED } from './assumed';
import type { JsonObject } from '../json';

/** The fields of an agent that the reference lists. Sections "Agent (list item)" and "Agent (detail …)". */
const LISTED = new Set(
	(
		'id name agent_type agent_type_display_name is_active ai_provider ai_provider_display_name first_message ' +
		'disable_first_message_interruptions created_at updated_at organization_id ai_provider_model_name ' +
		'selected_voice voice verified_caller_id inbound_phone_number_id outbound_phone_number_id ' +
		'prompt_instructions conversation_style live_reasoning_effort live_conversation_settings ' +
		'first_message_delay_seconds max_call_duration_minutes is_call_recording_enabled ' +
		'is_transcript_saving_enabled include_past_calls_in_context past_calls_count auto_hide_abusive_comments ' +
		'comment_moderation_instructions comment_reply_instructions dm_reply_mode dm_debounce_seconds ' +
		'whatsapp_handoff_instructions whatsapp_greeting_text whatsapp_no_reply_rules ' +
		'user_silence_warning_seconds user_silence_hangup_seconds user_silence_prompt_message amd_enabled ' +
		'amd_action amd_voicemail_message default_language supported_languages ai_temperature ai_speed ' +
		'turn_detection_mode vad_eagerness vad_threshold vad_silence_duration_ms min_speech_duration_ms ' +
		'reasoning_effort call_summary_custom_prompt call_summary_language call_summary_default_prompt'
	).split(' '),
);

const isBackend = (name: string) => name.endsWith('_backend');

/** Fields that may hold the backend of the beta provider: those that the reference does not list. */
export function backendFieldsIn(agent: JsonObject): string[] {
	const others = Object.keys(agent).filter((name) => !LISTED.has(name));
	return [...others.filter(isBackend), ...others.filter((name) => !isBackend(name))];
}

/** The field that holds the backend: the named one, or the only one whose name ends in _backend. */
export function backendFieldOf(
	agent: JsonObject,
	named: string = ASSUMED.backendField,
): string | undefined {
	if (Object.hasOwn(agent, named)) return named;
	const likely = backendFieldsIn(agent).filter(isBackend);
	return likely.length === 1 ? likely[0] : undefined;
}
