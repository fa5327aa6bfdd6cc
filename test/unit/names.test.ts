import { expect, test } from 'vitest';

import { NAMES, RULES, USUAL_NAMES } from '../../nodes/api/names.ts';
import { namesIn } from '../../nodes/api/readNames.ts';
import { asEntered } from '../support/account.ts';

const named = (names: Record<string, string>) => namesIn(asEntered(names));

test.each([undefined, '', {}, { name: [] }])('%j names nothing, so all are usual', (given) => {
	expect(namesIn(given)).toEqual(USUAL_NAMES);
});

test.each<[key: string, name: string, read: unknown]>([
	['callLength', ' talk_time , billing.seconds', ['talk_time', 'billing.seconds']],
	['eventApprove', 'patch /events/{event_id}/ok', 'PATCH /events/{event_id}/ok'],
	['eventApprove', '/events/{event_id}/ok', 'POST /events/{event_id}/ok'],
])('%s may be %j; the others stay', (key, name, read) => {
	expect(named({ [key]: name, callTask: ' ' })).toEqual({ ...USUAL_NAMES, [key]: read });
});

test.each<[key: keyof typeof NAMES, ...names: string[]]>([
	['callLength', ','],
	['callUnit', 'hours'],
	['agentBackend', 'a,b'],
	['eventPath', '/events', 'events/{event_id}', '/a/../{event_id}', '/x/{event_id}?a'],
	['eventPath', 'PATCH /x/{event_id}', '/{other}/{event_id}'],
	['eventApprove', 'GET /events/{event_id}/ok'],
	['healthPath', 'https://elsewhere.example/health'],
	['portals', 'a, b', 'a, .., c', 'a, b/b, c', 'a, b, c, d'],
	['itemSku', 'codes.sku'],
])('%s cannot be %j, and the error says what it must be', (key, ...wrong) => {
	const { label, kind } = NAMES[key];
	for (const name of wrong)
		expect(() => named({ [key]: name })).toThrow(
			`The credential has a wrong '${label}' under 'Names in This API'. It must be ${RULES[kind]}.`,
		);
});

test.each<[given: unknown, said: string]>([
	[asEntered({ calLength: 'x' }), 'an entry that this version does not know'],
	[{ name: ['callLength', 'callLength'].map((what) => ({ what, name: 'x' })) }, 'twice'],
	['callLength', 'a value that is no list'],
])('%j is an error', (given, said) => {
	expect(() => namesIn(given)).toThrow(said);
});
