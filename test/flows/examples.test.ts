import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TOPICS } from '../../src/cli/command-line/command-table.js';
import { readCommandTree } from '../../src/cli/program/read-command-tree.js';
import { createMock, type MockServer } from '../../src/mock/index.js';
import { runFake } from '../support/fake-context.js';
import { codeBlocksOf, type Page, readPages } from '../support/pages.js';
import { parseLine } from '../support/parse-line.js';
import { IS_FULL } from '../support/random-runs.js';
import { runResident } from '../support/resident-cli.js';
import type { Finished } from '../support/run-cli.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const KEY = 'sk-example-secret';
/** Replaced by the folder of each test. */
const HOME = '/home-of-the-examples';
/** docs/commands.md has usage lines, and the examples of the help. */
const PAGES = readPages().filter(({ path }) => path !== 'docs/commands.md');

/** An example line, and the page that shows it. */
interface Example {
  line: string;
  page: string;
}

/** Placeholders and their values. */
const PLACEHOLDERS: readonly (readonly [RegExp, string])[] = [
  [/https:\/\/HOST/g, 'https://pets.test'],
  [/\bCOMMAND\b/g, 'pets list'],
  [/\bDOMAIN\b/g, 'shop.example.com'],
  [/\bFILE\b/g, 'pets.csv'],
  [/\bID\b/g, '7'],
  [/\bverify NAME\b/g, 'verify shop.example.test'],
  [/\bPATH\b/g, '/pets'],
  [/\bSHELL\b/g, 'bash'],
  [/\bTOPIC\b/g, 'config'],
];

/** Lines that are parsed but not run, with the reason. */
const NOT_RUN: readonly (readonly [line: RegExp, reason: string])[] = [
  [/HOST/, 'a service of the reader'],
  [/^petstore domain (?!.*(?:--mock|127\.0\.0\.1:))/, 'queries name servers on the Internet'],
  [/:5353/, 'queries a mock that the reader has started'],
  [/^petstore mock\b/, 'runs until it is stopped: test/flows/mock.test.ts'],
  [/--watch/, 'runs until it is stopped: test/flows/watch.test.ts'],
  [/^petstore auth (?:login|logout)/, 'may use the keychain: test/flows/auth.test.ts'],
  [/^petstore (?:auth switch|auth delete staging|pets create)$/, 'prompts: test/flows/terminal.test.ts'],
];

/** Lines with another exit code than 0, with the reason. */
const OTHER_CODES: readonly (readonly [line: RegExp, exitCode: number])[] = [
  // The mock has no such pet.
  [/get 9223372036854775807/, 4],
  // There is no earlier import to resume.
  [/pets import .*--resume/, 2],
  // They show a problem.
  [/verify (?:missing|blocked)\./, 1],
  [/cert cert-expired\.|redirects redirect-loop\./, 1],
];

const tree = await readCommandTree();
const examples = await collect();
const run = [...new Set(examples.map(({ line }) => line))].filter(
  (line) => !NOT_RUN.some(([pattern]) => pattern.test(line)),
);

/** The words of the command of a line. */
function commandOf(line: string): string | undefined {
  const text = line.replace(/^petstore (?:--mock )?/, '');
  const names = tree.commands.map(({ words }) => words.join(' '));
  return names.filter((name) => `${text} `.startsWith(`${name} `)).sort((a, b) => b.length - a.length)[0];
}

function isFirstOfItsCommand(line: string): boolean {
  return line === run.find((each) => commandOf(each) === commandOf(line));
}

test('every page has examples', () => {
  const pages = new Set(examples.map(({ page }) => page));
  const expected = [...tree.commands.map(({ words }) => `${words.join(' ')} --help`), 'README.md', '--help'];
  expect(expected.filter((page) => !pages.has(page))).toEqual([]);
  expect(run.length).toBeGreaterThan(examples.length / 2);
});

test('every exception is used', () => {
  const matches = ([pattern]: readonly [RegExp, unknown]): boolean =>
    examples.some(({ line }) => pattern.test(line));
  expect([...NOT_RUN, ...OTHER_CODES].filter((exception) => !matches(exception))).toEqual([]);
});

describe('can be parsed', () => {
  test.each(examples.map(({ line, page }) => [line, page] as const))('%s (%s)', async (line) => {
    const [, ...argv] = shellWords(filled(line));
    const parsed = await parseLine(argv).catch((error: unknown) => String(error));
    // `help pets list` only prints help.
    if (typeof parsed === 'string') expect(parsed).toMatch(/Usage: petstore|: --version$/m);
  });
});

describe('run (the first of each command; all with PETSTORE_TEST_FULL=1)', () => {
  let server: MockServer;
  let argsByLine: Map<string, string[]> | undefined;

  beforeAll(async () => {
    server = await createMock({ keys: [KEY], plan: 'unlimited', pets: 60 }).listen();
  });
  afterAll(() => server.close());

  /** Runs the command in a folder with the files that examples use. */
  function inFolder(args: readonly string[]): Promise<Finished> {
    const profiles = {
      shop: { baseUrl: server.baseUrl, keyIn: 'file' },
      staging: { baseUrl: server.baseUrl, keyIn: 'file' },
    };
    const rows = 'name,categoryId\nRex,7\nMia,2\n';
    const folder = temporaryFolder({
      'config/config.json': { profile: 'shop', profiles },
      'config/keys/shop.key': KEY,
      'config/keys/staging.key': KEY,
      'pet.json': { name: 'Rex', categoryId: 7 },
      'rex.json': { name: 'Rex', categoryId: 7 },
      'pets.csv': rows,
      'delivery.csv': rows,
      'delivery.rejected.csv': rows,
    });
    for (const path of ['config', 'config/keys']) chmodSync(join(folder, path), 0o700);
    for (const file of ['config/config.json', 'config/keys/shop.key', 'config/keys/staging.key'])
      chmodSync(join(folder, file), 0o600);
    return runResident(
      args.map((word) => word.replace(HOME, folder)),
      {
        cwd: folder,
        env: {
          HOME: folder,
          SHELL: '/bin/bash',
          PETSTORE_GATE: 'file',
          PETSTORE_CONFIG_DIR: join(folder, 'config'),
          PETSTORE_STATE_DIR: join(folder, 'state'),
          // `auth key` prints the stored key of its profile.
          ...(args[0] === 'auth' ? {} : { PETSTORE_API_KEY: KEY }),
        },
        input: '{"name":"Mia","categoryId":2}\n',
      },
    );
  }

  test.skipIf(process.platform === 'win32').each(IS_FULL ? run : run.filter(isFirstOfItsCommand))(
    '%s',
    async (line) => {
      const expected = OTHER_CODES.find(([pattern]) => pattern.test(line))?.[1] ?? 0;
      argsByLine ??= splitByShell(run);
      const { exitCode, stdout, stderr } = await inFolder(argsByLine.get(line)!);
      expect({ exitCode, stderr }).toMatchObject({ exitCode: expected });
      if (!line.startsWith('petstore auth key')) expect(stdout + stderr).not.toContain(KEY);
      expect(stderr).not.toMatch(/^ {4}at /m);
    },
  );
});

/** Every example line of the pages, the help and the topics, once. */
async function collect(): Promise<Example[]> {
  const found = [
    ...tree.commands.flatMap(({ words, examples: lines }) =>
      lines.map((line) => ({ line, page: `${words.join(' ')} --help` })),
    ),
    ...linesOf((await runFake('--help')).stdout, '--help'),
    ...PAGES.flatMap((page) => [...fencedLinesOf(page), ...inlineLinesOf(page)]),
  ];
  for (const topic of Object.keys(TOPICS)) {
    const { stdout } = await runFake(`help ${topic}`);
    // Sentences can start with the name too; commands are indented.
    const indented = stdout.replaceAll(/ \\\n +/g, ' ').replaceAll(/^petstore .*$/gm, '');
    found.push(...linesOf(indented, `help ${topic}`));
  }
  const seen = new Set<string>();
  return found.filter(({ line, page }) => {
    const key = page.startsWith('help ') ? line : `${page} ${line}`;
    return !seen.has(key) && seen.add(key);
  });
}

function linesOf(text: string, page: string): Example[] {
  return [...text.matchAll(/^(?: {2,}|\$ |)(petstore .*)$/gm)].map(([, line = '']) => ({
    line: line.replace(/\s+#\s.*$/, '').replace(/\s*[|>].*$/, ''),
    page,
  }));
}

/** Reads the lines of code blocks, such as `npm ci && … && npx petstore …` and `eval "$(petstore …)"`. */
function fencedLinesOf(page: Page): Example[] {
  const blocks = codeBlocksOf(page).filter(({ language }) => language === 'sh' || language === 'console');
  const text = blocks
    .map(({ code }) => code)
    .join('')
    .replaceAll(/^.*&& npx (?=petstore )/gm, '')
    .replaceAll(/^eval "\$\((petstore [^)]*)\)".*$/gm, '$1');
  return linesOf(text, page.path);
}

/** Reads commands in sentences, such as `petstore limits`. */
function inlineLinesOf({ path, text }: Page): Example[] {
  return [...text.matchAll(/`(petstore [^`…]+)`/g)].map(([, line = '']) => ({
    line: line.replace(/\s+/g, ' '),
    page: path,
  }));
}

function filled(line: string): string {
  return PLACEHOLDERS.reduce((text, [placeholder, value]) => text.replaceAll(placeholder, value), line);
}

/** Lets one shell split all lines; a function prints the words that the command would get. */
function splitByShell(lines: readonly string[]): Map<string, string[]> {
  const script = `petstore() { printf '%s\\0' "$@"; printf '\\n\\0'; }\n${lines.map(filled).join('\n')}`;
  const cwd = temporaryFolder();
  const { stdout, stderr } = spawnSync('sh', ['-c', script], { cwd, env: { HOME }, encoding: 'utf8' });
  expect(stderr).toBe('');
  const words = stdout.split('\n\0').map((line) => line.split('\0').slice(0, -1));
  // A redirected line would shift the words of the next ones.
  expect(words).toHaveLength(lines.length + 1);
  return new Map(lines.map((line, index) => [line, words[index]!]));
}

/** Splits a line like a shell, with blanks and both quotes. */
function shellWords(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'),
  );
}
