import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { COMMAND_LINES } from '../support/command-lines.js';
import { runFake } from '../support/fake-context.js';
import { shellWords } from '../support/parse-line.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const BASE_URL = 'https://pets.test/v1';

/** What a command does with --dry-run or --curl. */
type Outcome = 'shows the request' | 'rejects the flag' | 'never sends anything';

/** Without a row: shows the request of both. */
const OUTCOMES: Readonly<Record<string, readonly [dryRun: Outcome, curl: Outcome]>> = {
  'pets import': ['never sends anything', 'rejects the flag'],
  'domain records': ['rejects the flag', 'rejects the flag'],
  'domain verify': ['rejects the flag', 'rejects the flag'],
  'domain cert': ['rejects the flag', 'rejects the flag'],
  'domain redirects': ['rejects the flag', 'rejects the flag'],
  'auth logout': ['rejects the flag', 'rejects the flag'],
  'auth key': ['never sends anything', 'never sends anything'],
  'auth list': ['never sends anything', 'never sends anything'],
  'auth switch': ['rejects the flag', 'rejects the flag'],
  'auth rename': ['rejects the flag', 'rejects the flag'],
  'auth delete': ['rejects the flag', 'rejects the flag'],
  'config get': ['never sends anything', 'never sends anything'],
  'config set': ['rejects the flag', 'rejects the flag'],
  'config unset': ['rejects the flag', 'rejects the flag'],
  'config list': ['never sends anything', 'never sends anything'],
  'config path': ['never sends anything', 'never sends anything'],
  mock: ['rejects the flag', 'rejects the flag'],
  completion: ['never sends anything', 'never sends anything'],
  commands: ['never sends anything', 'never sends anything'],
  help: ['never sends anything', 'never sends anything'],
  version: ['never sends anything', 'never sends anything'],
};

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
  dryRun: /^[A-Z]+ https:\/\/pets\.test\/v1\//,
  curl: /^curl .*https:\/\/pets\.test\/v1\//,
};

describe.each([
  ['--dry-run', 'dryRun', 0],
  ['--curl', 'curl', 1],
] as const)('%s sends nothing and changes nothing', (flag, kind, at) => {
  test.each(Object.entries(COMMAND_LINES))('petstore %s %s', async (command, words) => {
    const outcome = OUTCOMES[command]?.[at] ?? 'shows the request';
    const folder = setUp();
    const before = filesBelow(folder);
    const { exitCode, stdout, stderr, requests } = await runFake(shellWords(`${command} ${words} ${flag}`), {
      currentDirectory: folder,
      env: { PETSTORE_CONFIG_DIR: join(folder, 'config'), PETSTORE_STATE_DIR: join(folder, 'state') },
      stdin: 'sk-typed\n',
    });
    expect(requests).toEqual([]);
    expect(filesBelow(folder)).toEqual(before);
    if (outcome === 'rejects the flag') {
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr).toMatch(
        /has no request to show|shows API requests|petstore pets import does not support/,
      );
      expect(stderr).toContain(flag);
      return;
    }
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    if (outcome === 'shows the request') expect(stdout).toMatch(METHODS[kind]);
    if (outcome === 'shows the request') expect(stdout).not.toMatch(/sk-(?:stored|typed)/);
  });
});
