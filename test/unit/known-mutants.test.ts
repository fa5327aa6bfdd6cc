import { expect, test } from 'vitest';

import { KNOWN } from '../mutants/known.ts';
import { assertApplies } from '../mutants/runKnown.ts';

test.each(KNOWN)('the sources still have the text that is changed by: $name', (mutant) => {
	expect(() => assertApplies(mutant)).not.toThrow();
});
