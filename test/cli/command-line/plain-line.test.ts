import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCommandLine } from '../../../src/cli/command-line/argv.js';
import { GLOBAL_FLAGS } from '../../../src/cli/command-line/global-flags.js';
import { type GlobalOptions, readGlobalOptions } from '../../../src/cli/command-line/global-options.js';
import { readPlainLine } from '../../../src/cli/command-line/plain-line.js';
import { registerPets } from '../../../src/cli/commands/pets/register.js';
import { parseWithCommander } from '../../../src/cli/program/parse-with-commander.js';
import type { Bind } from '../../../src/cli/session/action.js';

/** The action, its options and the global options of a line, or its error. */
type Reading = { action: unknown; options: unknown; global: unknown } | { error: unknown };

async function readWith(
  read: (bind: (global: GlobalOptions) => Bind) => Promise<string | undefined>,
): Promise<Reading | string | undefined> {
  let found: Reading | undefined;
  try {
    const help = await read((global) => (action, options) => {
      found = { action, options, global };
      return Promise.resolve();
    });
    return help ?? found;
  } catch (error) {
    return { error };
  }
}

const withCommander = (argv: string[]): Promise<unknown> =>
  readWith((bind) => parseWithCommander(readCommandLine(argv), 80, bind));

/** `undefined` if the line is not plain. */
const withoutCommander = (argv: string[]): Promise<unknown> =>
  readWith(async (bind) => {
    const plain = readPlainLine(readCommandLine(argv), (program) => {
      registerPets(program, (action, options) =>
        bind(readGlobalOptions(plain?.global ?? {}))(action, options),
      );
    });
    await plain?.run();
    return undefined;
  });

const FLAGS = [
  ...GLOBAL_FLAGS.flatMap(({ flags }) => flags.match(/--?[\w-]+/g) ?? []),
  ...['-s', '--status', '-L', '--limit', '--all', '--name', '--category', '-w', '--watch', '--interval'],
  ...['--via', '--category-id', '-f', '--file', '--format', '--journal', '--resume', '--out', '--bogus'],
  ...['-qv', '-yL5', '-sq', '-ojson', '-o=json', '-qs', '--help', '-h', '--version', '-V', '--', '-', '-5'],
];
const VALUES = [
  '',
  '7',
  'sold',
  'json',
  'a,b',
  'pets',
  'list',
  '1m',
  'https://shop.example/v1',
  '50',
  '-1',
  'x y',
];
const value = fc.constantFrom(...VALUES);
const flag = fc.constantFrom(...FLAGS);
const word = fc.oneof(
  flag,
  value,
  fc.tuple(flag, value).map(([name, text]) => `${name}=${text}`),
);
const verb = fc.constantFrom('list', 'get', 'create', 'import', 'export');
const line = fc
  .tuple(
    fc.array(word, { maxLength: 1 }),
    fc.array(word, { maxLength: 1 }),
    verb,
    fc.array(word, { maxLength: 5 }),
  )
  .map(([before, between, name, after]) => [...before, 'pets', ...between, name, ...after]);

test('reads each line as commander does', async () => {
  await fc.assert(
    fc.asyncProperty(line, async (argv) => {
      const plain = await withoutCommander(argv);
      if (plain !== undefined) expect(plain).toEqual(await withCommander(argv));
    }),
    { numRuns: 1_000 },
  );
});

describe('plain lines', () => {
  test.each([
    'pets list',
    'pets list -s sold --limit 5 -o json',
    '-q pets --profile shop list --json id,name',
    'pets get 7 --via=list',
    'pets create --name Rex --category-id 7 --no-input',
    'pets import pets.csv --on-unknown retry -v',
    'pets export --out pets.csv',
  ])('%s', async (text) => {
    const argv = text.split(' ');
    const plain = await withoutCommander(argv);
    expect(plain).toMatchObject({ action: expect.any(Function) });
    expect(plain).toEqual(await withCommander(argv));
  });
});

describe('lines that commander reads', () => {
  test.each([
    ['help', 'pets list --help'],
    ['an unknown flag', 'pets list --bogus'],
    ['a missing value', 'pets list --status'],
    ['a missing argument', 'pets get'],
    ['an extra argument', 'pets list now'],
    ['a flag before its command', 'pets --all list'],
    ['the end of the flags', 'pets get -- 7'],
  ])('%s', async (_name, text) => {
    expect(await withoutCommander(text.split(' '))).toBeUndefined();
  });
});
