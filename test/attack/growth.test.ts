import type { INodeParameters } from 'n8n-workflow';
import { describe, it } from 'vitest';

import {
	attack,
	expectLinear,
	isFull,
	some,
	tokensFor,
	tryEach,
} from './attack.ts';
import { pollerFor } from './hosts.ts';
import {
	answerWith,
	isList,
	record,
	send,
	serverForTests,
	tame,
	type Answer,
} from './server.ts';
import { TARGETS, TRIGGERS, USUAL, type Target } from './targets.ts';
import { nested, SHAPES, wide } from './values.ts';

const api = serverForTests();

const LENGTHS = [3000, 12_000];

/** The last step is short, because a time that doubles with each level never ends. */
const DEPTHS = [16, 20, 900];

const shapes = (length: number) => Object.values(SHAPES).map((make) => make(length));

const records =
	(recordsOf: (path: string) => unknown[]): Answer =>
	(asked, response) => {
		const all = Number(asked.query.get('offset')) > 0 ? [] : recordsOf(asked.path);
		send(response, { ok: true, data: isList(asked) ? all : all.at(-1) });
	};

/** Records of which each has another long text in all its fields. */
const longRecords = (length: number): Answer =>
	records((path) =>
		shapes(length).map((text, at) => ({
			...Object.fromEntries(
				Object.keys(record(path)).map((name) => [name, text.slice(0, length / 4)]),
			),
			...{ id: `id-${at}`, created_at: at % 2 ? text : record(path).created_at },
			...{ transcript: [{ role: text, text, time: text }], summary: text },
		})),
	);

describe('twice the text takes about twice the time', () => {
	it.each(['text/html', 'application/json'])('on an error page (%s)', async (type) => {
		await tryEach(
			Object.entries(SHAPES),
			([name]) => name,
			async ([, make]) => {
				await expectLinear([16_000, 64_000], async (length) => {
					api.answer = (_asked, response) =>
						send(response, make(length), 502, { 'content-type': type });
					await attack(api, { operation: 'usage.get' });
				});
			},
		);
	});

	it('in an error of the API', async () => {
		await expectLinear(LENGTHS, async (length) => {
			const error = { code: 'A', message: 'B', details: shapes(length) };
			api.answer = (_asked, response) => send(response, { ok: false, error }, 400);
			await attack(api, { operation: 'usage.get' });
		});
	});

	it.each(['a', 'ab', 'abcdefg'])('with an access token that repeats %j', async (letters) => {
		await expectLinear([1500, 6000], async (length) => {
			const access_token = letters.repeat(length).slice(0, length);
			const credentials = tokensFor(api.url);
			const { ykVoiceOAuth2Api: own } = credentials;
			api.answer = records(() => [
				{ id: '1', note: `${access_token.slice(0, 11)} `.repeat(length) },
			]);
			await attack(api, {
				operation: 'usage.get',
				credentials: {
					ykVoiceOAuth2Api: { ...own, oauthTokenData: { access_token, token_type: 'Bearer' } },
				},
			});
		});
	});

	const readers = (isFull ? TARGETS : USUAL).filter(({ operation }) =>
		/(call|order|agent|event).getAll|Stat|Transcript|call.get$/.test(operation),
	);
	it('in the records that are read', async () => {
		await tryEach(
			readers,
			({ operation }) => operation,
			async (target) => {
				await expectLinear([2000, 8000], async (length) => {
					api.answer = longRecords(length);
					await attack(api, target);
				});
			},
		);
	});

	const of = (name: string) => USUAL.find(({ operation }) => operation === name)!.parameters;
	const text = '={{ $json.text }}';
	const rl = { __rl: true, mode: 'id', value: text };
	/** A place for each way to read a parameter. */
	const PLACES: Readonly<Record<string, readonly [string, INodeParameters]>> = {
		'a date': ['call.getStatistics', { period: 'between', from: text, until: text }],
		'a date of a filter': [
			'call.getAll',
			{ filters: { created_after: text, created_before: text } },
		],
		'an ID': ['call.get', { call_id: rl }],
		'a phone number': ['contact.upsert', { ...of('contact.upsert'), phone_number: text }],
		'a list of phone numbers': [
			'contactList.addContacts',
			{ ...of('contactList.addContacts'), phone_numbers: text },
		],
		'a list of IDs': ['item.assign', { ...of('item.assign'), items: text }],
		JSON: ['contact.create', { specifyFields: 'json', json: text }],
		'a path': ['apiRequest.send', { method: 'GET', path: text }],
		'a number': ['contact.getAll', { limit: text }],
		'a name': [
			'agent.getVoicePreview',
			{ ...of('agent.getVoicePreview'), binaryPropertyName: text },
		],
		'names of fields': [
			'call.waitForCompletion',
			{ ...of('call.waitForCompletion'), waitAtMost: 0, options: { statusFields: text } },
		],
		'a filter': ['contact.getAll', { filterType: 'expression', filter: text }],
		'a value of a condition': [
			'contact.getAll',
			{
				filterType: 'conditions',
				conditions: { condition: [{ field: 'a', operator: 'in', value: text }] },
			},
		],
		choices: ['call.getAll', { options: { include: text } }],
		'a setting of an agent': [
			'agent.update',
			{ ...of('agent.update'), updateFields: { first_message: text, default_language: rl } },
		],
		'a tool': ['agentTool.update', { ...of('agentTool.update'), json: text }],
	};

	it.each(Object.entries(PLACES))('in an item, for %s', async (_what, [operation, parameters]) => {
		await expectLinear(LENGTHS, async (length) => {
			const items = shapes(length).map((one) => ({ text: one }));
			await attack(api, { operation, parameters, items, onError: 'continueErrorOutput' });
		});
	});
});

describe('twice the calls that are under way take about twice the time', () => {
	const underWay =
		(count: number): Answer =>
		(asked, response) => {
			const from = Number(asked.query.get('offset'));
			const created_at = new Date().toISOString();
			const page = Array.from({ length: Math.min(2000, count - from) }, (_, at) => ({
				...{ id: `c${from + at}`, created_at, call_status: 'In Progress' },
				...{ phone_number: '+390000000001', agent_id: 'a' },
			}));
			send(response, { ok: true, data: page, meta: { total_items: count } });
		};

	it('for the trigger', async () => {
		await expectLinear([10_000, 40_000], async (count) => {
			const poller = pollerFor(api, { parameters: { event: 'callReady' } });
			api.answer = tame;
			await poller.activate();
			api.answer = underWay(count);
			await poller.tick();
		});
	});
});

describe('a record that is nested deeper takes little longer', () => {
	const deep = (depth: number): Answer =>
		answerWith(({ path }) => {
			const names = Object.keys(record(path)).filter(
				(name) => !/^(id|created_at|status)$/.test(name),
			);
			const kinds = ['list', 'object', 'both'] as const;
			return record(
				path,
				Object.fromEntries(names.map((name, at) => [name, nested(depth, kinds[at % 3])])),
			);
		});

	const few = USUAL.filter(
		({ operation }) => isFull || /^(call|contact|agent)\.|Stat|order.get|send/.test(operation),
	);
	it('in every operation', async () => {
		await tryEach(
			few,
			({ operation }: Target) => operation,
			async (target) => {
				await expectLinear(DEPTHS, async (depth) => {
					api.answer = deep(depth);
					await attack(api, target);
				});
			},
		);
	});

	it('in every event', async () => {
		await tryEach(
			some(TRIGGERS, 0, 6),
			({ event }) => event,
			async (parameters) => {
				await expectLinear(DEPTHS, async (depth) => {
					const poller = pollerFor(api, { parameters });
					api.answer = tame;
					await poller.activate();
					api.answer = deep(depth);
					await poller.tick();
				});
			},
		);
	});
});

it('an answer with twice the fields takes about twice the time', async () => {
	const few = USUAL.filter(({ operation }) => /order|contact\.|agent\.|Statistics/.test(operation));
	await tryEach(
		few,
		({ operation }: Target) => operation,
		async (target) => {
			await expectLinear([2000, 16_000], async (names) => {
				api.answer = answerWith(({ path }) => record(path, wide(names)));
				await attack(api, target);
			});
		},
	);
});
