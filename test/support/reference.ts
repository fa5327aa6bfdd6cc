/**
 * The endpoint tables of the reference as data. They are copied from the reference and share nothing
 * with the nodes or the emulator, so that tests find a mistake in any of the three.
 */

/** The documentation version that this package follows. */
export const REFERENCE_VERSION = '1.23.0';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

type Type = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';

/** A field in the terms of JSON Schema. If it has several types, null is the last. */
export interface Field {
	type: Type | Type[];
	properties?: Fields;
	items?: Field;
}

export type Fields = Readonly<Record<string, Field>>;

export interface Endpoint {
	method: Method;
	/** Below the base URL, as the reference writes it. */
	path: string;
	/** The query parameters it names, `limit` and `offset` of lists included. */
	query: readonly string[];
	record: keyof typeof RECORDS;
}

const string: Field = { type: 'string' };
const number: Field = { type: 'number' };
const integer: Field = { type: 'integer' };
const boolean: Field = { type: 'boolean' };
const object = (properties?: Fields): Field => ({
	type: 'object',
	...(properties && { properties }),
});
const listOf = (items: Field): Field => ({ type: 'array', items });
const orNull = (field: Field): Field => ({ ...field, type: [field.type, 'null'].flat() as Type[] });

/** Fields of one type, by their names. */
export const each = (type: Field, names: string): Fields =>
	Object.fromEntries(names.split(/\s+/).map((name) => [name, type]));

/** Section "Conversation style". */
const CONVERSATION_STYLE = each(string, 'tone formality response_length pace custom_note');

/** Section "Live conversation settings". */
const LIVE_CONVERSATION_SETTINGS: Fields = {
	...each(string, 'backchannels pauses'),
	pronunciations: orNull(listOf(object(each(string, 'term say_as')))),
};

/** Section "Voice". */
const VOICE: Fields = {
	...each(string, 'id custom_name description'),
	file: object({
		...each(string, 'file_name content_type'),
		...{ content_size: integer, url: orNull(string) },
	}),
	ai_provider: string,
	...each(
		orNull(string),
		'provider_voice_key gender language_characterization language generation',
	),
	recommended_for: listOf(string),
};

/** Section "Agent (list item)". */
const AGENT_LIST_ITEM: Fields = {
	...each(string, 'id name agent_type agent_type_display_name created_at updated_at'),
	...each(orNull(string), 'ai_provider ai_provider_display_name first_message'),
	...each(boolean, 'is_active disable_first_message_interruptions'),
};

/** Section "Agent (detail and update response)". */
const AGENT: Fields = {
	...AGENT_LIST_ITEM,
	...each(
		string,
		'organization_id ai_provider_model_name user_silence_prompt_message dm_reply_mode',
	),
	...each(string, 'amd_action call_summary_default_prompt'),
	...each(orNull(string), 'selected_voice verified_caller_id prompt_instructions beta_backend'),
	...each(orNull(string), 'inbound_phone_number_id outbound_phone_number_id default_language'),
	...each(orNull(string), 'comment_moderation_instructions comment_reply_instructions'),
	...each(orNull(string), 'whatsapp_handoff_instructions whatsapp_greeting_text'),
	...each(orNull(string), 'whatsapp_no_reply_rules amd_voicemail_message turn_detection_mode'),
	...each(orNull(string), 'vad_eagerness reasoning_effort live_reasoning_effort'),
	...each(orNull(string), 'call_summary_custom_prompt call_summary_language'),
	...each(boolean, 'is_call_recording_enabled is_transcript_saving_enabled amd_enabled'),
	...each(boolean, 'include_past_calls_in_context auto_hide_abusive_comments'),
	...each(integer, 'max_call_duration_minutes past_calls_count dm_debounce_seconds'),
	...each(integer, 'user_silence_warning_seconds user_silence_hangup_seconds'),
	...{ first_message_delay_seconds: number, min_speech_duration_ms: integer },
	...each(orNull(number), 'ai_temperature ai_speed vad_threshold'),
	vad_silence_duration_ms: orNull(integer),
	voice: orNull(object(VOICE)),
	conversation_style: orNull(object(CONVERSATION_STYLE)),
	live_conversation_settings: orNull(object(LIVE_CONVERSATION_SETTINGS)),
	supported_languages: orNull(listOf(string)),
};

/** Section "Model (voice model availability)". */
const MODEL: Fields = {
	...each(string, 'value label description'),
	disabled: boolean,
	reasoning: orNull(
		object({
			...each(string, 'field model default'),
			...{ levels: listOf(string), delegated: boolean },
		}),
	),
	capabilities: object(),
};

/** Section "Other records": usage, in minutes; the bounds of the period have no names. */
const USAGE = each(number, 'minutes_included minutes_used minutes_remaining extra_minutes_used');

/**
 * The fields that the reference names for each kind of record: in "Other records", and by the filters,
 * sorts and cursors of its list. If the reference only describes a field ("SKU", "line items", "task id"),
 * its name here follows the words. A record has an `id` if a path takes one.
 */
export const RECORDS = {
	agent: AGENT,
	agentListItem: AGENT_LIST_ITEM,
	model: MODEL,
	voice: VOICE,
	contact: { ...each(string, 'id phone_number'), secondary_phone_number: orNull(string) },
	contactList: { id: string },
	call: {
		...each(string, 'id created_at call_status'),
		...each(orNull(string), 'transfer_time ai_provider'),
		ai_provider_fallback_used: orNull(boolean),
	},
	callSummary: each(string, 'call_id summary'),
	callTranscript: { call_id: string },
	catalogue: each(string, 'id name created_at'),
	item: {
		...each(string, 'id sku name created_at'),
		...each(orNull(string), 'description currency category'),
		...{ price: number, quantity: orNull(integer) },
	},
	order: {
		...each(string, 'id created_at status'),
		...each(orNull(string), 'status_reason notes'),
		total_amount: number,
		line_items: listOf(object({ name: string, sku: string, quantity: integer })),
	},
	event: { id: string, status: string, extras: object() },
	campaign: { id: string, status: string },
	campaignStats: { campaign_id: string },
	wallet: { balance: number, currency: string },
	transaction: each(string, 'id transaction_type created_at'),
	usage: USAGE,
	portalAccess: { ...each(string, 'checked_at valid_until'), operational_access: boolean },
	testCall: { task_id: string },
	/** "Phone number in E.164 format", of the tool transfer-to-phone. */
	tool: { phone_number: string },
	/** Nothing is said of the answer. */
	unnamed: {},
} satisfies Record<string, Fields>;

/** Sections "Endpoints" and "Limits": all list endpoints accept these. */
const PAGE = ['limit', 'offset'];

function endpoint(
	method: Method,
	path: string,
	record: Endpoint['record'],
	query: string[] = [],
): Endpoint {
	return { method, path, record, query };
}

const one = (path: string, record: Endpoint['record']) => endpoint('GET', path, record);

const list = (path: string, record: Endpoint['record'], query: string[] = []) =>
	endpoint('GET', path, record, [...query, ...PAGE]);

const tool = (name: string, record: Endpoint['record']) => [
	one(`/agents/{agent_id}/tools/${name}`, record),
	endpoint('PATCH', `/agents/{agent_id}/tools/${name}`, record),
];

/** Both tables of section "Endpoints", line by line. The paths of health and of one event are assumed. */
export const ENDPOINTS: readonly Endpoint[] = [
	// "Agent catalogue and agents (full shapes)"
	list('/agents/models', 'model'),
	list('/agents/voices', 'voice', ['model_name']),
	list('/agents/', 'agentListItem', ['agent_type']),
	one('/agents/{agent_id}', 'agent'),
	endpoint('PATCH', '/agents/{agent_id}', 'agent'),

	// "Other endpoints"
	one('/health', 'unnamed'),
	list('/contacts', 'contact', ['search', 'filter', 'sort']),
	endpoint('POST', '/contacts', 'contact'),
	one('/contacts/{contact_id}', 'contact'),
	endpoint('PUT', '/contacts/{contact_id}', 'contact'),
	endpoint('DELETE', '/contacts/{contact_id}', 'unnamed'),
	one('/contacts/by-phone/{phone_number}', 'contact'),
	endpoint('PUT', '/contacts/by-phone/{phone_number}', 'contact'),
	endpoint('DELETE', '/contacts/by-phone/{phone_number}', 'unnamed'),
	list('/call-history', 'call', ['call_status', 'created_after', 'sort']),
	one('/call-history/{call_id}', 'call'),
	one('/call-history/{call_id}/summary', 'callSummary'),
	one('/call-history/{call_id}/transcript', 'callTranscript'),
	list('/catalogues', 'catalogue', ['sort', 'search']),
	endpoint('POST', '/catalogues', 'catalogue'),
	one('/catalogues/{catalogue_id}', 'catalogue'),
	endpoint('PUT', '/catalogues/{catalogue_id}', 'catalogue'),
	endpoint('DELETE', '/catalogues/{catalogue_id}', 'unnamed'),
	// Its "flexible filtering" has no names.
	list('/catalogues/items', 'item', ['sort', 'search']),
	endpoint('POST', '/catalogues/items', 'item'),
	one('/catalogues/items/{item_id}', 'item'),
	endpoint('PUT', '/catalogues/items/{item_id}', 'item'),
	endpoint('DELETE', '/catalogues/items/{item_id}', 'unnamed'),
	endpoint('POST', '/catalogues/items/assign', 'unnamed'),
	list('/orders', 'order', ['status', 'sort', 'created_after']),
	one('/orders/{order_id}', 'order'),
	endpoint('PATCH', '/orders/{order_id}', 'order'),
	list('/events', 'event'),
	one('/events/{event_id}', 'event'),
	endpoint('PATCH', '/events/{event_id}', 'event'),
	endpoint('DELETE', '/events/{event_id}', 'unnamed'),
	...['approve', 'reject', 'confirm'].map((move) =>
		endpoint('POST', `/events/{event_id}/${move}`, 'event'),
	),
	list('/agents/{agent_id}/tools', 'unnamed'),
	one('/agents/{agent_id}/tools/end-the-call', 'unnamed'),
	...tool('make-reservation', 'unnamed'),
	...tool('transfer-to-operator', 'unnamed'),
	...tool('transfer-to-phone', 'tool'),
	...tool('place-order', 'unnamed'),
	endpoint('POST', '/playground/test-call', 'testCall'),
	list('/contact-lists', 'contactList', ['search']),
	one('/contact-lists/{contact_list_id}', 'contactList'),
	list('/contact-lists/{contact_list_id}/contacts', 'contact'),
	endpoint('POST', '/contact-lists/{contact_list_id}/contacts', 'unnamed'),
	endpoint('DELETE', '/contact-lists/{contact_list_id}/contacts', 'unnamed'),
	one('/wallet', 'wallet'),
	list('/wallet/transactions', 'transaction', ['transaction_type', 'created_after']),
	list('/campaigns', 'campaign', ['status', 'search']),
	one('/campaigns/{campaign_id}', 'campaign'),
	one('/campaigns/{campaign_id}/stats', 'campaignStats'),
	...['start', 'pause', 'resume', 'stop'].map((move) =>
		endpoint('POST', `/campaigns/{campaign_id}/${move}`, 'campaign'),
	),
	one('/usage', 'usage'),
	one('/portal-access/{portal_type}', 'portalAccess'),
];

/** The key of an endpoint, such as `GET /orders`. */
export const notationOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) =>
	`${method} ${path}`;

export const ENDPOINT_BY_ROUTE: ReadonlyMap<string, Endpoint> = new Map(
	ENDPOINTS.map((row) => [notationOf(row), row]),
);
