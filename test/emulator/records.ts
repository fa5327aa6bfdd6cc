export type AgentType = 'inbound' | 'outbound' | 'meta' | 'whatsapp';

/** Section "Conversation style". */
export interface ConversationStyle {
	tone: string;
	formality: string;
	response_length: string;
	pace: string;
	custom_note: string;
}

/** Section "Live conversation settings". */
export interface LiveSettings {
	backchannels: string;
	pauses: string;
	pronunciations: Array<{ term: string; say_as: string }> | null;
}

/** Sections "Agent (list item)" and "Agent (detail and update response)"; voice and the shown names are added on answering. */
export interface Agent {
	id: string;
	name: string;
	agent_type: AgentType;
	is_active: boolean;
	ai_provider: string | null;
	first_message: string | null;
	disable_first_message_interruptions: boolean;
	created_at: string;
	updated_at: string;
	organization_id: string;
	selected_voice: string | null;
	verified_caller_id: string | null;
	inbound_phone_number_id?: string | null;
	outbound_phone_number_id?: string | null;
	prompt_instructions: string | null;
	conversation_style: ConversationStyle | null;
	live_reasoning_effort: 'low' | 'medium' | 'high' | null;
	live_conversation_settings: LiveSettings | null;
	first_message_delay_seconds: number;
	max_call_duration_minutes: number;
	is_call_recording_enabled: boolean;
	is_transcript_saving_enabled: boolean;
	include_past_calls_in_context: boolean;
	past_calls_count: number;
	auto_hide_abusive_comments: boolean;
	comment_moderation_instructions?: string | null;
	comment_reply_instructions?: string | null;
	dm_reply_mode?: 'agent' | 'workflow' | 'off';
	dm_debounce_seconds?: number;
	whatsapp_handoff_instructions?: string | null;
	whatsapp_greeting_text?: string | null;
	whatsapp_no_reply_rules?: string | null;
	user_silence_warning_seconds: number;
	user_silence_hangup_seconds: number;
	user_silence_prompt_message: string;
	amd_enabled: boolean;
	amd_action: 'hangup' | 'leave_message';
	amd_voicemail_message: string | null;
	default_language: string | null;
	supported_languages: string[] | null;
	ai_temperature: number | null;
	ai_speed: number | null;
	turn_detection_mode: string | null;
	vad_eagerness: string | null;
	vad_threshold: number | null;
	vad_silence_duration_ms: number | null;
	min_speech_duration_ms: number;
	reasoning_effort: string | null;
	call_summary_custom_prompt: string | null;
	call_summary_language: string | null;
	call_summary_default_prompt: string;
	beta_backend: string | null;
}

/** Section "Voice". */
export interface Voice {
	id: string;
	custom_name: string;
	description: string;
	file: { file_name: string; content_size: number; content_type: string; url: string | null };
	ai_provider: string;
	provider_voice_key: string | null;
	gender: 'male' | 'female' | 'neutral' | null;
	language_characterization: string | null;
	language: string | null;
	generation: 'legacy' | 'current' | null;
	recommended_for: string[];
}

/** Section "Model". */
export interface Model {
	value: string;
	label: string;
	description: string;
	disabled: boolean;
	reasoning: {
		field: string;
		model: string;
		levels: string[];
		default: string;
		delegated: boolean;
	} | null;
	capabilities: Record<string, string>;
}

/** The fields below this line are assumptions wherever section "Other records" does not name them: see assumed.ts. */
export interface Contact {
	id: string;
	first_name: string | null;
	last_name: string | null;
	email: string | null;
	phone_number: string;
	secondary_phone_number: string | null;
	notes: string | null;
	custom_fields: Record<string, unknown>;
	created_at: string;
	updated_at: string;
}

export interface ContactList {
	id: string;
	name: string;
	description: string | null;
	created_at: string;
}

export interface Call {
	id: string;
	created_at: string;
	agent_id: string;
	agent_name: string;
	contact_id: string | null;
	phone_number: string;
	direction: 'inbound' | 'outbound';
	call_status: string;
	duration_seconds: number;
	recording_url: string | null;
	cost: number;
	language: string | null;
	started_at: string;
	ended_at: string;
	sentiment: string | null;
	tags: string[];
	ai_provider: string | null;
	ai_provider_fallback_used: boolean | null;
	transfer_time: string | null;
}

export interface Turn {
	role: 'agent' | 'caller';
	text: string;
	at_seconds: number;
}

export interface Catalogue {
	id: string;
	name: string;
	description: string | null;
	created_at: string;
}

export interface Item {
	id: string;
	sku: string;
	name: string;
	description: string | null;
	price: number;
	currency: string | null;
	quantity: number | null;
	category: string | null;
	catalogue_id: string | null;
	created_at: string;
}

export interface LineItem {
	name: string;
	sku: string;
	quantity: number;
	unit_price: number;
	total_price: number;
}

export type OrderStatus = 'pending' | 'confirmed' | 'completed' | 'cancelled' | 'refused';

export interface Order {
	id: string;
	order_number: string;
	status: OrderStatus;
	status_reason: string | null;
	notes: string | null;
	total_amount: number;
	currency: string;
	customer_name: string;
	customer_phone: string;
	contact_id: string | null;
	call_id: string | null;
	agent_id: string | null;
	delivery_method: 'delivery' | 'pickup';
	delivery_address: string | null;
	created_at: string;
	updated_at: string;
	line_items: LineItem[];
}

export interface CalendarEvent {
	id: string;
	title: string;
	description: string | null;
	date: string;
	start_time: string;
	end_time: string;
	status: 'pending' | 'approved' | 'rejected' | 'confirmed';
	contact_id: string | null;
	extras: Record<string, unknown>;
}

export type CampaignStatus = 'draft' | 'scheduled' | 'running' | 'paused' | 'stopped' | 'completed';

export interface Campaign {
	id: string;
	name: string;
	status: CampaignStatus;
	agent_id: string;
	contact_list_id: string;
	total_contacts: number;
	contacted: number;
	completed: number;
	failed: number;
	created_at: string;
}

export interface Wallet {
	balance: number;
	currency: string;
	auto_topup_enabled: boolean;
	auto_topup_threshold: number | null;
	auto_topup_amount: number | null;
}

export interface Transaction {
	id: string;
	transaction_type: 'ADD' | 'CONSUME';
	amount: number;
	description: string;
	created_at: string;
}

export interface Usage {
	minutes_included: number;
	minutes_used: number;
	minutes_remaining: number;
	extra_minutes_used: number;
	period_start: string;
	period_end: string;
}

export type ToolConfig = { enabled: boolean } & Record<string, unknown>;
