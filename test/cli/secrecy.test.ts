import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { runLine } from '../../src/cli/program/run-line.js';
import { COMMAND_LINES } from '../support/command-lines.js';
import { fakeContext, type Scripted, type World } from '../support/fake-context.js';
import { shellWords } from '../support/parse-line.js';
import { IS_FULL } from '../support/random-runs.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Long and unusual enough that no other output contains it by chance. */
const KEY = 'sk-Sweep+Secret/0123456789==';
const BASE_URL = 'https://pets.test/v1';

/** The only command that prints the key: see the last test. */
const KEY_COMMAND = 'auth key';

/** Command lines with the key in a wrong argument. */
const MISPLACED: readonly string[] = [
  `api /pets/${KEY} -v`,
  `api /pets -X GET -f key=${KEY} -v`,
  `api /pets -f key=${KEY} -v`,
  `api /pets -f key=${KEY} --dry-run`,
  `api /pets/${KEY} --curl`,
  `api /pets -X GET -f key=${KEY} --dry-run --json`,
  `api ${KEY} /pets`,
  `pets list --profile ${KEY}`,
  `pets list --status ${KEY}`,
  `pets list --base-url https://pets.test/${KEY}/v1 -v`,
  `pets list --base-url https://${KEY}@pets.test/v1`,
  `pets list ${KEY}`,
  `pets list --${KEY}`,
  `pets import ${KEY}`,
  `config set output ${KEY}`,
  `auth switch ${KEY}`,
  `help ${KEY}`,
  `doctor --base-url https://pets.test/${KEY}/v1`,
  `doctor --base-url https://pets.test/${KEY}/v1 --json`,
  `doctor --base-url https://pets.test/${KEY}/v1 -o yaml --offline`,
  `doctor --profile ${KEY} -o csv`,
  KEY,
];

/** Command lines with a stored key in a wrong argument. */
const MISPLACED_STORED: readonly string[] = [
  `api /pets/${KEY} -v`,
  `pets list --base-url https://pets.test/${KEY}/v1 -v`,
  `doctor --base-url https://pets.test/${KEY}/v1`,
  `doctor --base-url https://pets.test/${KEY}/v1 --json`,
  `auth login --with-key --base-url https://pets.test/${KEY}/v1`,
  `pets list --status ${KEY}`,
  `pets ${KEY}`,
  `pets list --colour-${KEY}`,
  KEY,
];

/** Project files that contain the key, by mistake or on purpose. */
const PROJECT_FILES: readonly string[] = [
  JSON.stringify({ apiKey: KEY }),
  JSON.stringify({ [KEY]: 1 }),
  JSON.stringify({ profile: KEY }),
  JSON.stringify({ baseUrl: KEY }),
  JSON.stringify({ baseUrl: `https://pets.test/${KEY}` }),
  JSON.stringify({ target: KEY, domains: [KEY] }),
  JSON.stringify({ redirects: [{ from: KEY, to: KEY, status: 301 }] }),
  `{"target": "${KEY}" ${KEY}`,
];

const FLAGS = ['-v', '-v --json'];
/** Flags with which nothing is sent. */
const FLAGS_WITHOUT_REQUEST = ['--curl', '--dry-run --json', '-v --base-url nonsense'];

/** Headers of a service that repeats the key. */
const ECHO = {
  headers: {
    'x-echo': `Bearer ${KEY}`,
    'x-request-id': KEY,
    'retry-after': KEY,
    'set-cookie': `key=${KEY}`,
    link: `<https://pets.test/${KEY}>`,
    deprecation: KEY,
    sunset: KEY,
    server: KEY,
    'x-ratelimit-limit': KEY,
    'x-ratelimit-remaining': KEY,
    'x-ratelimit-reset': KEY,
  },
};
/** Responses that repeat the key everywhere except in the requested data. */
const RESPONSES: Readonly<Record<string, Scripted>> = {
  success: { ...ECHO, body: '[{"id":7,"name":"Rex","categoryId":7}]' },
  'one pet': { ...ECHO, status: 201, body: '{"id":7,"name":"Rex","categoryId":7}' },
  refusal: { ...ECHO, status: 401, body: JSON.stringify({ code: KEY, message: `no: ${KEY}`, status: 401 }) },
  'a server error': { ...ECHO, status: 500, body: JSON.stringify({ code: KEY, message: KEY, status: 500 }) },
  'a limit': { ...ECHO, status: 429, body: JSON.stringify({ code: KEY, message: KEY, status: 429 }) },
  'a redirect': {
    headers: { ...ECHO.headers, location: `https://other.test/${KEY}` },
    status: 302,
    body: KEY,
  },
  'not JSON': { ...ECHO, body: `<p>${KEY}</p>` },
  'truncated JSON': { ...ECHO, body: `[{"id":7,"name":"${KEY}` },
  'another shape': { ...ECHO, body: JSON.stringify([{ id: KEY, name: 7, [KEY]: KEY }]) },
  'another type': { headers: { ...ECHO.headers, 'content-type': KEY }, body: KEY },
  'a connection that breaks': Object.assign(new Error(`lost ${KEY}`), { code: 'ECONNRESET', key: KEY }),
};

interface Setup {
  world: World;
  folder: string;
}

function setUp(keyIn: 'environment' | 'file', response: Scripted): Setup {
  const folder = temporaryFolder();
  const config = join(folder, 'config');
  mkdirSync(join(config, 'keys'), { recursive: true, mode: 0o700 });
  const profiles = { shop: { baseUrl: BASE_URL, ...(keyIn === 'file' ? { keyIn } : {}) } };
  writeFileSync(join(config, 'config.json'), JSON.stringify({ profile: 'shop', profiles }), { mode: 0o600 });
  writeFileSync(join(folder, 'pets.csv'), 'name,categoryId\nRex,7\n');
  if (keyIn === 'file') writeFileSync(join(config, 'keys/shop.key'), `${KEY}\n`, { mode: 0o600 });
  const env = {
    PETSTORE_CONFIG_DIR: config,
    PETSTORE_STATE_DIR: join(folder, 'state'),
    PETSTORE_GATE: 'file',
    PETSTORE_DEBUG: '1',
    PETSTORE_ANNOTATIONS: 'github',
    ...(keyIn === 'environment' ? { PETSTORE_API_KEY: KEY } : {}),
  };
  return { folder, world: { env, responses: [response], stdin: `${KEY}\n`, currentDirectory: folder } };
}

/** Returns all that a command leaves behind: its output, its files, and its network settings. */
async function traces(line: string, { world, folder }: Setup): Promise<string> {
  const fake = fakeContext(world);
  const shown: unknown[] = [];
  const { network } = fake.context;
  const context = {
    ...fake.context,
    network: (settings?: Parameters<typeof network>[0]) => (shown.push(settings), network(settings)),
  };
  await runLine(shellWords(line), context);
  return [fake.stdout(), fake.stderr(), inspect(shown, { depth: 9 }), ...filesIn(folder)].join('\n');
}

/** The key as it is, in a URL, in base64, and its two halves, because only one might be redacted. */
const FORMS = [KEY, encodeURIComponent(KEY), btoa(KEY), KEY.slice(0, 14), KEY.slice(-14)];

function expectNoKey(left: string, description: string): void {
  if (FORMS.some((form) => left.includes(form))) expect.fail(`${description}: ${left}`);
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.key'))
    .map((entry) => `${entry.name}\n${readFileSync(join(entry.parentPath, entry.name), 'utf8')}`);
}

const lines = Object.entries(COMMAND_LINES).filter(([command]) => command !== KEY_COMMAND);

describe.each(['environment', 'file'] as const)(
  'a key from the %s (all responses with PETSTORE_TEST_FULL=1) is neither printed nor left in other files by',
  (keyIn) => {
    test.each(lines)('%s %s', async (command, words) => {
      for (const [flags, name] of casesOf(command, keyIn)) {
        const line = `${command} ${words} ${flags}`;
        const left = await traces(line, setUp(keyIn, RESPONSES[name]!));
        expectNoKey(left, `${line}, ${name}`);
      }
    });
  },
);

/**
 * The flags and the responses to run a command with: half of them, half of these with a key from the environment, the
 * others with a key from a file. The next command has the other half. With `PETSTORE_TEST_FULL=1` each response comes with
 * both keys.
 */
function casesOf(
  command: string,
  keyIn: 'environment' | 'file',
): (readonly [flags: string, response: string])[] {
  // Domain commands send no request to the service.
  if (command.startsWith('domain ')) return [['-v --mock', 'success']];
  // `api` prints any JSON, so the key in it is requested data.
  const names = Object.keys(RESPONSES).filter((name) => command !== 'api' || name !== 'another shape');
  const keyIndex = keyIn === 'file' ? 1 : 0;
  const cases = [
    ...names.map((name, index) => {
      const flags = FLAGS[(Math.floor(index / 2) + keyIndex) % FLAGS.length]!;
      // --no-retry: without it the command waits for the limit.
      return [name === 'a limit' ? `${flags} --no-retry` : flags, name] as const;
    }),
    ...FLAGS_WITHOUT_REQUEST.map((flags) => [flags, 'success'] as const),
  ];
  const place = (2 * keyIndex + lines.findIndex(([name]) => name === command)) % 4;
  return IS_FULL ? cases : cases.filter((_, index) => index % 4 === place);
}

describe('a misplaced key is not repeated', () => {
  test.each(MISPLACED)('petstore %s', async (line) => {
    for (const name of ['one pet', 'refusal'] as const) {
      const left = await traces(line, setUp('environment', RESPONSES[name]!));
      expectNoKey(left, name);
    }
  });

  test.each(MISPLACED_STORED)('petstore %s, with a stored key', async (line) => {
    const left = await traces(line, setUp('file', RESPONSES.refusal!));
    expectNoKey(left, line);
  });

  test.each(PROJECT_FILES)('petstore.config.json: %s', async (content) => {
    for (const line of ['pets list', 'domain verify', 'domain redirects', 'doctor', 'doctor --json']) {
      const { world, folder } = setUp('environment', RESPONSES.refusal!);
      const project = join(folder, 'project');
      mkdirSync(project);
      writeFileSync(join(project, 'petstore.config.json'), content);
      const fake = fakeContext({ ...world, currentDirectory: project });
      await runLine(shellWords(line), fake.context);
      const left = fake.stdout() + fake.stderr();
      expectNoKey(left, line);
    }
  });
});

test('auth key shows the key on stdout only', async () => {
  const { world } = setUp('file', RESPONSES.success!);
  const fake = fakeContext(world);
  expect(await runLine(['auth', 'key', '-v'], fake.context)).toBe(0);
  expect(fake.stdout()).toBe(`${KEY}\n`);
  expect(fake.stderr()).not.toContain(KEY);
});
