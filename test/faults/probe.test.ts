import { it } from 'vitest';
import { run, startEmulator, sampleRun } from './lab.ts';
import { sent } from './watch.ts';
import { locator } from '../samples.ts';

it.each([
	[20, 500, true],
	[20, 500, false],
	[60, 60, true],
	[60, 60, false],
	[5, 60, false],
	[5, 60, true],
	[200, 1000, false],
])(
	'rate %i %i %s',
	async (perSecond, n, retryAfter) => {
		const emulator = await startEmulator({ data: 'small' });
		const ids = emulator.store.contacts.all().map((c) => c.id);
		emulator.faults.add({ kind: 'rate-limit', perSecond, retryAfter } as any);
		const t = Date.now();
		const r = await run(emulator, {
			parameters: {
				resource: 'contact',
				operation: 'get',
				contact: locator('={{ $json.id }}'),
				requestOptions: {},
			},
			items: Array.from({ length: n }, (_, i) => ({ json: { id: ids[i % ids.length]! } })),
		});
		console.log(
			perSecond,
			n,
			retryAfter,
			'ms',
			Date.now() - t,
			'ideal',
			((n - perSecond) / perSecond) * 1000,
			'429s',
			emulator.requests.filter((x) => x.status === 429).length,
			'sent',
			emulator.requests.length,
			r.error?.message,
			r.json.length,
			r.hints.map((h) => h.message).join(),
		);
		await emulator.close();
	},
	200000,
);
