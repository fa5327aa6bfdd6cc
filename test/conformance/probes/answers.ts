import { isObject, type Account } from '../account.ts';
import { most, namesOf, untold, type Finding } from './finding.ts';

export async function refusal(account: Account): Promise<Finding> {
	const { status, body, type } = await account.get('/conformance-has-no-such-path');
	const evidence = `status ${status}, ${type || 'no media type'}, fields: ${isObject(body) ? namesOf(body) : 'none'}`;
	if (status < 400) return untold(evidence);
	if (!isObject(body)) return { found: /html/.test(type) ? 'html' : 'another form', evidence };
	if (isObject(body.error) && 'code' in body.error) return { found: 'envelope', evidence };
	if (Array.isArray(body.errors)) return { found: 'errors', evidence };
	if (/problem/.test(type)) return { found: 'problem', evidence };
	return { found: 'detail' in body ? 'detail' : 'another form', evidence };
}

const NOBODY = '00000000-0000-4000-8000-000000000000';

/** The answer to a read of a record that does not exist. */
export async function missing(account: Account): Promise<Finding> {
	const { status, data } = await account.get('/contacts/{contact_id}', { contact_id: NOBODY });
	const evidence = `status ${status}`;
	if (status === 404) return { found: '404', evidence };
	return { found: status === 200 && data === null ? '200 null' : 'otherwise', evidence };
}

/** How the server said that it is busy, if it did so to another probe. */
export async function limited({ busy: met }: Account): Promise<Finding> {
	const [first] = met;
	return first
		? { found: first, evidence: `${met.length} times` }
		: untold('the limit was not met');
}

export async function slash(account: Account): Promise<Finding> {
	await account.get('/wallet');
	await account.get('/agents/', {}, most);
	const { redirects } = account;
	const [first] = redirects;
	if (!first) return { found: 'as listed', evidence: 'no redirect was met' };
	const found = `${first.status} ${first.adds ? 'adds' : 'takes'}`;
	return { found, evidence: `${redirects.length} redirects within the origin` };
}
