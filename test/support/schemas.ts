import type { IDataObject } from 'n8n-workflow';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { startEmulator } from '../emulator/index.ts';
import { operations } from './description.ts';
import { ROOT } from './root.ts';
import { runSample } from './samples.ts';

/** Where n8n looks for the output schemas of version 1. */
export const SCHEMAS = join(ROOT, 'nodes/YkVoice/__schema__/v1.0.0');

type Type = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';

/** A field in the terms of JSON Schema. If it has several types, null is the last. */
interface Field {
	type: Type | Type[];
	properties?: Fields;
	items?: Field;
}

type Fields = Readonly<Record<string, Field>>;

export interface Schema {
	type: 'object';
	properties: Fields;
	version: 1;
}

const string: Field = { type: 'string' };
const number: Field = { type: 'number' };
const integer: Field = { type: 'integer' };
const boolean: Field = { type: 'boolean' };
const object: Field = { type: 'object' };
const objectOf = (properties: Fields): Field => ({ ...object, properties });
const listOf = (items: Field): Field => ({ type: 'array', items });
const orNull = (field: Field): Field => ({ ...field, type: [field.type, 'null'].flat() as Type[] });

/** Fields of one type, by their names. */
const each = (type: Field, names: string): Fields =>
	Object.fromEntries(names.split(/\s+/).map((name) => [name, type]));

/**
 * The fields that the reference names and that the operations of a resource put out. If it only describes a
 * field ("SKU", "line items", "task id"), its name here follows the words.
 */
const NAMED: Readonly<Record<string, Fields>> = {
	agent: {
		...each(string, 'id name agent_type created_at updated_at'),
		...each(orNull(string), 'ai_provider first_message selected_voice prompt_instructions'),
		default_language: orNull(string),
		supported_languages: orNull(listOf(string)),
		is_active: boolean,
		...each(orNull(string), 'beta_backend reasoning_effort live_reasoning_effort'),
		conversation_style: orNull(
			objectOf(each(string, 'tone formality response_length pace custom_note')),
		),
		live_conversation_settings: orNull(
			objectOf({
				...each(string, 'backchannels pauses'),
				pronunciations: orNull(listOf(objectOf(each(string, 'term say_as')))),
			}),
		),
		// Models and voices.
		...each(string, 'value label description custom_name'),
		...each(orNull(string), 'gender language_characterization language'),
		reasoning: orNull(
			objectOf({
				...each(string, 'field model default'),
				levels: listOf(string),
				delegated: boolean,
			}),
		),
		disabled: boolean,
		capabilities: object,
		recommended_for: orNull(string),
	},
	agentTool: { phone_number: string },
	call: {
		...each(string, 'id created_at call_status call_id summary'),
		...each(orNull(string), 'transfer_time ai_provider'),
	},
	campaign: each(string, 'id status campaign_id'),
	catalogue: each(string, 'id name created_at'),
	contact: { ...each(string, 'id phone_number'), secondary_phone_number: orNull(string) },
	contactList: { ...each(string, 'id phone_number'), secondary_phone_number: orNull(string) },
	event: { id: string, status: string, extras: object },
	item: {
		...each(string, 'id sku name created_at'),
		...each(orNull(string), 'description currency category'),
		price: number,
		quantity: orNull(integer),
	},
	order: {
		...each(string, 'id created_at status'),
		...each(orNull(string), 'status_reason notes'),
		total_amount: number,
		line_items: listOf(objectOf({ name: string, sku: string, quantity: integer })),
	},
	playground: { task_id: string },
	portalAccess: { ...each(string, 'checked_at valid_until'), operational_access: boolean },
	usage: each(number, 'minutes_included minutes_used minutes_remaining extra_minutes_used'),
	wallet: { balance: number, ...each(string, 'currency id transaction_type created_at') },
};

const deleted: Fields = { deleted: boolean };

/** The outcome of waiting, and why it ended. */
const outcome = each(string, 'result explanation');

/** What the package returns if the API's data is null. */
const success: Fields = { success: boolean };

/** Operations whose answer the reference does not describe. */
export const UNNAMED: Readonly<Record<string, Fields>> = {
	'apiRequest.send': success,
	'contactList.addContacts': success,
	'contactList.removeContacts': success,
	'health.check': success,
	'item.assign': success,
	'item.unassign': success,
};

/** Figures of statistics. Null: not known. */
const figures = (names: string): Fields => ({
	...each(orNull(number), names),
	...each(string, 'period_start period_end'),
});

const count: Fields = { count: integer, method: string };

/** The parts that a call is returned with. */
const callParts: Fields = {
	...each(orNull(string), 'summary transcript_text'),
	transcript: orNull(object),
};

/** Whether a call passed its checks. */
const verdict: Fields = {
	passed: boolean,
	failed_checks: string,
	failed_check_count: orNull(integer),
	score: number,
	checks_note: orNull(string),
};

/** The fields that this package adds to what the API answers, or shows in another form. */
export const ADDED: Readonly<Record<string, Fields>> = {
	'agent.get': { supported_languages: orNull(string) },
	'agent.update': {
		...each(string, 'agent_id agent_name field'),
		...each({ type: ['string', 'object', 'array', 'null'] }, 'before after'),
		changes: boolean,
	},
	'agentTool.getAll': { agent_id: string },
	'call.check': { ...verdict, call: object },
	'call.count': { ...count, without_date: integer },
	'call.get': callParts,
	'call.getAll': callParts,
	'call.getStatistics': {
		...figures(
			'calls minutes completed_average_seconds completion_rate completed_share billed_minutes',
		),
		...figures('completed not_answered transferred transfer_rate fallback_rate without_duration'),
		...figures('total_price price_per_minute calls_before calls_difference'),
		currency: orNull(string),
	},
	'call.getTranscript': { transcript: string, file_name: string },
	'call.waitForCompletion': { ...outcome, call: object },
	'campaign.waitForCompletion': { ...outcome, campaign: object },
	'catalogue.delete': deleted,
	'contact.count': count,
	'contact.delete': deleted,
	'contactList.countContacts': count,
	'contactList.sync': {
		...each(string, 'contact_list_id add remove'),
		dry_run: boolean,
		...each(integer, 'kept add_count remove_count'),
		answers: listOf(object),
	},
	'event.delete': deleted,
	'event.getAll': { date: string },
	'item.count': count,
	'item.delete': deleted,
	'order.count': { ...count, without_date: integer },
	'order.getAll': { ...each(string, 'line_name line_sku'), line_quantity: integer },
	'order.getStatistics': {
		currency: orNull(string),
		...figures('orders revenue average amount pending confirmed completed cancelled refused'),
		...figures('orders_before orders_difference'),
	},
	'playground.makeTestCall': {
		...outcome,
		...verdict,
		...each(orNull(object), 'task call'),
	},
	'report.create': {
		...each(string, 'subject text period_start period_end html'),
		figures: object,
	},
	'wallet.getStatistics': {
		currency: orNull(string),
		...figures('transactions added consumed net added_before added_difference'),
	},
};

/**
 * The schema of one item: those known fields that the output has, with Simplify on. The types come from the
 * reference, because no sample shows every null.
 */
export function schemaOf(name: string, output: IDataObject[]): Schema {
	const isThere = (field: string) => output.some((record) => Object.hasOwn(record, field));
	const known = { ...NAMED[name.split('.')[0]!], ...ADDED[name] };
	const properties = Object.entries(known).filter(([field]) => isThere(field));
	return {
		type: 'object',
		properties: UNNAMED[name] ?? Object.fromEntries(properties),
		version: 1,
	};
}

function typesOf(value: unknown): string[] {
	if (value === null) return ['null'];
	if (Array.isArray(value)) return ['array'];
	return Number.isInteger(value) ? ['integer', 'number'] : [typeof value];
}

/** The fields of a record that have another type than the schema says. */
export const mismatches = (record: IDataObject, { properties }: Schema): string[] =>
	Object.keys(record).filter((name) => {
		const types = [properties[name]?.type ?? []].flat();
		return types.length > 0 && !typesOf(record[name]).some((type) => types.includes(type as Type));
	});

/** Writes the schema of each operation, from its answers. */
export async function writeSchemas(): Promise<void> {
	rmSync(SCHEMAS, { recursive: true, force: true });
	for (const name of operations) {
		const file = join(SCHEMAS, `${name.replace('.', '/')}.json`);
		mkdirSync(dirname(file), { recursive: true });
		const emulator = await startEmulator({ data: 'small' });
		const output: IDataObject[] = [];
		for await (const { json } of runSample(emulator, name)) output.push(...json);
		await emulator.close();
		const schema = JSON.stringify(schemaOf(name, output), null, '\t');
		const inOneLine = (list: string) =>
			list.replace(/\s+/g, ' ').replace(/^\[ | \]$/g, (end) => end.trim());
		writeFileSync(file, `${schema.replace(/\[\s+"\w+"(,\s+"\w+")+\s+\]/g, inOneLine)}\n`);
	}
}
