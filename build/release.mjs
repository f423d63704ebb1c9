/**
 * `npm run release`: checks whether this commit can be published and shows the files of the package. Sends nothing.
 * `npm run release -- --publish` also publishes the package with provenance. It works only in CI, and only if
 * PETSTORE_RELEASE confirms name and version. The script works on the project in the current directory.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { publish: isPublishing, help: needsHelp } = readFlags();
if (needsHelp) {
  console.log('npm run release                 checks whether this commit can be published');
  console.log('npm run release -- --publish    also publishes the package, only in CI');
  process.exit();
}
const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
const release = `${name}@${version}`;

const problems = [nameProblem(), ...treeProblems(), changelogProblem(), confirmationProblem()].filter(
  Boolean,
);
// The other checks take a second, the tests minutes. The tests also build the package. All of them, as in `.ci/run`.
process.env.PETSTORE_TEST_FULL = '1';
if (problems.length === 0 && !succeeds('npm', 'test')) problems.push(['npm test failed', 'Fix the tests.']);
showFiles();

for (const [error, hint] of problems) console.error(`error: ${error}\nhint: ${hint}`);
if (problems.length > 0) process.exitCode = 1;
else if (isPublishing) publish();
else console.log(`${release} can be published. Nothing was sent.`);

function readFlags() {
  try {
    return parseArgs({ options: { publish: { type: 'boolean' }, help: { type: 'boolean' } } }).values;
  } catch (error) {
    console.error(`error: ${error.message}\nhint: The only flag is --publish.`);
    return process.exit(2);
  }
}

function showFiles() {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'];
  const [{ files, size }] = JSON.parse(execFileSync('npm', args, { encoding: 'utf8' }));
  for (const { path, size: bytes } of files) console.log(`${String(bytes).padStart(9)} ${path}`);
  console.log(`${files.length} files, ${Math.ceil(size / 1024)} kB packed\n`);
}

/** The name `petstore` of the public registry belongs to somebody else. A scope has one owner. */
function nameProblem() {
  if (/^@[^/]+\/[^/]+$/.test(name)) return undefined;
  return [
    `The package name ${name} has no scope, and belongs to another package in the public registry`,
    'Set "name" in package.json to a name in a scope that you own, such as @owner/petstore.',
  ];
}

function treeProblems() {
  const changed = git('status', '--porcelain');
  const tagged =
    git('tag', '--list', `v${version}`) === '' ? undefined : git('rev-list', '-1', `v${version}`);
  return [
    changed === '' ? undefined : [`The work tree has changes:\n${changed}`, 'Commit them, or remove them.'],
    tagged === undefined || tagged === git('rev-parse', 'HEAD')
      ? undefined
      : [`The tag v${version} names another commit`, 'Increase "version" in package.json.'],
  ];
}

function changelogProblem() {
  const headings = [...readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## \[(.+?)\](.*)$/gm)];
  const [, newest, date] = headings.find(([, heading]) => heading !== 'Unreleased') ?? [];
  if (newest === version && /^ - \d{4}-\d{2}-\d{2}$/.test(date)) return undefined;
  return [
    `The newest release in CHANGELOG.md must be ${version}, with a date`,
    `Move the changes from "Unreleased" to a heading like "## [${version}] - YYYY-MM-DD".`,
  ];
}

function confirmationProblem() {
  if (!isPublishing) return undefined;
  if (!process.env.CI) return ['Packages are published only in CI', 'Run it in a CI job.'];
  if (process.env.PETSTORE_RELEASE === release) return undefined;
  return ['The release is not confirmed', `Set PETSTORE_RELEASE=${release} in the job.`];
}

function publish() {
  const tag = version.includes('-') ? 'next' : 'latest';
  const isPublished = succeeds('npm', 'publish', '--provenance', '--access', 'public', '--tag', tag);
  if (isPublished) console.log(`${release} is published.`);
  else process.exitCode = 1;
}

function succeeds(command, ...args) {
  return spawnSync(command, args, { stdio: 'inherit' }).status === 0;
}

function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8' }).trimEnd();
}
