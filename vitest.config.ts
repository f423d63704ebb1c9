import { resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import { bundlePage, PAGE_FILE } from './build/bundle-page.js';
import packageJson from './package.json' with { type: 'json' };

/** Tests that mock modules or global timers, which other files in the same process would see. */
const ISOLATED = [
  'test/cli/commands/domain/input/domain-flags.test.ts',
  'test/cli/commands/pets/export-file.test.ts',
  'test/cli/output/index.test.ts',
  'test/cli/system/prompts.test.ts',
  'test/client/gate/file/file-ledger.test.ts',
  'test/client/gate/redis/redis-client.test.ts',
  'test/client/transport/undici-missing.test.ts',
  'test/docs/findings.test.ts',
  'test/mock/service/clock.test.ts',
  'test/security/plain-file.test.ts',
  'test/time/clock.test.ts',
];

const MOCK = resolve('src/mock/index.ts');
const CHECKED_MOCK = resolve('test/support/contract/checked-mock.ts');

/** Compares all exchanges with mocks with openapi.json: importers of the mock get one that does. */
function checkedMock(): Plugin {
  return {
    name: 'checked-mock',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!source.endsWith('mock/index.js') || importer === undefined || importer === CHECKED_MOCK)
        return null;
      const found = await this.resolve(source, importer, { skipSelf: true });
      return found?.id === MOCK ? CHECKED_MOCK : found;
    },
  };
}

/** As in the build: the import of page.html is the built page. Bundled only for the tests that load it. */
const pageModule: Plugin = {
  name: 'page-module',
  enforce: 'pre',
  async load(file) {
    return PAGE_FILE.test(file) ? (await bundlePage()).module : undefined;
  },
};

/** To import CommonJS, Node also compiles it to find its format, and scans it for exports. typescript has 9 MB. */
const requiredTypeScript: Plugin = {
  name: 'required-typescript',
  enforce: 'pre',
  resolveId: (source) => (source === 'typescript' ? '\0typescript' : null),
  load: (file) =>
    file === '\0typescript'
      ? `import { createRequire } from 'node:module';
         export default createRequire(${JSON.stringify(import.meta.url)})('typescript');`
      : null,
};

export default defineConfig({
  plugins: [checkedMock(), pageModule, requiredTypeScript],
  define: { __PETSTORE_VERSION__: JSON.stringify(packageJson.version) },
  test: {
    // Vitest leaves one core free by default, which is half of a small machine.
    maxWorkers: '100%',
    // A busy machine is no failure. In CI a failed test is repeated once, and named as flaky if it passes then.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    retry: process.env.CI === undefined ? 0 : 1,
    // A snapshot is written only by intent (`vitest run --update`), not by the first run that misses it.
    update: 'none',
    setupFiles: ['./test/support/contract/setup.ts'],
    reporters: ['default', './test/support/closing-line-reporter.ts'],
    // Tests must not inherit the developer's own set-up.
    env: { NO_COLOR: '', FORCE_COLOR: '', PETSTORE_API_KEY: '', PETSTORE_BASE_URL: '', PETSTORE_PROFILE: '' },
    projects: [
      // One process for many files: half of the time of a run was their start.
      {
        extends: true,
        test: { name: 'shared', isolate: false, include: ['test/**/*.test.ts'], exclude: ISOLATED },
      },
      { extends: true, test: { name: 'isolated', include: ISOLATED } },
    ],
  },
});
