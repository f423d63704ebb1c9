import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { readCommandTree } from '../../src/cli/read-command-tree.js';
import { run } from '../../src/cli/program.js';
import { fakeContext, type Scripted, type World } from '../support/fake-context.js';
import { shellWords } from '../support/parse-line.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Of a form that no hash, escape or cut could make by chance. */
const KEY = 'sk-Sweep+Secret/0123456789==';
const BASE_URL = 'https://pets.test/v1';

/** A line for each command; one that is missing here fails the test below. */
const LINES: Readonly<Record<string, string>> = {
  'pets list': '',
  'pets get': '7',
  'pets create': '--name Rex --category-id 7',
  'pets import': 'pets.csv --resume',
  'pets export': '--out all.json',
  'domain records': 'missing.example.test --mock',
  'domain verify': 'missing.example.test --mock',
  'domain cert': 'missing.example.test --mock',
  'domain redirects': '--mock',
  'auth login': '--with-key',
  'auth status': '',
  'auth logout': '',
  'auth list': '',
  'auth switch': 'shop',
  'config get': 'baseUrl --show-origin',
  'config set': 'output json',
  'config unset': 'output',
  'config list': '--show-origin',
  'config path': '',
  limits: '',
  api: '/pets -i',
  // One that serves would not end by itself.
  mock: '--port none',
  doctor: '',
  completion: 'bash',
  commands: '',
  help: 'environment',
  version: '',
};
/** Shows the key, and is there for nothing else: see the last test. */
const SHOWS_THE_KEY = ['auth key'];

const FLAGS = ['-v', '-v --json', '--curl', '--dry-run --json', '-v --base-url nonsense'];

/** What a service does at its worst: it says the key back, in every place that there is. */
const ECHO = { headers: { 'x-echo': `Bearer ${KEY}`, 'x-request-id': KEY, 'retry-after': KEY } };
const ANSWERS: Readonly<Record<string, Scripted>> = {
  success: { ...ECHO, body: '[{"id":7,"name":"Rex","categoryId":7}]' },
  'one animal': { ...ECHO, status: 201, body: '{"id":7,"name":"Rex","categoryId":7}' },
  refusal: { ...ECHO, status: 401, body: JSON.stringify({ code: KEY, message: `no: ${KEY}`, status: 401 }) },
  'a fault': { ...ECHO, status: 500, body: JSON.stringify({ code: KEY, message: KEY, status: 500 }) },
  'what is no JSON': { ...ECHO, body: `<p>${KEY}</p>` },
  'a connection that breaks': Object.assign(new Error(`lost ${KEY}`), { code: 'ECONNRESET', key: KEY }),
};

interface Setup {
  world: World;
  folder: string;
}

function setUp(keyIn: 'environment' | 'file', answer: Scripted): Setup {
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
  return { folder, world: { env, answers: [answer], stdin: `${KEY}\n`, currentDirectory: folder } };
}

/** Everything that a run left: what it said, its files, and what could be printed of its context. */
async function traces(line: string, { world, folder }: Setup): Promise<string> {
  const fake = fakeContext(world);
  const shown: unknown[] = [];
  const { network } = fake.context;
  // A request holds the key, for it has to be sent; a file or an output does not.
  const context = {
    ...fake.context,
    network: (way?: Parameters<typeof network>[0]) => (shown.push(way), network(way)),
  };
  await run(shellWords(line), context);
  return [fake.stdout(), fake.stderr(), inspect(shown, { depth: 9 }), ...filesIn(folder)].join('\n');
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.key'))
    .map((entry) => `${entry.name}\n${readFileSync(join(entry.parentPath, entry.name), 'utf8')}`);
}

const tree = await readCommandTree();
const commands = tree.commands.filter(({ isGroup }) => !isGroup).map(({ words }) => words.join(' '));

test('the sweep leaves out no command', () => {
  expect([...Object.keys(LINES), ...SHOWS_THE_KEY].sort()).toEqual([...commands].sort());
});

describe.each(['environment', 'file'] as const)('a key in the %s is nowhere in what is left of', (keyIn) => {
  test.each(Object.entries(LINES))('%s %s', async (command, words) => {
    const isOfDomains = command.startsWith('domain ');
    const answers = isOfDomains ? { success: ANSWERS.success! } : ANSWERS;
    for (const [name, answer] of Object.entries(answers)) {
      for (const flags of isOfDomains ? ['-v'] : FLAGS) {
        const line = `${command} ${words} ${flags}`;
        const left = await traces(line, setUp(keyIn, answer));
        for (const form of [KEY, encodeURIComponent(KEY), btoa(KEY), KEY.slice(0, 14), KEY.slice(-14)])
          expect(left.includes(form), `${line}, ${name}: ${left}`).toBe(false);
      }
    }
  });
});

test('auth key shows it on stdout, and nowhere else', async () => {
  const { world } = setUp('file', ANSWERS.success!);
  const fake = fakeContext(world);
  expect(await run(['auth', 'key', '-v'], fake.context)).toBe(0);
  expect(fake.stdout()).toBe(`${KEY}\n`);
  expect(fake.stderr()).not.toContain(KEY);
});
