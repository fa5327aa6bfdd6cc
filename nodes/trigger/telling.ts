/** How many polls in a row may run out of time before the user is told. */
const PATIENCE = 3;

const OUT_OF_TIME = `The poll ran out of time for the ${PATIENCE}rd time in a row: it emits what it can read, and may miss records that show up late. Set a shorter "Look Back" (or "Watch Orders For"), fewer parts to include, or ask why the API answers slowly.`;

/** What this process has told the user of each node, so that an error of a poll is not one of each. */
export class Telling {
	private readonly told = new Map<string, Set<string>>();

	private readonly shortPolls = new Map<string, number>();

	/** What of it has not been told yet; it counts as told from then on. Numbers in it may differ. */
	untold(key: string, notices: string[]): string[] {
		const told = this.told.get(key) ?? new Set();
		this.told.set(key, told);
		const gist = (notice: string) => notice.replaceAll(/\d+/g, '');
		const untold = notices.filter((notice) => !told.has(gist(notice)));
		for (const notice of untold) told.add(gist(notice));
		return untold;
	}

	/** What there is to tell where polls run out of time again and again. */
	isShortAgain(key: string, isShort: boolean): string[] {
		const count = isShort ? (this.shortPolls.get(key) ?? 0) + 1 : 0;
		this.shortPolls.set(key, count);
		return count >= PATIENCE ? [OUT_OF_TIME] : [];
	}
}
