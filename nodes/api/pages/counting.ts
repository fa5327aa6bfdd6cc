import type { Page } from './page';

/**
 * What offset and limit count: records, or the groups that hold them. The reference does not show it for
 * grouped lists, so the first pages have to. They count records, unless pages do not join then.
 * Reference: GET /events.
 */
export class Counting {
	readonly isGrouped: boolean;

	private countsGroups: boolean;

	/** Where a page was last empty. */
	private emptyAt?: number;

	private readonly first: Page;

	private readonly asked: number;

	constructor(first: Page, asked: number) {
		this.first = first;
		this.asked = asked;
		this.isGrouped = first.groups !== undefined;
		this.countsGroups = this.isGrouped && first.records.length > asked;
	}

	/** How far it is from a page to the next one. They share a record, or a group. */
	strideOf({ records, groups = 0 }: Page): number {
		const count = this.countsGroups ? groups : records.length;
		return Math.max(1, Math.min(count, this.asked) - 1);
	}

	/** Whether the page holds less than the server serves at a time. */
	isPart({ records, groups = 0 }: Page): boolean {
		const { first } = this;
		return records.length < first.records.length || groups < (first.groups ?? 0);
	}

	mayCountGroups(): boolean {
		return this.isGrouped && !this.countsGroups;
	}

	/** Groups are counted from here on, because pages did not join. */
	countGroups(): void {
		this.countsGroups = true;
	}

	see({ records, offset }: Page & { offset: number }): void {
		if (records.length === 0) this.emptyAt = offset;
	}

	/** A page of one group shares nothing with the next. It is the last if the next was empty. */
	isLastGroup({ groups, offset }: Page & { offset: number }): boolean {
		return this.countsGroups && groups === 1 && this.emptyAt === offset + 1;
	}
}
