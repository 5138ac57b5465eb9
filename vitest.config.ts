import { defineConfig, type ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'models/**/*.test.ts',
      'spec/**/*.{test,spec}.ts',
      'examples/**/*.test.ts',
      'bench/**/*.test.ts',
    ],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});

export default config;
