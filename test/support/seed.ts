import fc from 'fast-check';

/**
 * Random cases are the same in every run, so that a failing test is about your change. Try others with
 * another seed: `SEED=2 npm test`.
 */
fc.configureGlobal({ seed: Number(process.env.SEED ?? 1) });
