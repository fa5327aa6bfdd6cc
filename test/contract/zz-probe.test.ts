import { test, expect } from 'vitest';
import { startEmulator } from '../emulator/index.ts';
import { Clock, Poller, ENGINES } from '../poller.ts';
test.each(ENGINES)('%s', async (engine) => {
	const clock = new Clock();
	const emulator = await startEmulator({ data: 'empty', now: () => clock.server });
	const poller = new Poller({ emulator, engine, parameters: { event: 'newCall' } });
	emulator.store.addAgent('inbound');
	emulator.store.addCall();
	console.log(await poller.activate());
	console.log(poller.saved);
	clock.advance(60_000);
	emulator.store.addCall();
	console.log((await poller.tick()).length, poller.errors);
	console.log(poller.saved, emulator.requests.length);
	console.log((await poller.fetchTestEvent()));
	await emulator.close();
	clock.thaw();
});
