import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createMock } from '../../../src/mock/index.js';
import { requireBuild } from '../../support/built.js';
import { COMMAND_LINES } from '../../support/command-lines.js';
import { ROOT } from '../../support/source-tree.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

requireBuild();

// What each command loads decides how long it takes to start. Modules and bytes are compared with a committed list.

const UPDATE = 'npx vitest run test/cli/startup/loaded-modules.test.ts --update';
/** Growth of a command's code that is accepted without an update of the list. */
const GROWTH_MAX = 1.03;

/** Command lines that run often, or on each key press. All their modules are in the list. */
const FREQUENT: Readonly<Record<string, string>> = {
  '--version': '--version',
  '--help': '--help',
  'completion bash': 'completion bash',
  '__complete pets l': '__complete bash 1 -- pets l',
  'pets list': 'pets list',
  'pets list -o json': 'pets list -o json',
};
/**
 * All other commands. DNS is that of the embedded mock. The list has the folders and packages of what they load in
 * addition to `pets list`.
 */
const OTHERS = Object.entries(COMMAND_LINES)
  .filter(([command]) => FREQUENT[command] === undefined && command !== 'completion')
  .map(([command, words]) => [
    command,
    `${command} ${words}${command.startsWith('domain ') ? ' --mock' : ''}`.trim(),
  ]);

/** The exit codes that are not only 0. */
const EXIT_CODES: Readonly<Record<string, readonly number[]>> = {
  // Nobody listens there: otherwise the key would be stored in the keychain of the system.
  'auth login': [7],
  // The domain needs a change.
  'domain verify': [1],
  // The umask decides who can read the configuration.
  doctor: [0, 1],
  // The data is not a mock's.
  mock: [2],
};

test('frequent commands load only the modules of the list', async () => {
  await compare('frequent-modules.txt', Object.entries(FREQUENT), (modules) => modules);
}, 60_000);

const isSkipped = process.env.PETSTORE_TEST_STARTUP !== '1';
test.skipIf(isSkipped)(
  'other commands load only the folders of the list (skipped without PETSTORE_TEST_STARTUP=1; .ci/run sets it)',
  async () => {
    let known: readonly string[] | undefined;
    await compare('other-modules.txt', [['pets list', 'pets list'], ...OTHERS], (modules) => {
      known ??= modules;
      return modules.filter((module) => !known!.includes(module)).map(folderOf);
    });
  },
  120_000,
);

/** What a command loads: source files or folders, packages and modules of Node.js, and the size of its own code. */
interface Loaded {
  kilobytes: number;
  modules: readonly string[];
}

async function compare(
  list: string,
  commands: readonly (readonly string[])[],
  describe: (modules: readonly string[]) => readonly string[],
): Promise<void> {
  const sources = sourcesOfChunks();
  const server = await createMock().listen();
  onTestFinished(() => server.close());
  const queue = [...commands];
  const loaded = new Map<string, Loaded>();
  const measure = async ([name = '', line = '']: readonly string[]): Promise<void> => {
    const { files, builtins, exitCode } = await run(
      line.replace('https://pets.test/v1', 'http://127.0.0.1:1/v1'),
      server.baseUrl,
    );
    // A command that fails at its start loads less.
    expect.soft(EXIT_CODES[name] ?? [0], `exit code of petstore ${line}`).toContain(exitCode);
    const own = files.flatMap((file) => sources[file] ?? [file]).map(nameOfSource);
    const modules = [...own, ...builtins.map((builtin) => `node:${builtin}`)];
    const bytes = files.reduce((sum, file) => sum + statSync(join(ROOT, file)).size, 0);
    loaded.set(name, {
      kilobytes: Math.ceil(bytes / 1_000),
      modules: [...new Set(describe(modules))].sort(),
    });
  };
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await measure(next);
  };
  // The first command alone: the others are compared with it.
  await measure(queue.shift()!);
  await Promise.all([work(), work(), work()]);
  const path = join(import.meta.dirname, list);
  const accepted = existsSync(path) ? parse(readFileSync(path, 'utf8')) : new Map<string, Loaded>();
  const added = commands.flatMap(([name = '']) =>
    describeGrowth(name, loaded.get(name)!, accepted.get(name)),
  );
  const message = `Commands load more than before, so they start later:\n${added.join('\n')}\nLoad it with a dynamic import where it is used. Or accept it: ${UPDATE}\n`;
  const text = format(commands.map(([name = '']) => [name, loaded.get(name)!]));
  // A shorter list is accepted, and written only with --update.
  const isAccepted = added.length === 0 && expect.getState().snapshotState.snapshotUpdateState !== 'all';
  await expect(isAccepted ? readFileSync(path, 'utf8') : text, message).toMatchFileSnapshot(path);
}

function describeGrowth(command: string, now: Loaded, before: Loaded | undefined): string[] {
  if (before === undefined) return [`  petstore ${command}: not in the list`];
  const added = now.modules.filter((module) => !before.modules.includes(module));
  const isLarger = now.kilobytes > before.kilobytes * GROWTH_MAX + 1;
  const size = `${String(now.kilobytes)} kB instead of ${String(before.kilobytes)} kB`;
  return [...added, ...(isLarger ? [size] : [])].map((text) => `  petstore ${command}: ${text}`);
}

function format(commands: readonly (readonly [string, Loaded])[]): string {
  const sections = commands.map(
    ([name, { kilobytes, modules }]) =>
      `petstore ${name}: ${String(kilobytes)} kB\n${modules.map((module) => `  ${module}\n`).join('')}`,
  );
  return `# Written by: ${UPDATE}\n\n${sections.join('\n')}`;
}

function parse(text: string): Map<string, Loaded> {
  const sections = text.matchAll(/^petstore (.*): (\d+) kB\n((?: {2}.*\n)*)/gm);
  return new Map(
    [...sections].map(([, name = '', kilobytes, modules = '']) => [
      name,
      { kilobytes: Number(kilobytes), modules: modules.split('\n').map((line) => line.trim()) },
    ]),
  );
}

/** The source files of each chunk of the build. */
function sourcesOfChunks(): Record<string, string[]> {
  const read = (name: string): Record<string, string[]> =>
    JSON.parse(readFileSync(join(ROOT, `dist/cli/modules.${name}.json`), 'utf8'));
  return { ...read('main'), ...read('program') };
}

/** The name of a package, or the path of a source file. */
function nameOfSource(source: string): string {
  return /node_modules\/(?:@[^/]+\/)?[^/]+(?!.*node_modules)/.exec(source)?.[0] ?? source;
}

function folderOf(module: string): string {
  return module.startsWith('src/') ? module.replace(/\/[^/]+$/, '/') : module;
}

/** Runs a command with a profile, rows and a key on stdin. */
async function run(
  line: string,
  baseUrl: string,
): Promise<{ files: string[]; builtins: string[]; exitCode: number | null }> {
  const folder = temporaryFolder({
    'config/config.json': {
      profile: 'shop',
      profiles: { shop: { baseUrl, keyIn: 'file' }, other: { baseUrl } },
    },
    'config/keys/shop.key': 'mock-key\n',
    'pets.csv': 'name,categoryId\nRex,7\n',
  });
  const output = join(folder, 'modules.json');
  const preload = join(ROOT, 'test/support/report-modules.cjs');
  const child = spawn(process.execPath, ['-r', preload, join(ROOT, 'bin/petstore.cjs'), ...line.split(' ')], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      PETSTORE_BASE_URL: baseUrl,
      PETSTORE_CONFIG_DIR: join(folder, 'config'),
      PETSTORE_STATE_DIR: join(folder, 'state'),
      PETSTORE_TEST_MODULES: output,
      PETSTORE_TEST_ROOT: ROOT,
      // Otherwise the compile cache is a module more on some releases of Node.
      NODE_DISABLE_COMPILE_CACHE: '1',
    },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // A command may end before it reads stdin.
  child.stdin.on('error', () => undefined).end('mock-key\n');
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { ...JSON.parse(readFileSync(output, 'utf8')), exitCode };
}
