/** Most systems take no more in the name of a file. */
const MOST_CHARACTERS = 200;

/** Without this, a slash in a name would make a folder. The end is kept: it says what kind of file it is. */
export function toFileName(text: string): string {
	const name = text
		.slice(-MOST_CHARACTERS)
		.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
		.replace(/[/\\:*?"<>|]/g, '_')
		.replace(/^[. ]+/, '');
	return name || 'file';
}
