import { examine, written } from './report.ts';

const { YK_VOICE_BASE_URL: baseUrl, YK_VOICE_API_KEY: apiKey } = process.env;
if (!baseUrl || !apiKey) {
	console.error(
		'Set YK_VOICE_BASE_URL (which ends in /v1) and YK_VOICE_API_KEY (READ is enough), then run\n' +
			'  npm run conformance\n' +
			'It sends GET requests only, and writes names of fields, types and counts: no record’s content.',
	);
	process.exit(2);
}

try {
	console.log(written(await examine({ baseUrl, apiKey })));
} catch (error) {
	console.error((error as Error).message);
	process.exitCode = 1;
}
