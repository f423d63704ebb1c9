import { mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Interruption } from '../../src/cli/system/context.js';
import { VERSION } from '../../src/version.js';
import { AUTHORITY, serveHttp, serveHttps, serveTls } from '../domain/loopback-servers.js';
import { COMMAND_LINES } from '../support/command-lines.js';
import { runFake, type Scripted, type World } from '../support/fake-context.js';
import { expectProposalsWork } from '../support/proposed-commands.js';
import { shellWords } from '../support/parse-line.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { rateLimitHeaders } from '../support/rate-limit-headers.js';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const RATE = rateLimitHeaders({ now: NOW, remaining: 57, resetInSeconds: 40 });
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
const other: Scripted = { ...one, body: JSON.stringify({ id: 2, name: 'Mia', categoryId: 99 }) };
const refused: Scripted = {
  status: 401,
  headers: { 'x-request-id': 'req-17' },
  body: '{"code":"unauthorized","message":"unknown key","status":401}',
};
const notFound: Scripted = { status: 404, body: '{"code":"not_found","message":"no such pet","status":404}' };
const rejected: Scripted = { status: 400, body: '{"code":"bad","message":"no such category","status":400}' };
const limited: Scripted = {
  status: 429,
  headers: { ...RATE, 'x-ratelimit-remaining': '0', 'retry-after': '90' },
};
const lost: Scripted = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });

/** A command line, its exit code, and the responses of the service. */
type Page = readonly [line: string, exitCode: number, ...responses: Scripted[]];

/**
 * The pages by command. Each is stored in golden/NAME.txt: the output at a terminal of 80 columns, and in a pipe. Every
 * command has a page of a success and one of a failure. A {word} is replaced by the port of a server that serve() starts.
 */
const PAGES: Readonly<Record<string, Readonly<Record<string, Page>>>> = {
  'pets list': {
    'pets-list': ['pets list', 0, list],
    'pets-list-empty': ['pets list', 0, { body: '[]' }],
    'pets-list-json': ['pets list --json id,name', 0, list],
    'pets-list-refused': ['pets list', 3, refused],
    'pets-list-refused-json': ['pets list --json', 3, refused],
    'pets-list-limited': ['pets list', 6, limited],
    'pets-list-unavailable': ['pets list --no-retry', 7, { status: 503 }],
    'pets-list-query': ['pets list --query [?', 2, list],
    'mistyped-flag': ['pets list --statos sold', 2],
    'mistyped-value': ['pets list --status solt', 2],
    'mistyped-field': ['pets list --fields nmae', 2],
    'mistyped-profile': ['pets list --profile shpo', 2],
  },
  'pets find': {
    'pets-find': ['pets find rex', 0, list],
    'pets-find-none': ['pets find zoe', 0, list],
    'pets-find-unknown': ['pets find 5', 4, list],
  },
  'pets get': {
    'pets-get': ['pets get 1 --via get', 0, one],
    'pets-get-unknown': ['pets get 5', 4, notFound],
  },
  'pets create': {
    'pets-create': ['pets create --name Rex --category 7', 0, one],
    'pets-create-dry-run': ['pets create --name Rex --category 7 --dry-run', 0, one],
    'pets-create-curl': ['pets create --name Rex --category 7 --curl', 0, one],
    'pets-create-rejected': ['pets create --name Rex --category 7', 5, rejected],
    'pets-create-lost': ['pets create --name Rex --category 7', 10, lost, list],
    'pets-create-incomplete': ['pets create --name Rex --no-input', 2],
  },
  'pets import': {
    'pets-import': ['pets import pets.csv --quiet', 0, one, other],
    'pets-import-rejected': ['pets import pets.csv --quiet', 1, one, rejected],
  },
  'pets export': {
    'pets-export': ['pets export --status sold', 0, list],
    'pets-export-refused': ['pets export --out all.csv', 3, refused],
  },
  limits: { limits: ['limits', 0, list], 'limits-refused': ['limits', 3, refused] },
  api: { api: ['api /pets -i', 0, one], 'api-refused': ['api /pets/5 -i', 4, notFound] },
  'auth login': {
    'auth-login': ['auth login --with-key --profile counter --base-url https://pets.test/v1', 0, list],
    'auth-login-refused': ['auth login --with-key', 3, refused],
  },
  'auth status': {
    'auth-status': ['auth status', 0, list],
    'auth-status-refused': ['auth status', 3, refused],
  },
  'auth logout': {
    'auth-logout': ['auth logout', 0],
    'auth-logout-unknown': ['auth logout --profile shpo', 2],
  },
  'auth key': { 'auth-key': ['auth key', 0], 'auth-key-none': ['auth key --profile staging', 3] },
  'auth list': { 'auth-list': ['auth list', 0], 'auth-list-field': ['auth list --fields nmae', 2] },
  'auth switch': {
    'auth-switch': ['auth switch staging', 0],
    'auth-switch-unknown': ['auth switch stagign', 2],
  },
  'auth rename': {
    'auth-rename': ['auth rename shop counter', 0],
    'auth-rename-taken': ['auth rename shop staging', 2],
  },
  'auth delete': {
    'auth-delete': ['auth delete staging --yes', 0],
    'auth-delete-unknown': ['auth delete stagign', 2],
  },
  'config get': { 'config-get': ['config get baseUrl', 0], 'config-get-unknown': ['config get baseUlr', 2] },
  'config set': {
    'config-set': ['config set output json', 0],
    'config-set-wrong': ['config set output jsno', 2],
  },
  'config unset': {
    'config-unset': ['config unset stagingUrl', 0],
    'config-unset-unknown': ['config unset outptu', 2],
  },
  'config list': {
    'config-list': ['config list --show-origin', 0],
    'config-list-unknown': ['config list --profile shpo', 2],
  },
  'config path': { 'config-path': ['config path', 0], 'config-path-flag': ['config path --shwo-origin', 2] },
  doctor: {
    doctor: ['doctor', 0, list],
    'doctor-refused': ['doctor', 1, refused],
  },
  commands: { commands: ['commands', 0], 'commands-flag': ['commands --amn man', 2] },
  completion: {
    'completion-powershell': ['completion powershell', 0],
    'completion-unknown': ['completion bahs', 2],
  },
  'domain records': {
    'domain-records': ['domain records missing.example.test --mock', 0],
    'domain-records-invalid': ['domain records *.example.test --mock', 2],
  },
  'domain verify': {
    'domain-verify': ['domain verify missing.example.test --mock', 1],
    'domain-verify-right': ['domain verify shop.example.test --mock --no-certificate', 0],
  },
  'domain cert': {
    'domain-cert': [
      `domain cert shop.example.test --mock --connect 127.0.0.1 --https-port {shop} --ca root.pem`,
      0,
    ],
    'domain-cert-wrong': [
      `domain cert shop.example.test --mock --connect 127.0.0.1 --https-port {stranger} --ca root.pem`,
      1,
    ],
  },
  'domain redirects': {
    'domain-redirects': [
      'domain redirects www.example.test --connect 127.0.0.1 --http-port {http} --https-port {https} --ca root.pem',
      0,
    ],
    'domain-redirects-none': ['domain redirects other.example.test', 2],
  },
  mock: { mock: ['mock --port 0 --key sk-demo', 0], 'mock-wrong': ['mock --plan gold', 2] },
  help: {
    help: ['help', 0],
    'help-exit-codes': ['help exit-codes', 0],
    'help-pets-list': ['pets list --help', 0],
    'help-unknown': ['help exit-code', 2],
    'mistyped-command': ['pets lits', 2],
  },
  version: { version: ['version', 0], 'version-flag': ['version --josn', 2] },
};

beforeAll(() => {
  // Reset times are printed in local time.
  process.env.TZ = 'UTC';
});

const started = process.cwd();
afterEach(() => {
  process.chdir(started);
});

/** All pages. A command without own ones has those of a pet and of an invalid key. */
const pages = Object.entries(COMMAND_LINES).map(([command, words]) => {
  const [name, line] = [command.replace(' ', '-'), `${command} ${words}`];
  const both: Readonly<Record<string, Page>> = {
    [name]: [line, 0, one],
    [`${name}-refused`]: [line, 3, refused],
  };
  return [command, PAGES[command] ?? both] as const;
});

test.each(pages)('%s has golden pages of a success and of a failure', (_, ofCommand) => {
  const outcomes = Object.values(ofCommand).map(([, exitCode]) => exitCode === 0);
  expect(new Set(outcomes)).toEqual(new Set([true, false]));
});

// After an intended change: npx vitest run test/cli/golden.test.ts --update
describe.each(pages)('%s', (_, ofCommand) => {
  test.each(Object.entries(ofCommand))('%s', async (name, page) => {
    const ports = await serve(page[0]);
    const text = [await shown(page, ports, ['stdin', 'stdout', 'stderr']), await shown(page, ports, [])].join(
      '\n',
    );
    await expect(text).toMatchFileSnapshot(`golden/${name}.txt`);
  });
});

/** Starts the servers whose ports a line contains. */
async function serve(line: string): Promise<Readonly<Record<string, number>>> {
  const ports: Record<string, number> = {};
  for (const [, name = ''] of line.matchAll(/\{(\w+)\}/g)) {
    if (name === 'http') ports[name] = await serveHttp(redirectToShop);
    else if (name === 'https') ports[name] = await serveHttps(redirectToShop);
    else ports[name] = await serveTls(name);
  }
  return ports;
}

/** Redirects `www` to `shop`, with the same path and query. */
const redirectToShop: Parameters<typeof serveHttp>[0] = ({ headers, url = '/' }, response) => {
  if (headers.host?.startsWith('shop.') === true) response.end();
  else response.writeHead(301, { location: `https://shop.example.test${url}` }).end();
};

async function shown(
  [line, expected, ...responses]: Page,
  ports: Readonly<Record<string, number>>,
  terminals: readonly ('stdin' | 'stdout' | 'stderr')[],
): Promise<string> {
  // Relative paths keep the lines short and the same on every machine.
  const home = temporaryFolder();
  process.chdir(home);
  const filled = line.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(ports[name]));
  createFiles(line);
  const controller = new AbortController();
  const world: World = {
    env: {
      // Without NO_COLOR: a pipe must get no colour by itself.
      // The fake clock makes every wait long, and a dumb terminal shows none.
      ...(terminals.length === 0 ? {} : { NO_COLOR: '1', TERM: 'dumb' }),
      PETSTORE_CONFIG_DIR: 'config',
      PETSTORE_STATE_DIR: 'state',
      PETSTORE_GATE: 'memory',
    },
    responses: responses.length === 0 ? [list] : responses,
    columns: 80,
    currentDirectory: home,
    now: NOW,
    stdin: 'sk-typed\n',
    terminals: line.includes('--with-key') ? terminals.filter((name) => name !== 'stdin') : terminals,
    signal: controller.signal,
    onNote(text) {
      // Stops the mock, which would serve until a signal.
      if (text.startsWith('Mock service at ')) controller.abort(new Interruption(143));
    },
  };
  const outcome = await runFake(shellWords(filled), world);
  const { exitCode, stdout, stderr } = outcome;
  expect(exitCode, stderr).toBe(expected);
  // At a terminal, long lines are wrapped.
  if (terminals.length === 0) await expectProposalsWork(outcome, home, world);
  const pipe = terminals.length === 0 ? ' | cat' : '';
  const parts = [`$ petstore ${line}${pipe}`, stdout, `--- stderr, exit code ${String(exitCode)}`, stderr];
  return masked(parts.join('\n'), Object.values(ports));
}

/** Replaces what differs from run to run: the version, ports and random tokens. */
function masked(text: string, ports: readonly number[]): string {
  const steady = text
    .replaceAll(VERSION, 'X.Y.Z')
    .replaceAll(/(?<= -p |127\.0\.0\.1:)\d+/g, 'PORT')
    .replaceAll(/(?<=petstore-check\/|probe=)[\da-f]+/g, 'RANDOM');
  return ports.reduce((shown, port) => shown.replaceAll(String(port), 'PORT'), steady);
}

/** Fills the current directory: two profiles, a key, rows to import, a certificate authority, redirects. */
function createFiles(line: string): void {
  mkdirSync('config/keys', { recursive: true, mode: 0o700 });
  const profiles = {
    shop: { baseUrl: 'https://pets.test/v1', keyIn: 'file' },
    staging: { baseUrl: 'https://staging.pets.test/v1' },
  };
  writeFileSync('config/config.json', JSON.stringify({ profile: 'shop', profiles }), { mode: 0o600 });
  writeFileSync('config/keys/shop.key', 'sk-secret\n', { mode: 0o600 });
  writeFileSync('pets.csv', 'name,categoryId\nRex,7\nMia,99\n');
  writeFileSync('root.pem', AUTHORITY);
  if (!line.startsWith('domain redirects')) return;
  const redirects = [{ from: 'www.example.test', to: 'shop.example.test', status: 301 }];
  writeFileSync('petstore.config.json', JSON.stringify({ redirects }));
}
