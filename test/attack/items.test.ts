import { expect, it } from 'vitest';

import { placesOf } from '../support/places.ts';
import { attack, isFull, some, tryEach } from './attack.ts';
import { ID, serverForTests } from './server.ts';
import { USUAL } from './targets.ts';
import { LONG_TEXTS, NOT_TEXT, TRICKS } from './values.ts';

const api = serverForTests();

/** Every parameter; one that several operations share is tried with the first of them. */
const known = new Set<string>();
const cases = USUAL.map((target) => ({
	...target,
	places: placesOf(target.operation).filter(({ name, property }) => {
		const shape = JSON.stringify([name, property]);
		return isFull || (!known.has(shape) && known.add(shape));
	}),
})).filter(({ places }) => places.length > 0);

const HOSTILE = [...TRICKS, ...NOT_TEXT];
let turn = 0;

it.each(cases)('$operation takes an item with anything in it', async (target) => {
	const { operation, parameters, places } = target;
	const { asked: usual } = await attack(api, { operation, parameters, items: target.items });
	const paths = usual.map(({ path }) => path.split('/'));
	const isUsual = (path: string) =>
		paths.some(
			(steps) =>
				steps.length === path.split('/').length &&
				path.split('/').every((step, at) => step === steps[at] || steps[at]!.includes(ID)),
		);
	await tryEach(
		places,
		({ name }) => name,
		async ({ name, property, put }) => {
			const values = [...some(HOSTILE, ++turn, 8), ...some(LONG_TEXTS, turn, 2)];
			const text = '={{ $json.hostile }}';
			const { asked, outputs } = await attack(api, {
				operation,
				parameters: put(
					{ requestOptions: { maxWait: 0 }, waitAtMost: 0, ...parameters },
					property.type === 'resourceLocator' ? { __rl: true, mode: 'id', value: text } : text,
				),
				items: values.map((hostile) => ({ ...target.items?.[0], hostile }) as never),
				onError: 'continueErrorOutput',
			});
			for (const { path, headers } of asked) {
				expect(headers).not.toHaveProperty('x-evil');
				// These parameters choose the path. With a time to wait, the node looks for the call, and a
				// check reads the part that it is about. Lines that the list does not show are read from the order.
				if (
					/path|portal|waitFor|waitAtMost|statusFields|lineItemsField|^checks|^filters\.transcriptContains/i.test(
						name,
					)
				)
					expect(path).toMatch(/^\/v1\/(?!.*\.\.)/);
				else expect(isUsual(path), path.slice(0, 99)).toBe(true);
			}
			// A filter that is a free text may fit no record.
			if (name !== 'filters.status')
				expect(
					outputs.flat().length,
					'output items (a free text that the node filters by? Add it to the exception above)',
				).toBeGreaterThan(0);
		},
	);
});
