/** The tests that a changed check has to fail: its own, and a quick zoo. */
import { defineConfig, type ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['src/check/**/*.test.ts', 'bench/mutation/quick-zoo.ts'],
    testTimeout: 60_000,
  },
});

export default config;
