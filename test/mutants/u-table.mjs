export * from './stryker.config.mjs';
import base from './stryker.config.mjs';
export default { ...base, plugins: [base.plugins[0], '/work/wt-U/test/mutants/u-table.mjs'], vitest: { configFile: 'test/mutants/u.config.ts' }, ignoreStatic: true, disableBail: true, reporters: ['json'], jsonReporter: { fileName: '/tmp/helpers/U2-table.json' }, tempDirName: 'artifacts/mutants-table', thresholds: { high: 95, low: 90, break: 0 } };
