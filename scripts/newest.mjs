// Runs the tests with the newest n8n or zod, or n8n's newest lint, and reports what broke:
// `npm run newest -- n8n`. A version may follow: `npm run newest -- zod 4.6.7`. In CI the report is in the
// job's summary.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';

const [what, given, ...filter] = process.argv.slice(2);
const run = { n8n: inN8n, zod: withZod, lint: withLint }[what];
if (run === undefined) {
	console.error('usage: npm run newest -- n8n|zod|lint [version [test files]]');
	process.exit(2);
}
const LINT = '@n8n/node-cli';
const version = given ?? newest(what === 'lint' ? LINT : what);
const results = `artifacts/newest-${what}.json`;
/** The output of an installation that failed. */
let refusal = '';
rmSync(results, { force: true });
const failed = run();
const said = summary();
console.log(said);
if (process.env.GITHUB_STEP_SUMMARY) appendFileSync(process.env.GITHUB_STEP_SUMMARY, said);
process.exit(failed ? 1 : 0);

function newest(name) {
	const { status, stdout, stderr } = spawnSync('npm', ['view', name, 'version'], {
		encoding: 'utf8',
	});
	if (status !== 0) throw new Error(stderr);
	return stdout.trim();
}

function inN8n() {
	const env = { E2E_N8N: version };
	return !isInstalled('node', ['test/e2e/host.ts'], env) || hasFailed('e2e', env);
}

function withZod() {
	const alias = `zod-newest@npm:zod@${version}`;
	const install = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', alias];
	return !isInstalled('npm', install) || hasFailed('zod-newest', { ZOD: 'zod-newest' });
}

/** n8n's tool has 500 packages, and npm installs it only if it may ignore what they want of each other. */
function withLint() {
	const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
	const folder = join(cache, 'n8n-nodes-yk-voice', `node-cli-${version}`);
	mkdirSync(folder, { recursive: true });
	const { typescript } = JSON.parse(readFileSync('package.json', 'utf8')).devDependencies;
	const flags = ['--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'];
	const packages = [`${LINT}@${version}`, `typescript@${typescript}`];
	return (
		!isInstalled('npm', ['install', ...flags, `--prefix=${folder}`, ...packages]) ||
		hasFailed('newest', { LINT: folder })
	);
}

function isInstalled(command, args, env) {
	const { status, stderr } = spawnSync(command, args, {
		env: { ...process.env, ...env },
		stdio: ['ignore', 'inherit', 'pipe'],
		encoding: 'utf8',
	});
	process.stderr.write(stderr);
	refusal = stderr;
	return status === 0;
}

function hasFailed(project, env) {
	const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`];
	const args = ['run', `--project=${project}`, ...reporters, ...filter];
	const { status } = spawnSync('vitest', args, {
		env: { ...process.env, ...env },
		stdio: 'inherit',
	});
	return status !== 0;
}

/** The report: each failed test with the first line of its message. */
function summary() {
	const title = `## ${what} ${version}\n\n`;
	if (!existsSync(results)) {
		return `${title}No test ran: it could not be installed or set up.\n\n\`\`\`\n${refusal}\`\`\`\n`;
	}
	const { testResults, numPassedTests } = JSON.parse(readFileSync(results, 'utf8'));
	const broken = testResults.flatMap(brokenIn);
	if (!failed) return `${title}All ${numPassedTests} tests pass.\n`;
	const beside = broken.length === 0 ? 'The run failed outside of its tests: see the log.\n' : '';
	return `${title}${broken.length} broken, ${numPassedTests} pass.\n\n${broken.join('')}${beside}`;
}

function brokenIn({ name, status, message, assertionResults }) {
	const file = relative('.', name);
	const line = (test, said) => `- \`${file}\`: ${test}\n\n  \`${said.trim().split('\n')[0]}\`\n`;
	const tests = assertionResults.filter((test) => test.status === 'failed');
	// If the set-up of a file fails, none of its tests is listed as failed.
	if (status === 'failed' && tests.length === 0) return [line('the file', message)];
	return tests.map(({ fullName, failureMessages: [said = ''] }) => line(fullName, said));
}
