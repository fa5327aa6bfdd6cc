// `npm run test:mutants -- --known` makes the mistakes, which takes long. Here only their places are looked at.
import { expect, it } from 'vitest';

import { KNOWN } from '../mutants/known.ts';
import { assertApplies } from '../mutants/runKnown.ts';

it.each(KNOWN)('$name: what the mistake edits stands in $file once', (mistake) => {
	expect(() => assertApplies(mistake)).not.toThrow();
});
