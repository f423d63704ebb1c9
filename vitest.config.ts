import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { bundlePage, PAGE_FILE } from './build/bundle-page.js';
import packageJson from './package.json' with { type: 'json' };

const TESTS = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map((path) => `test/${path.replaceAll('\\', '/')}`)
  .filter((path) => path.endsWith('.test.ts'));

/** Tests that mock modules, or globals for the whole file. Other files in the same process would see it. */
const ISOLATED = TESTS.filter((path) =>
  /^vi\.|\bvi\.(mock|doMock|useFakeTimers)\(/m.test(readFileSync(path, 'utf8')),
);

/** Modules, and those that tests get instead. */
const CHECKED: Readonly<Record<string, string>> = {
  [resolve('src/mock/index.ts')]: resolve('test/support/contract/checked-mock.ts'),
  [resolve('src/mock/control/control.ts')]: resolve('test/support/contract/checked-control.ts'),
};

/** Compares all exchanges with mocks with both openapi.json: importers of the mock get one that does. */
function checkedMock(): Plugin {
  return {
    name: 'checked-mock',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!/(?:mock\/index|\/control)\.js$/.test(source) || importer === undefined) return null;
      const found = await this.resolve(source, importer, { skipSelf: true });
      const checked = CHECKED[found?.id ?? ''];
      return checked === undefined || checked === importer ? found : checked;
    },
  };
}

/**
 * The files that take longest with PETSTORE_TEST_FULL=1 and the other variables of `.ci/run`, the longest first. In a clean clone,
 * vitest knows no durations.
 */
const LONGEST = [
  'importers/importers',
  'docs/examples',
  'flows/pacing',
  'flows/import-kill-points',
  'flows/lost-lock',
  'runtimes',
  'model/gate',
  'flows/shared-folder',
  'domain/advice/plan',
  'standards/curl',
  'limiters/real-limiters',
  'flows/kill-key-changes',
  'mock/ui/page',
  'binary',
  'flows/import',
  'other-runtimes',
  'cli/startup/loaded-modules',
  'flows/full-disk',
  'bundles',
].map((name) => `test/${name}.test.ts`);
for (const path of LONGEST) {
  if (!TESTS.includes(path))
    throw new Error(`There is no ${path}, one of the longest tests in vitest.config.ts`);
}

/** Starts long files first, so that no worker is left with one at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const places = new Map(LONGEST.map((path, place) => [resolve(path), place]));
    const rank = ({ project, moduleId }: TestSpecification): number =>
      (project.name === 'shared' ? 1_000 : 0) + (places.get(moduleId) ?? LONGEST.length);
    return sorted.sort((one, other) => rank(one) - rank(other));
  }
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
    // Vitest leaves one core free by default, which is half of a small machine. Many tests wait for a clock.
    maxWorkers: availableParallelism() + 1,
    // A busy machine is no failure. In CI a failed test is repeated once, and named as flaky if it passes then.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    retry: process.env.CI === undefined ? 0 : 1,
    sequence: { sequencer: LongestFirst },
    // A snapshot is written only by intent (`vitest run --update`), not by the first run that misses it.
    update: 'none',
    setupFiles: ['./test/support/contract/setup.ts'],
    // For the list of skipped tests.
    includeTaskLocation: true,
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
