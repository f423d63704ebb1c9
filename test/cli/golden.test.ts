import { mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { VERSION } from '../../src/version.js';
import { runFake, type Scripted } from '../support/fake-context.js';
import { shellWords } from '../support/parse-line.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const RATE = {
  date: new Date(NOW).toUTCString(),
  'x-ratelimit-limit': '60',
  'x-ratelimit-remaining': '57',
  'x-ratelimit-reset': String(NOW / 1_000 + 40),
};
const PETS = [
  { id: 1, name: 'Rex', categoryId: 7, status: 'available' },
  { id: 22, name: '猫の名前', categoryId: 1, status: 'pending' },
  {
    id: 9_007_199_254_740_991,
    name: 'a name so long that a terminal of eighty columns has no room for it all',
    categoryId: 12,
  },
];
const list: Scripted = { headers: RATE, body: JSON.stringify(PETS) };
const one: Scripted = { headers: RATE, status: 201, body: JSON.stringify(PETS[0]) };
const refused: Scripted = {
  status: 401,
  body: '{"code":"unauthorized","message":"unknown key","status":401}',
};

/** What is pinned, each in a file of its name: at a terminal of 80 columns, and in a pipe. */
const PAGES: Readonly<Record<string, readonly [line: string, answer?: Scripted]>> = {
  'pets-list': ['pets list', list],
  'pets-list-empty': ['pets list', { body: '[]' }],
  'pets-list-refused': ['pets list', refused],
  'pets-list-json': ['pets list --json id,name', list],
  'pets-get': ['pets get 1 --via get', one],
  'pets-create': ['pets create --name Rex --category-id 7', one],
  'pets-create-dry-run': ['pets create --name Rex --category-id 7 --dry-run', one],
  'pets-create-curl': ['pets create --name Rex --category-id 7 --curl', one],
  limits: ['limits', list],
  api: ['api /pets -i', one],
  'auth-status': ['auth status', list],
  'auth-list': ['auth list'],
  'config-list': ['config list --show-origin'],
  doctor: ['doctor', list],
  'doctor-refused': ['doctor --base-url https://other.test/v1', refused],
  commands: ['commands'],
  'domain-verify': ['domain verify missing.example.test --mock'],
  'domain-records': ['domain records missing.example.test --mock'],
  'mistyped-command': ['pets lits'],
  'mistyped-flag': ['pets list --statos sold'],
  'mistyped-value': ['pets list --status solt'],
  help: ['help'],
  'help-exit-codes': ['help exit-codes'],
  'help-pets-list': ['pets list --help'],
};

beforeAll(() => {
  // Limits are told by the clock on the wall.
  process.env.TZ = 'UTC';
});

const started = process.cwd();
afterEach(() => {
  process.chdir(started);
});

// After a change on purpose: npx vitest run test/cli/golden.test.ts --update
test.each(Object.entries(PAGES))('%s', async (name, [line, answer = list]) => {
  // Paths below it are shown as short as they are, so that no line is as long as the machine's own names.
  const home = temporaryFolder();
  process.chdir(home);
  const text = [
    await shown(line, answer, home, ['stdin', 'stdout', 'stderr']),
    await shown(line, answer, home, []),
  ].join('\n');
  await expect(text).toMatchFileSnapshot(`golden/${name}.txt`);
});

async function shown(
  line: string,
  answer: Scripted,
  home: string,
  terminals: readonly ('stdin' | 'stdout' | 'stderr')[],
): Promise<string> {
  mkdirSync('config/keys', { recursive: true, mode: 0o700 });
  const profiles = {
    shop: { baseUrl: 'https://pets.test/v1', keyIn: 'file' },
    staging: { baseUrl: 'https://staging.pets.test/v1' },
  };
  writeFileSync('config/config.json', JSON.stringify({ profile: 'shop', profiles }), { mode: 0o600 });
  writeFileSync('config/keys/shop.key', 'sk-secret\n', { mode: 0o600 });
  const { exitCode, stdout, stderr } = await runFake(shellWords(line), {
    env: {
      // In a pipe there is no colour anyway, and none may appear here.
      ...(terminals.length === 0 ? {} : { NO_COLOR: '1' }),
      PETSTORE_CONFIG_DIR: 'config',
      PETSTORE_STATE_DIR: 'state',
      PETSTORE_GATE: 'memory',
    },
    answers: [answer],
    columns: 80,
    currentDirectory: home,
    now: NOW,
    terminals,
  });
  const where = terminals.length === 0 ? ' | cat' : '';
  const parts = [`$ petstore ${line}${where}`, stdout, `--- stderr, exit code ${String(exitCode)}`, stderr];
  // The mock's name servers take any port that is free.
  return parts
    .join('\n')
    .replaceAll(VERSION, 'X.Y.Z')
    .replaceAll(/ -p \d+/g, ' -p PORT');
}
