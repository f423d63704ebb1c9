import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readCommandTree } from '../../src/cli/read-command-tree.js';
import { runFake } from '../support/fake-context.js';
import { shellWords } from '../support/parse-line.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const BASE_URL = 'https://pets.test/v1';

/** What a command does with a flag that asks to be shown the request: show it, refuse, or what it always does. */
type Outcome = 'shows' | 'refuses' | 'sends nothing anyway';

/** A line for each command, and what becomes of it with --dry-run and with --curl. */
const LINES: Readonly<Record<string, readonly [words: string, dryRun: Outcome, curl: Outcome]>> = {
  'pets list': ['--status sold', 'shows', 'shows'],
  'pets get': ['7', 'shows', 'shows'],
  'pets create': ['--name Rex --category-id 7', 'shows', 'shows'],
  'pets import': ['pets.csv', 'sends nothing anyway', 'refuses'],
  'pets export': ['--out all.json', 'shows', 'shows'],
  'domain records': ['shop.example.test --target t.example.net', 'refuses', 'refuses'],
  'domain verify': ['shop.example.test --target t.example.net', 'refuses', 'refuses'],
  'domain cert': ['shop.example.test', 'refuses', 'refuses'],
  'domain redirects': ['www.example.test', 'refuses', 'refuses'],
  'auth login': ['--with-key --base-url https://pets.test/v1', 'shows', 'shows'],
  'auth status': ['', 'shows', 'shows'],
  'auth logout': ['', 'refuses', 'refuses'],
  'auth key': ['', 'sends nothing anyway', 'sends nothing anyway'],
  'auth list': ['', 'sends nothing anyway', 'sends nothing anyway'],
  'auth switch': ['other', 'refuses', 'refuses'],
  'config get': ['baseUrl', 'sends nothing anyway', 'sends nothing anyway'],
  'config set': ['output json', 'sends nothing anyway', 'refuses'],
  'config unset': ['baseUrl', 'sends nothing anyway', 'refuses'],
  'config list': ['', 'sends nothing anyway', 'sends nothing anyway'],
  'config path': ['', 'sends nothing anyway', 'sends nothing anyway'],
  limits: ['', 'shows', 'shows'],
  api: ['DELETE /pets/7', 'shows', 'shows'],
  mock: ['--data pets.json', 'refuses', 'refuses'],
  doctor: ['', 'shows', 'shows'],
  completion: ['bash', 'sends nothing anyway', 'sends nothing anyway'],
  commands: ['', 'sends nothing anyway', 'sends nothing anyway'],
  help: ['environment', 'sends nothing anyway', 'sends nothing anyway'],
  version: ['', 'sends nothing anyway', 'sends nothing anyway'],
};

const tree = await readCommandTree();

test('no command is left out', () => {
  const commands = tree.commands.filter(({ isGroup }) => !isGroup).map(({ words }) => words.join(' '));
  expect(Object.keys(LINES).sort()).toEqual(commands.sort());
});

function filesBelow(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(files.map((path) => [path, readFileSync(path, 'utf8')]));
}

function setUp(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'config/keys'), { recursive: true, mode: 0o700 });
  const profiles = { shop: { baseUrl: BASE_URL, keyIn: 'file' }, other: { baseUrl: BASE_URL } };
  writeFileSync(join(folder, 'config/config.json'), JSON.stringify({ profile: 'shop', profiles }), {
    mode: 0o600,
  });
  writeFileSync(join(folder, 'config/keys/shop.key'), 'sk-stored\n', { mode: 0o600 });
  writeFileSync(join(folder, 'pets.csv'), 'name,categoryId\nRex,7\n');
  return folder;
}

const METHODS = {
  dryRun: /^(?:GET|POST|DELETE) https:\/\/pets\.test\/v1\//,
  curl: /^curl .*https:\/\/pets\.test\/v1\//,
};

describe.each([
  ['--dry-run', 'dryRun', 1],
  ['--curl', 'curl', 2],
] as const)('%s sends nothing and changes nothing', (flag, kind, at) => {
  test.each(Object.entries(LINES))('petstore %s', async (command, line) => {
    const folder = setUp();
    const before = filesBelow(folder);
    const { exitCode, stdout, stderr, requests } = await runFake(
      shellWords(`${command} ${line[0]} ${flag}`),
      {
        currentDirectory: folder,
        env: { PETSTORE_CONFIG_DIR: join(folder, 'config'), PETSTORE_STATE_DIR: join(folder, 'state') },
        stdin: 'sk-typed\n',
      },
    );
    expect(requests).toEqual([]);
    expect(filesBelow(folder)).toEqual(before);
    if (line[at] === 'refuses') {
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr).toContain(flag);
      return;
    }
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    if (line[at] === 'shows') expect(stdout).toMatch(METHODS[kind]);
    if (line[at] === 'shows') expect(stdout).not.toMatch(/sk-(?:stored|typed)/);
  });
});
