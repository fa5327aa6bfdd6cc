import type { IDataObject } from 'n8n-workflow';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { startEmulator, type LoggedRequest } from '../emulator/index.ts';
import type { NodeResult } from './harness.ts';
import { ROOT } from './root.ts';
import { each, ENDPOINT_BY_ROUTE, RECORDS, type Field, type Fields } from './reference.ts';
import { operations } from './description.ts';
import { runSample } from './samples.ts';

/** Where n8n looks for the output schemas of version 1. */
export const SCHEMAS = join(ROOT, 'nodes/YkVoice/__schema__/v1.0.0');

export interface Schema {
	type: 'object';
	properties: Fields;
	version: 1;
}

const boolean: Field = { type: 'boolean' };
const integer: Field = { type: 'integer' };
const string: Field = { type: 'string' };
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
	...each({ type: ['number', 'null'] }, names),
	...each(string, 'period_start period_end'),
});

const count: Fields = { count: integer, method: string };

/** The parts that a call is returned with. */
const callParts: Fields = {
	summary: { type: ['string', 'null'] },
	transcript: { type: ['object', 'null'] },
	transcript_text: { type: ['string', 'null'] },
};

/** Whether a call passed its checks. Null: nothing was checked. */
const verdict: Fields = {
	passed: { type: ['boolean', 'null'] },
	failed_checks: string,
	failed_check_count: integer,
	score: { type: 'number' },
};

/** The fields that this package adds to what the API answers. */
export const ADDED: Readonly<Record<string, Fields>> = {
	'agent.update': {
		agent_id: string,
		agent_name: string,
		field: string,
		before: { type: ['string', 'object', 'array', 'null'] },
		after: { type: ['string', 'object', 'array', 'null'] },
		changes: boolean,
	},
	'agentTool.getAll': { agent_id: string },
	'call.check': { ...verdict, call: { type: 'object' } },
	'call.count': { ...count, without_date: integer },
	'call.get': callParts,
	'call.getAll': callParts,
	'call.getStatistics': {
		...figures(
			'calls minutes average_seconds completion_rate completed_share billed_minutes price',
		),
		...figures('completed not_answered transferred transfer_rate fallback_rate without_duration'),
		...figures('calls_before calls_difference'),
	},
	'call.getTranscript': { transcript: string, file_name: string },
	'call.waitForCompletion': { ...outcome, call: { type: 'object' } },
	'campaign.waitForCompletion': { ...outcome, campaign: { type: 'object' } },
	'catalogue.delete': deleted,
	'contact.count': count,
	'contact.delete': deleted,
	'contactList.countContacts': count,
	'contactList.sync': {
		contact_list_id: string,
		dry_run: boolean,
		kept: integer,
		add_count: integer,
		add: string,
		remove_count: integer,
		remove: string,
		answers: { type: 'array', items: { type: 'object' } },
	},
	'event.delete': deleted,
	'event.getAll': { date: string },
	'item.count': count,
	'item.delete': deleted,
	'order.count': { ...count, without_date: integer },
	'order.getAll': {
		line_name: string,
		line_sku: string,
		line_quantity: integer,
	},
	'order.getStatistics': {
		currency: { type: ['string', 'null'] },
		...figures('orders revenue average amount pending confirmed completed cancelled refused'),
		...figures('orders_before orders_difference'),
	},
	'playground.makeTestCall': {
		...outcome,
		...verdict,
		task: { type: ['object', 'null'] },
		call: { type: ['object', 'null'] },
	},
	'report.create': {
		subject: string,
		text: string,
		period_start: string,
		period_end: string,
		figures: { type: 'object' },
		html: string,
	},
	'wallet.getStatistics': {
		currency: { type: ['string', 'null'] },
		...figures('transactions added consumed net added_before added_difference'),
	},
};

/** An operation's output with Simplify on, and the fields that have a known name. */
export interface Answers {
	output: IDataObject[];
	known: Fields;
}

/** What an operation answered to its samples. */
export function answersOf(name: string, results: NodeResult[], requests: LoggedRequest[]): Answers {
	const endpoints = requests.map(({ route }) => ENDPOINT_BY_ROUTE.get(route ?? ''));
	const named = endpoints.map((row) => (row === undefined ? {} : RECORDS[row.record]));
	return {
		output: results.flatMap(({ json }) => json),
		known: UNNAMED[name] ?? Object.assign({}, ...named, ADDED[name]),
	};
}

/**
 * The schema of one item: those known fields that the output has. The types come from the reference,
 * because no sample shows every null.
 */
export function schemaOf(name: string, { output, known }: Answers): Schema {
	const isThere = (field: string) => output.some((record) => Object.hasOwn(record, field));
	const properties = Object.fromEntries(
		Object.entries(known).filter(([field]) => name in UNNAMED || isThere(field)),
	);
	return { type: 'object', properties, version: 1 };
}

/** The places where a value differs from its schema. */
export function mismatches(value: unknown, field: Field, path: string): string[] {
	const types = [field.type].flat();
	if (value === null) return types.includes('null') ? [] : [`${path} is null`];
	if (Array.isArray(value)) {
		if (!types.includes('array')) return [`${path} is an array`];
		return value.flatMap((entry, at) =>
			field.items ? mismatches(entry, field.items, `${path}[${at}]`) : [],
		);
	}
	if (typeof value === 'object') {
		if (!types.includes('object')) return [`${path} is an object`];
		return Object.entries(field.properties ?? {}).flatMap(([name, inner]) => {
			const entry = (value as IDataObject)[name];
			return entry === undefined ? [] : mismatches(entry, inner, `${path}.${name}`);
		});
	}
	const isWhole = Number.isInteger(value) && types.includes('integer');
	return isWhole || types.includes(typeof value as 'string') ? [] : [`${path} is ${typeof value}`];
}

/** Writes the schema of each operation, from its answers. */
export async function writeSchemas(): Promise<void> {
	rmSync(SCHEMAS, { recursive: true, force: true });
	for (const name of operations) {
		const file = join(SCHEMAS, `${name.replace('.', '/')}.json`);
		mkdirSync(dirname(file), { recursive: true });
		const emulator = await startEmulator({ data: 'small' });
		const results: NodeResult[] = [];
		for await (const result of runSample(emulator, name)) results.push(result);
		const answers = answersOf(name, results, emulator.requests);
		await emulator.close();
		const schema = JSON.stringify(schemaOf(name, answers), null, '\t');
		const inOneLine = (list: string) =>
			list.replace(/\s+/g, ' ').replace(/^\[ | \]$/g, (end) => end.trim());
		writeFileSync(file, `${schema.replace(/\[\s+"\w+"(,\s+"\w+")+\s+\]/g, inOneLine)}\n`);
	}
}
