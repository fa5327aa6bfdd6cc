import { defineConfig } from 'vitest/config';
export default defineConfig({ test: { include: process.env.U_TESTS!.split(',').map((name) => `test/unit/${name}.test.ts`), setupFiles: ['test/support/seed.ts'], testTimeout: 30_000 } });
