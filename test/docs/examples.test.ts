import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ROOT } from '../support/source-tree.js';

const NAMES = readdirSync(join(ROOT, 'examples'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

// Installs packages from npm, so only `.ci/run` asks for it.
test.skipIf(!process.env.PETSTORE_TEST_EXAMPLES)(
  'the examples pass with the packed package (PETSTORE_TEST_EXAMPLES is set)',
  { timeout: 600_000 },
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [join(ROOT, 'examples/run.mjs')]);
    const results = stdout.split('\n').filter((line) => / examples\//.test(line));
    expect(results.sort()).toEqual(NAMES.map((name) => `ok      examples/${name}`));
  },
);
