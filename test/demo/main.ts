import { loadPackage } from '../support/harness.ts';
import { openAccount, type Account } from './account.ts';
import { amount, headline, seconds } from './print.ts';
import { stepsFor } from './steps.ts';
import { watchTraffic } from './traffic.ts';

const traffic = watchTraffic();
let account: Account | undefined;
let at = 'start';

try {
	account = await openAccount();
	console.log(`\nYK Voice: the built node, run by n8n's own engine\nAccount: ${account.about}\n`);
	await loadPackage();

	const steps = stepsFor(account, traffic);
	for (const [index, { title, run }] of steps.entries()) {
		at = title;
		const [started, before] = [performance.now(), traffic.answered];
		const { items, lines } = await run();
		const [requests, ms] = [traffic.answered - before, performance.now() - started];
		console.log([headline(index + 1, title, { items, requests, ms }), ...lines, ''].join('\n'));
	}

	if (account.isReal && traffic.writes > 0) {
		throw new Error(`${amount(traffic.writes, 'request')} could have changed your account`);
	}
	console.log(
		`Done: ${amount(steps.length, 'step')}, ${amount(traffic.answered, 'request')}, ${seconds(performance.now())} including the load of n8n's engine.`,
	);
	if (account.isReal) console.log('Nothing was written: every request was a GET.');
} catch (error) {
	const { message, description } = error as Error & { description?: string | null };
	console.error(
		`\nThe demo failed at "${at}".\n${message}${description ? `\n${description}` : ''}`,
	);
	process.exitCode = 1;
} finally {
	await account?.close();
}
