import { execFile } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { codeBlocksOf, readPage } from '../support/pages.js';
import { ROOT } from '../support/source-tree.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const { path, text } = readPage('CONTRIBUTING.md');
const section = /^## A first change.*?(?=^## )/ms.exec(text)?.[0] ?? '';
const NOT_COPIED = ['.git', 'coverage', 'dist', 'dist-binary', 'node_modules'].map((name) =>
  join(ROOT, name),
);
const OUTPUT_MAX = 64 * 1024 * 1024;
/** The checkout shares its packages and has no history, and the other checks are part of `npm test`. */
const LEFT_OUT = /^(?:npm ci$|npm run lint|npm run test:changed|npx vitest run test\/tidy)/;

// Takes half a minute, so only `.ci/run` asks for it.
test.skipIf(!process.env.PETSTORE_TEST_EXAMPLES)(
  'the first change of CONTRIBUTING.md works word by word (PETSTORE_TEST_EXAMPLES is set)',
  { timeout: 600_000 },
  async () => {
    const checkout = join(temporaryFolder(), 'checkout');
    cpSync(ROOT, checkout, { recursive: true, filter: (source) => !NOT_COPIED.includes(source) });
    symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
    const files = [...section.matchAll(/`((?:src|test)\/[^`\s]+\.ts)`:\n/g)].map(([, file = '']) => file);
    for (const { language, code } of codeBlocksOf({ path, text: section })) {
      if (language === 'diff') applyChange(join(checkout, files.shift()!), code);
      else for (const line of code.trimEnd().split('\n')) await runLine(checkout, line);
    }
    const golden = readFileSync(join(checkout, 'test/cli/golden/pets-list-empty.txt'), 'utf8');
    expect(golden).toContain('\nThe service lists no pets yet. ');
  },
);

function applyChange(file: string, diff: string): void {
  const [removed = '', added = ''] = ['-', '+'].map((sign) =>
    diff
      .split('\n')
      .filter((line) => line.startsWith(sign))
      .map((line) => line.slice(1))
      .join('\n'),
  );
  const source = readFileSync(file, 'utf8');
  expect(source).toContain(removed);
  writeFileSync(
    file,
    source.replace(removed, () => added),
  );
}

/** Runs a command, which must fail if its comment says so. */
async function runLine(cwd: string, line: string): Promise<void> {
  if (LEFT_OUT.test(line)) return;
  const [command = '', comment = ''] = line.split(/ +# /);
  // Not synchronous: the worker of vitest must respond meanwhile.
  const failure = await promisify(execFile)('sh', ['-c', command], { cwd, maxBuffer: OUTPUT_MAX }).then(
    () => undefined,
    ({ stdout, stderr, message }: Error & { stdout: string; stderr: string }) => message + stdout + stderr,
  );
  expect({ command, failure }).toEqual({
    command,
    failure: comment === 'fails' ? expect.any(String) : undefined,
  });
}

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
