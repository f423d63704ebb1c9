import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCommandLine } from '../../../src/cli/command-line/argv.js';
import { GLOBAL_FLAGS } from '../../../src/cli/command-line/global-flags.js';
import { type GlobalOptions, readGlobalOptions } from '../../../src/cli/command-line/global-options.js';
import { readPlainLine } from '../../../src/cli/command-line/plain-line.js';
import { PLAIN_MODULES } from '../../../src/cli/program/command-modules.js';
import { parseWithCommander } from '../../../src/cli/program/parse-with-commander.js';
import type { Bind } from '../../../src/cli/session/action.js';
import { runs } from '../../support/random-runs.js';

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
    const line = readCommandLine(argv);
    const declare = await PLAIN_MODULES[line.path[0] ?? '']?.();
    const plain = readPlainLine(line, (program) => {
      declare?.(program, (action, options) => bind(readGlobalOptions(plain?.global ?? {}))(action, options));
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

const MOCK_FLAGS = [
  ...[
    '--host',
    '--port',
    '--key',
    '--plan',
    '--pets',
    '--seed',
    '--data',
    '--fault',
    '--latency',
    '--replay',
  ],
  ...['--record', '--upstream', '--redact', '--no-ui', '--ready-file', '--dns-port', '--dns-zone', '--bogus'],
  ...['-q', '-v', '--mock', '--help', '--', '--ui'],
];
const mockFlag = fc.constantFrom(...MOCK_FLAGS);
const mockValue = fc.constantFrom(
  '',
  '7',
  'free',
  'pro',
  'flaky',
  'outage:for=5s',
  '1s',
  'faults',
  'serve',
  'a',
);
const mockWord = fc.oneof(
  mockFlag,
  mockValue,
  fc.tuple(mockFlag, mockValue).map(([name, text]) => `${name}=${text}`),
);
const mockLine = fc
  .tuple(fc.array(flag, { maxLength: 1 }), fc.array(mockWord, { maxLength: 6 }))
  .map(([before, after]) => [...before, 'mock', ...after]);

test.each([
  ['pets', line],
  ['mock', mockLine],
])('reads each line of %s as commander does', async (_group, lines) => {
  await fc.assert(
    fc.asyncProperty(lines, async (argv) => {
      const plain = await withoutCommander(argv);
      if (plain !== undefined) expect(plain).toEqual(await withCommander(argv));
    }),
    { numRuns: runs(1_000) },
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
    'mock',
    'mock serve --port 0 --ready-file mock.json --no-ui',
    'mock --key a --key b --fault flaky --fault rate-limit:seconds=5 --dns-port 0 --dns-zone a --dns-zone b',
    'mock --record trace.har --upstream https://pets.example/v1 --redact a --redact b --port 1',
    'mock faults -o json',
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
    ['an invalid value', 'mock --fault flakey'],
    ['an extra optional argument', 'mock serve now'],
  ])('%s', async (_name, text) => {
    expect(await withoutCommander(text.split(' '))).toBeUndefined();
  });
});
