/**
 * Installs the packed package in a copy of each example and runs its test. Ends with exit code 1 if one fails. A project
 * whose packages can't be installed is skipped.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'petstore-examples-'));
const names = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
try {
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
  });
  const tarball = join(folder, JSON.parse(stdout)[0].filename);
  // Two at a time: npm mostly waits for the network.
  const checkNext = async () => {
    for (let name; (name = names.shift()) !== undefined;)
      console.log(`${await check(name, tarball)} examples/${name}`);
  };
  await Promise.all([checkNext(), checkNext()]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function check(name, tarball) {
  const cwd = join(folder, name);
  cpSync(join(import.meta.dirname, name), cwd, { recursive: true });
  try {
    const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
    await run('npm', ['install', ...flags, tarball], { cwd });
  } catch (error) {
    console.log(error.stderr);
    return 'skipped (not installed)';
  }
  try {
    await run('npm', ['test'], { cwd });
    return 'ok     ';
  } catch (error) {
    console.log(error.stdout, error.stderr);
    process.exitCode = 1;
    return 'FAILED ';
  }
}
