import type { Api } from '../api/session';
import { callPath } from '../domain/callParts';
import { findCalls, type Finding, type TestCall } from '../domain/testCall';
import { isObject, textIn, type JsonObject } from '../json';
import { isRefusal } from './reader';

/** How many calls are read one by one, if the list shows neither their agent nor their number. */
const MOST_DETAILS = 50;

/** Finds out which call of the history belongs to which test call of one account. */
export class TestCallSearch {
	private readonly reader: Api;

	/** Test calls whose call has not been found yet, also those whose answer was lost. */
	private readonly sought = new Set<TestCall>();

	/** Details of calls that the list does not show enough of, by id. A call that may not be read has an empty one. */
	private readonly details = new Map<string, JsonObject>();

	/** Ids of calls that belong to a test call already. They cannot belong to another one. */
	private readonly taken = new Set<string>();

	constructor(reader: Api) {
		this.reader = reader;
	}

	add(testCall: TestCall): void {
		this.sought.add(testCall);
	}

	/** The test call was not placed, or its call is known. */
	remove(testCall: TestCall): void {
		this.sought.delete(testCall);
	}

	/** The call with this id belongs to this test call. */
	take(id: string, testCall: TestCall): void {
		this.remove(testCall);
		this.taken.add(id);
	}

	/** Which listed call belongs to which test call. If the list does not show it, details are read too. */
	async find(listed: JsonObject[]): Promise<Map<TestCall, Finding>> {
		const findings = this.compare(listed);
		const unread = this.unreadOf([...findings.values()].flatMap(unnamedIn));
		if (unread.length === 0) return findings;
		await Promise.all(unread.map(async (id) => await this.readDetail(id)));
		return this.compare(listed);
	}

	/** Whether a detail that could not be read yet may change this finding. */
	mayChange(finding: Finding): boolean {
		return this.unreadOf(unnamedIn(finding)).length > 0;
	}

	/** Matches the test calls to the calls that are not taken, with what their details have shown. */
	private compare(listed: JsonObject[]): Map<TestCall, Finding> {
		const free = listed
			.filter(({ id }) => !this.taken.has(textIn(id) ?? ''))
			.map((call) => ({ ...this.details.get(textIn(call.id) ?? ''), ...call }));
		const sought = [...this.sought];
		const findings = findCalls(sought, free);
		return new Map(sought.map((testCall, at) => [testCall, findings[at] as Finding]));
	}

	/** Ids of those calls whose detail was not read yet, as many as may still be read. */
	private unreadOf(calls: JsonObject[]): string[] {
		const ids = new Set(calls.map(({ id }) => textIn(id)).filter((id) => id !== undefined));
		const unread = [...ids].filter((id) => !this.details.has(id));
		return unread.slice(0, MOST_DETAILS - this.details.size);
	}

	/** Reads the detail of a call once. If it fails for now or does not exist yet, the next look tries again. */
	private async readDetail(id: string): Promise<void> {
		try {
			const data = await this.reader.find({ method: 'GET', path: callPath(id) });
			if (isObject(data)) this.details.set(id, data);
		} catch (error) {
			if (isRefusal(error)) this.details.set(id, {});
		}
	}
}

/** The calls of a finding that show neither task nor agent nor number. */
function unnamedIn(finding: Finding): JsonObject[] {
	if (finding.kind === 'unnamed') return finding.calls;
	return finding.kind === 'one' ? (finding.doubts ?? []) : [];
}
