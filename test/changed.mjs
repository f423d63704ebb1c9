/**
 * `npm run test:changed [-- COMMIT]`: lints, and runs the tests next to what changed since a commit (HEAD by default): the
 * changed tests, those that import a changed file, and those of its folder. Takes seconds, and says what it left out.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const [commit = 'HEAD'] = process.argv.slice(2);
const changed = new Set([
  ...git('diff', '--name-only', '--no-renames', commit, '--'),
  ...git('ls-files', '--others', '--exclude-standard'),
]);
const tests = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map((path) => join('test', path))
  .filter((path) => path.endsWith('.test.ts'));
const folders = new Set([...changed].filter((path) => path.startsWith('src/')).map(dirname));
const chosen = tests.filter(
  (path) =>
    changed.has(path) ||
    folders.has(join('src', relative('test', dirname(path)))) ||
    importsOf(path).some((imported) => changed.has(imported)),
);

const steps = [run('node', 'build/lint.mjs')];
if (chosen.length > 0) steps.push(run('node', 'node_modules/vitest/vitest.mjs', 'run', ...chosen));
console.log(
  `Ran ${String(chosen.length)} of ${String(tests.length)} test files, for ${String(changed.size)} changed files. ` +
    'npm test also checks the format, and .ci/run unused code and the package.',
);
process.exitCode = steps.every((isPassed) => isPassed) ? 0 : 1;

function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '');
}

function run(command, ...args) {
  return spawnSync(command, args, { stdio: 'inherit' }).status === 0;
}

/** Returns the files of this project that a test imports by itself. */
function importsOf(path) {
  const specifiers = [
    ...readFileSync(path, 'utf8').matchAll(/\b(?:from|import|import\() ?'(\.{1,2}\/[^']+)'/g),
  ];
  return specifiers.flatMap(([, specifier]) => {
    const file = join(dirname(path), specifier);
    return [file, file.replace(/\.js$/, '.ts')].filter(existsSync);
  });
}
