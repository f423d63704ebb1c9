import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ROOT } from '../support/source-tree.js';

// Installs packages from npm, so only `.ci/run` asks for it.
test.skipIf(!process.env.PETSTORE_TEST_EXAMPLES)(
  'the examples pass with the packed package (PETSTORE_TEST_EXAMPLES is set)',
  { timeout: 600_000 },
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [join(ROOT, 'examples/run.mjs')]);
    expect(stdout).toMatch(/^ok +examples\/express$/m);
  },
);
