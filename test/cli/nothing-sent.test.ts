import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readCommandTree } from '../../src/cli/program/read-command-tree.js';
import { COMMAND_LINES, type LineCommand } from '../support/command-lines.js';
import { runFake } from '../support/fake-context.js';
import { shellWords } from '../support/parse-line.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const BASE_URL = 'https://pets.test/v1';

/** What a command does with a flag that asks to be shown the request: show it, refuse, or what it always does. */
type Outcome = 'shows' | 'refuses' | 'sends nothing anyway';

/** What becomes of the line of each command with --dry-run and with --curl. */
const OUTCOMES: Readonly<Record<LineCommand, readonly [dryRun: Outcome, curl: Outcome]>> = {
  'pets list': ['shows', 'shows'],
  'pets get': ['shows', 'shows'],
  'pets create': ['shows', 'shows'],
  'pets import': ['sends nothing anyway', 'refuses'],
  'pets export': ['shows', 'shows'],
  'domain records': ['refuses', 'refuses'],
  'domain verify': ['refuses', 'refuses'],
  'domain cert': ['refuses', 'refuses'],
  'domain redirects': ['refuses', 'refuses'],
  'auth login': ['shows', 'shows'],
  'auth status': ['shows', 'shows'],
  'auth logout': ['refuses', 'refuses'],
  'auth key': ['sends nothing anyway', 'sends nothing anyway'],
  'auth list': ['sends nothing anyway', 'sends nothing anyway'],
  'auth switch': ['refuses', 'refuses'],
  'config get': ['sends nothing anyway', 'sends nothing anyway'],
  'config set': ['sends nothing anyway', 'refuses'],
  'config unset': ['sends nothing anyway', 'refuses'],
  'config list': ['sends nothing anyway', 'sends nothing anyway'],
  'config path': ['sends nothing anyway', 'sends nothing anyway'],
  limits: ['shows', 'shows'],
  api: ['shows', 'shows'],
  mock: ['refuses', 'refuses'],
  doctor: ['shows', 'shows'],
  completion: ['sends nothing anyway', 'sends nothing anyway'],
  commands: ['sends nothing anyway', 'sends nothing anyway'],
  help: ['sends nothing anyway', 'sends nothing anyway'],
  version: ['sends nothing anyway', 'sends nothing anyway'],
};

const tree = await readCommandTree();

test('no command is left out', () => {
  const commands = tree.commands.filter(({ isGroup }) => !isGroup).map(({ words }) => words.join(' '));
  expect(Object.keys(COMMAND_LINES).sort()).toEqual(commands.sort());
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
  ['--dry-run', 'dryRun', 0],
  ['--curl', 'curl', 1],
] as const)('%s sends nothing and changes nothing', (flag, kind, at) => {
  test.each(Object.entries(COMMAND_LINES))('petstore %s %s', async (command, words) => {
    const outcome = OUTCOMES[command as LineCommand][at];
    const folder = setUp();
    const before = filesBelow(folder);
    const { exitCode, stdout, stderr, requests } = await runFake(shellWords(`${command} ${words} ${flag}`), {
      currentDirectory: folder,
      env: { PETSTORE_CONFIG_DIR: join(folder, 'config'), PETSTORE_STATE_DIR: join(folder, 'state') },
      stdin: 'sk-typed\n',
    });
    expect(requests).toEqual([]);
    expect(filesBelow(folder)).toEqual(before);
    if (outcome === 'refuses') {
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr).toContain(flag);
      return;
    }
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    if (outcome === 'shows') expect(stdout).toMatch(METHODS[kind]);
    if (outcome === 'shows') expect(stdout).not.toMatch(/sk-(?:stored|typed)/);
  });
});
