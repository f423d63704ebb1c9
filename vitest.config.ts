import { defineConfig } from 'vitest/config';
import packageJson from './package.json' with { type: 'json' };

export default defineConfig({
  define: { __PETSTORE_VERSION__: JSON.stringify(packageJson.version) },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // A pinned text is written on purpose only (`vitest run --update`), not by the first run that misses it.
    update: 'none',
    reporters: ['default', './test/support/closing-line-reporter.ts'],
    // Tests must not inherit the developer's own set-up.
    env: { NO_COLOR: '', FORCE_COLOR: '', PETSTORE_API_KEY: '', PETSTORE_BASE_URL: '', PETSTORE_PROFILE: '' },
  },
});
