import { startEmulator } from '../emulator/index.ts';
import { loadPackage } from '../support/harness.ts';
import { amount, headline, seconds } from './print.ts';
import { stepsFor } from './steps.ts';

const emulator = await startEmulator({ data: 'demo' });
const { agents, calls, orders } = emulator.store;
console.log(`
YK Voice: the built node, run by n8n's own engine
Account: the emulator of the API with invented data: ${amount(agents.size, 'agent')}, ${amount(calls.size, 'call')}, ${amount(orders.size, 'order')}
`);
let at = 'start';

try {
	await loadPackage();
	const steps = stepsFor(emulator);
	for (const [index, { title, run }] of steps.entries()) {
		at = title;
		const [started, before] = [performance.now(), emulator.requests.length];
		const { items, lines } = await run();
		const [requests, ms] = [emulator.requests.length - before, performance.now() - started];
		console.log([headline(index + 1, title, { items, requests, ms }), ...lines, ''].join('\n'));
	}
	console.log(
		`Done: ${amount(steps.length, 'step')}, ${amount(emulator.requests.length, 'request')}, ${seconds(performance.now())} including the load of n8n's engine.`,
	);
} catch (error) {
	const { message, description } = error as Error & { description?: string | null };
	console.error(`\nThe demo failed at "${at}".\n${message}\n${description ?? ''}`);
	process.exitCode = 1;
} finally {
	await emulator.close();
}
