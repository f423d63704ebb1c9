import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CommandTree } from '../src/cli/command-line/command-tree.js';
import { keyFileOf } from './support/auth.js';
import { findProgram } from './integration/programs.js';
import { requireBuild } from './support/built.js';
import { runFake } from './support/fake-context.js';
import { IS_FULL } from './support/random-runs.js';
import { type Finished, type Running, startProgram } from './support/run-cli.js';
import { ROOT } from './support/source-tree.js';
import { temporaryFolder } from './support/temporary-folder.js';

requireBuild();

/** The Node.js that the single executable contains. */
const NODE = process.env.PETSTORE_TEST_BINARY ?? '';
const SCRIPT = join(ROOT, 'build/binary/build.mjs');
const COMMAND = join(ROOT, 'bin/petstore.cjs');
const SHELLS = ['bash', 'zsh', 'fish', 'powershell'];
const NOWHERE = 'http://127.0.0.1:1/v1';

interface Settings {
  home?: string;
  input?: string;
  env?: Record<string, string>;
}

describe('npm run build:binary', () => {
  const isOld = Number(process.versions.node.split('.')[0]) < 24;

  test.runIf(isOld)('says what to do on an older Node.js', async () => {
    const { exitCode, stderr } = await startProgram(process.execPath, [SCRIPT, '--out', '/nowhere']).finished;
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr:
        `error: The executable needs Node.js 24 or later, and ${process.execPath} is ${process.version}. ` +
        'Name another one: npm run build:binary -- --node FILE\n',
    });
  });

  test.skipIf(process.platform === 'win32')('says what to do with a Node.js in a library', async () => {
    const found = JSON.stringify({ path: '/bin/sh', version: 'v24.0.0', platform: process.platform });
    const node = join(temporaryFolder({ node: `#!/bin/sh\necho '${found}'\n` }), 'node');
    chmodSync(node, 0o755);
    const { exitCode, stderr } = await startProgram(process.execPath, [SCRIPT, '--node', node]).finished;
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringContaining(
        'Name an official build of Node.js: npm run build:binary -- --node FILE',
      ),
    });
  });

  const NO_NODE = 'error: /bin/sh is not a Node.js that runs on this system\n';
  test.each([
    ...(IS_FULL ? [[['--node', '/bin/sh'], NO_NODE] as const] : []),
    [['--nodes', 'x'], "error: Unknown option '--nodes'"],
    [['--build', '--node', '/bin/sh'], NO_NODE],
  ] as const)('%j is an error (more with PETSTORE_TEST_FULL=1)', async (args, message) => {
    const { exitCode, stderr } = await startProgram(process.execPath, [SCRIPT, ...args]).finished;
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining(message) });
  });

  test.runIf(IS_FULL)('--help builds nothing (PETSTORE_TEST_FULL=1)', async () => {
    const { exitCode, stdout } = await startProgram(process.execPath, [SCRIPT, '--help']).finished;
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: 'npm run build:binary [-- --node FILE] [--out FOLDER]\n',
    });
  });
});

if (NODE === '') {
  test('the single executable (skipped: PETSTORE_TEST_BINARY names no Node.js 24; .ci/run sets it)', (context) => {
    context.skip();
  });
} else describe('the single executable', { timeout: 60_000 }, testExecutable);

function testExecutable(): void {
  let folder: string;
  let binary: string;
  let mock: Running | undefined;
  /** The address and the key of the mock. */
  let service: Record<string, string>;
  const baseUrl = (): string => service.PETSTORE_BASE_URL!;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'petstore-binary-test-'));
    binary = join(folder, 'petstore');
    const built = await startProgram(process.execPath, [SCRIPT, '--node', NODE, '--out', folder]).finished;
    expect(built).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: expect.stringMatching(/petstore: Node\.js v\d+\.\S+ and petstore, \d+ MB\n$/),
    });
    mock = startProgram(binary, ['mock', '--port', '0', '--plan', 'unlimited']);
    const [, baseUrl, key] = await mock.seen('stdout', /PETSTORE_BASE_URL=(\S+) PETSTORE_API_KEY=(\S+)\n/);
    service = { PETSTORE_BASE_URL: baseUrl!, PETSTORE_API_KEY: key! };
  }, 120_000);

  afterAll(async () => {
    mock?.child.kill('SIGTERM');
    const ended = await mock?.finished;
    rmSync(folder, { recursive: true, force: true });
    expect(ended?.exitCode).toBe(0);
  });

  const start = (path: string, args: readonly string[], settings: Settings): Promise<Finished> => {
    const { home = temporaryFolder(), input = '', env = {} } = settings;
    return startProgram(path, args, { cwd: home, env: { HOME: home, PATH: '', ...env }, input }).finished;
  };
  /** Runs the executable in an empty folder, which is HOME, with an empty PATH. */
  const run = (args: readonly string[], settings: Settings = {}): Promise<Finished> =>
    start(binary, args, settings);
  /** Runs the command of the package in the same way. */
  const runPackage = (args: readonly string[], settings: Settings = {}): Promise<Finished> =>
    start(process.execPath, [COMMAND, ...args], settings);

  test('comes with the licences of all that it contains', () => {
    expect(readdirSync(folder).sort()).toEqual(['LICENSES.txt', 'petstore']);
    const licences = readFileSync(join(folder, 'LICENSES.txt'), 'utf8');
    for (const file of ['LICENSE', 'dist/THIRD-PARTY-NOTICES'])
      expect(licences).toContain(readFileSync(join(ROOT, file), 'utf8').trim());
    expect(licences).toMatch(/^Node\.js v\d+/m);
  });

  test('prints the help of every command, every topic and every completion script of the package', async () => {
    const tree = readFileSync(join(ROOT, 'dist/cli/command-tree.json'), 'utf8');
    const { commands, topics } = JSON.parse(tree) as CommandTree;
    const home = temporaryFolder();
    const early = [['--version'], ['--help'], ...SHELLS.map((shell) => ['completion', shell])];
    for (const line of early) expect(await run(line, { home })).toEqual(await runPackage(line, { home }));
    const lines = [
      ...commands.map(({ words }) => [...words, '--help']),
      ...topics.map(({ name }) => ['help', name]),
    ];
    expect(lines.length).toBeGreaterThan(30);
    for (const line of lines) {
      // From the source: a second process for each line would take seconds.
      const { stdout } = await runFake(line);
      expect({ line, ...(await run(line, { home })) }).toEqual({ line, exitCode: 0, stdout, stderr: '' });
    }
    expect(readdirSync(home)).toEqual([]);
  });

  test('prints the command tree of the package', async () => {
    const { stdout } = await run(['commands', '--json', '--quiet']);
    expect(stdout).toBe(readFileSync(join(ROOT, 'dist/cli/command-tree.json'), 'utf8'));
  });

  test.each([
    ['pets list --mock', 0],
    ['pets list --mock --all -o json', 0],
    ['pets list --mock --query [0].name', 0],
    ['pets get 1 --mock -o yaml', 0],
    ['pets get 999999 --mock', 4],
    ['pets create --mock --name Rex --category 7 -o csv', 0],
    ['pets create --mock --name Rex', 2],
    ['api /pets/1 --mock', 0],
    ['config list', 0],
    ['domain records shop.example.com --target cname.example.net', 0],
    ['pets lits', 2],
    ['pets list', 2],
    [`pets list --base-url ${NOWHERE} --no-retry`, 3],
  ])('petstore %s: exit code %i and output as in the package', async (line, exitCode) => {
    const words = line.split(' ');
    const [own, packaged] = await Promise.all([run(words), runPackage(words)]);
    expect(own).toEqual(packaged);
    expect(own.exitCode).toBe(exitCode);
  });

  test('creates, imports and exports pets, and shows the limits, over HTTP', async () => {
    const home = temporaryFolder({ 'pets.csv': 'name,categoryId\nRex,7\nMia,2\n' });
    const settings = { home, env: service };
    const created = await run(['pets', 'create', '--name', 'Ada', '--category', '7', '-o', 'ids'], settings);
    expect(created).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^\d+\n$/) });
    expect(await run(['pets', 'import', 'pets.csv'], settings)).toMatchObject({ exitCode: 0 });
    expect(await run(['pets', 'export', '--out', 'all.csv'], settings)).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(home, 'all.csv'), 'utf8')).toMatch(/,Ada,7,[^]*,Rex,7,[^]*,Mia,2,/);
    expect(await run(['limits'], settings)).toMatchObject({ exitCode: 0 });
  });

  test('serves the page of the mock', async () => {
    const response = await fetch(new URL('/__mock/', service.PETSTORE_BASE_URL));
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('<script>');
  });

  test('checks a domain and the set-up', async () => {
    const report = await run(['domain', 'verify', 'missing.example.test', '--mock', '--json', 'state']);
    expect(report).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('action-required') });
    const checks = await run(['doctor', '--mock', '-o', 'json']);
    expect(checks).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('petstore') });
  });

  test('stores a key in a file if the keychain cannot be used', async () => {
    const login = ['auth', 'login', '--profile', 'shop', '--base-url', baseUrl(), '--with-key'];
    const input = `${service.PETSTORE_API_KEY!}\n`;
    const [home, other] = [temporaryFolder(), temporaryFolder()];
    const own = await run(login, { home, input });
    const packaged = await runPackage(login, { home: other, input });
    // The reason is that of the package: the executable contains the binding if npm installed one.
    expect(own).toEqual({ ...packaged, stderr: packaged.stderr.replaceAll(other, home) });
    expect(readFileSync(join(home, '.config/petstore', keyFileOf('shop', baseUrl())), 'utf8')).toBe(input);
    expect(await run(['auth', 'list'], { home })).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/\tfile\n/),
    });
    expect(await run(['auth', 'logout'], { home })).toMatchObject({ exitCode: 0 });
  });

  test('stores a key in a file if the binding of the keychain cannot be loaded', async () => {
    const login = ['auth', 'login', '--base-url', baseUrl(), '--with-key'];
    const input = `${service.PETSTORE_API_KEY!}\n`;
    expect(await run(login, { input, env: { TMPDIR: binary } })).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('its binding, @napi-rs/keyring, is not installed for this system'),
    });
  });

  test('limits this process only if Redis is down', async () => {
    const env = { ...service, PETSTORE_GATE: 'redis://127.0.0.1:1' };
    expect(await run(['pets', 'list', '--limit', '1'], { env })).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('connection refused'),
    });
  });

  test('leaves no compile cache behind', async () => {
    const home = temporaryFolder();
    expect(await run(['pets', 'list', '--mock'], { home })).toMatchObject({ exitCode: 0 });
    expect(readdirSync(home)).not.toContain('.cache');
  });

  test('completes, also as a word of bash', async () => {
    const request = ['__complete', 'bash', '1', '--', 'pets', 'l'];
    expect(await run(request)).toEqual(await runPackage(request));
    expect((await run(request)).stdout).toBe('list\n');
    const home = temporaryFolder();
    expect(await run(['completion', 'install', 'bash'], { home })).toMatchObject({ exitCode: 0 });
    const script = `. .bashrc; COMP_WORDS=(petstore pets l); COMP_CWORD=2; _petstore; echo "$COMPREPLY"`;
    const bash = findProgram('bash')!.path;
    const completed = await start(bash, ['--norc', '-c', script], { home, env: { PATH: folder } });
    expect(completed).toMatchObject({ exitCode: 0, stdout: 'list\n' });
  });

  test('ends well if the reader of a pipe ends', async () => {
    const script = `"$0" pets list --mock --all | { read -r line; echo "$line"; }; echo "\${PIPESTATUS[0]}"`;
    const piped = await start(findProgram('bash')!.path, ['-c', script, binary], {});
    expect(piped).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^1\t.*\n0\n$/) });
  });

  test('ignores options of Node.js that make its code caches useless', async () => {
    const jitless = await run(['--version'], { env: { NODE_OPTIONS: '--jitless' } });
    expect(jitless).toEqual(await run(['--version']));
  });
}
