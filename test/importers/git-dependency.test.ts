import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ROOT } from '../support/source-tree.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const run = promisify(execFile);
// npm installs the packages of the build, so only `.ci/run` asks for it.
const isHere = Boolean(process.env.PETSTORE_TEST_PACKAGES) && existsSync(join(ROOT, '.git'));

test.skipIf(!isHere)(
  'npm builds a dependency from git (PETSTORE_TEST_PACKAGES is set, and this is a clone)',
  async () => {
    const cwd = temporaryFolder({ 'package.json': { name: 'importer', private: true } });
    const address = `git+${pathToFileURL(ROOT).href}`;
    const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
    await run('npm', ['install', address, ...flags], { cwd });
    const script =
      "console.log(typeof require('petstore').createPetStore, typeof require('petstore/mock').createMock)";
    expect((await run(process.execPath, ['-e', script], { cwd })).stdout).toBe('function function\n');
    const command = join(cwd, 'node_modules/.bin/petstore');
    expect((await run(command, ['pets', 'list', '--mock', '--limit', '1', '--quiet'])).stdout).toMatch(
      /^1\t/,
    );
    expect(existsSync(join(cwd, 'node_modules/petstore/dist/index.d.ts'))).toBe(true);
  },
  300_000,
);
