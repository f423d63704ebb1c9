/**
 * `npm test`: builds if the sources changed, then runs the tests, and the checks that have not passed with the same files
 * before. Prints one line for each check, and the output of failed checks. Always ends with `N passed, N failed[, N skipped]`; a failed check counts as a failed test.
 * Arguments go to vitest.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isBuildCurrent, treeDigest } from '../build/source-digest.mjs';

if (!existsSync('node_modules/vitest')) {
  console.error('error: The packages for the tests are not installed\nhint: Run: npm ci && npm test');
  console.log('\n0 passed, 1 failed');
  process.exit(1);
}

// The tests and most checks need the build. The checks run at the same time as the tests, which often wait for other
// processes. `.ci/run` sets these variables. Without them, unused exports and the package are not checked.
const { PETSTORE_TEST_FULL, PETSTORE_TEST_SOAK } = process.env;
/** Checks that read the files of the project only. */
const READING = ['lint:format', 'lint', 'lint:unused', 'lint:package'];
const PASSED = 'node_modules/.cache/petstore/passed';
const tree = treeDigest();
const format = runChecks(['lint:format']);
const failedBuild = isBuildCurrent() ? [] : await runChecks(['build']);
const isBuilt = failedBuild.length === 0;
const [counts, ...failedNames] = await Promise.all([
  isBuilt ? runTests() : undefined,
  format,
  isBuilt
    ? runChecks(['lint', ...(PETSTORE_TEST_FULL === '1' ? ['lint:unused', 'lint:package'] : [])])
    : failedBuild,
  isBuilt && PETSTORE_TEST_SOAK === '1' ? runChecks(['soak -- 60']) : [],
]);
const failedChecks = failedNames.flat();

const passed = counts?.passed ?? 0;
// Without counts the run itself is the failure.
const failed = failedChecks.length + (counts?.failed ?? (failedChecks.length === 0 ? 1 : 0));
const skipped = counts?.skipped ?? 0;
process.exitCode = failed > 0 || counts?.exitCode !== 0 ? 1 : 0;
console.log(
  `\n${counts?.skips.join('') ?? ''}${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
);

/** Runs checks in order. @returns the names of failed checks. */
async function runChecks(names) {
  const failedNames = [];
  for (const name of names) {
    const passed = `${PASSED}/${name.replace(/\W/g, '-')}`;
    if (READING.includes(name) && existsSync(passed) && readFileSync(passed, 'utf8') === tree) {
      console.log(`ok     ${name} (passed before with the same files)`);
      continue;
    }
    const startedAt = performance.now();
    const { exitCode, output } = await runScript(name);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(`${exitCode === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
    if (exitCode === 0 && READING.includes(name) && treeDigest() === tree) {
      mkdirSync(PASSED, { recursive: true });
      writeFileSync(passed, tree);
    }
    if (exitCode !== 0) {
      console.log(output);
      failedNames.push(name);
    }
  }
  return failedNames;
}

function runScript(name) {
  return new Promise((resolve) => {
    const child = spawn(`npm run --silent ${name}`, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('close', (exitCode) => resolve({ exitCode, output }));
  });
}

/** Runs vitest, which shows its own progress and sends the counts (test/support/closing-line-reporter.ts). */
function runTests() {
  return new Promise((resolve) => {
    const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
    const child = spawn(process.execPath, [vitest, 'run', ...process.argv.slice(2)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    let counts;
    child.on('message', (message) => (counts = message));
    child.on('close', (exitCode) => resolve(counts === undefined ? undefined : { ...counts, exitCode }));
  });
}
