import { Command } from 'commander';
import { expect, test } from 'vitest';
import { pageOf } from '../../src/cli/command-page.js';
import type { CommandNode } from '../../src/cli/command-tree.js';
import { readCommandTree } from '../../src/cli/read-command-tree.js';
import { tellFields } from '../../src/cli/shown-fields.js';
import { ENV, type Outcome, runFake, type World } from '../support/fake-context.js';
import { temporaryFolder } from '../support/temporary-folder.js';

test('are names, of columns too, and told apart only where they differ', () => {
  const command = new Command('x');
  expect(pageOf(command).fields).toBeUndefined();
  tellFields(command, [{ field: 'id' }, 'name']);
  expect(pageOf(command).fields).toEqual({ rows: ['id', 'name'], document: ['id', 'name'] });
  const rows = [{ field: 'id' }];
  tellFields(command, rows, ['all'], rows);
  expect(pageOf(command).fields).toEqual({ rows: ['id'], document: ['all'], lines: ['id'] });
});

const { commands } = await readCommandTree();

/** A line of each command that prints data, to be run without a network. */
const LINES: Readonly<Record<string, string>> = {
  'pets list': 'pets list --mock',
  'pets get': 'pets get 1 --mock',
  'pets create': 'pets create --name Rex --category-id 7 --mock',
  'pets import': 'pets import pets.csv --mock',
  'domain records': 'domain records blocked.example.test --mock',
  'domain verify': 'domain verify blocked.example.test --mock --no-certificate',
  'domain cert': 'domain cert shop.example.test --mock --connect 127.0.0.1 --https-port 1',
  'domain redirects': 'domain redirects --mock --connect 127.0.0.1 --https-port 1 --http-port 1',
  'auth login': 'auth login --with-key --skip-verify --profile new --base-url https://pets.test/v1',
  'auth status': 'auth status',
  'auth list': 'auth list',
  'config list': 'config list',
  limits: 'limits --mock',
  doctor: 'doctor --offline',
  commands: 'commands',
  version: 'version',
};

/** Prints no data, or data of a shape that only the answer tells. */
const WITHOUT = [
  ...['pets export', 'auth logout', 'auth key', 'auth switch', 'config get', 'config set', 'config unset'],
  ...['config path', 'api', 'mock', 'completion', 'help'],
];

test('are told of every command that prints data', () => {
  const all = commands.filter(({ isGroup }) => !isGroup).map(({ words }) => words.join(' '));
  expect(all.sort()).toEqual([...Object.keys(LINES), ...WITHOUT].sort());
  const told = commands.filter(({ fields }) => fields !== undefined).map(({ words }) => words.join(' '));
  expect(told.sort()).toEqual(Object.keys(LINES).sort());
});

test.each(
  commands.filter(({ fields }) => fields !== undefined).map((node) => [node.words.join(' '), node] as const),
)('of %s are those that it prints, and takes', async (_, node) => {
  const { rows, document, lines = document } = node.fields ?? { rows: [], document: [] };
  const plain = await ask(node);
  const value: unknown = JSON.parse(plain.stdout);
  expect(keysOf(value).filter((key) => !document.includes(key))).toEqual([]);

  const chosen = await ask(node, '--json', document.join(','));
  expect(outcomeOf(chosen)).toEqual(outcomeOf(plain));
  expect(keysOf(JSON.parse(chosen.stdout)).sort()).toEqual(keysOf(value).sort());

  const whole = await ask(node, '-o', 'csv', '--fields', rows.join(','));
  expect(outcomeOf(whole)).toEqual(outcomeOf(plain));
  const shown = headerOf(await ask(node, '-o', 'csv'));
  expect(shown.filter((word) => !headerOf(whole).includes(word))).toEqual([]);

  const list = await ask(node, '-o', 'ndjson', '--fields', lines.join(','));
  expect(outcomeOf(list)).toEqual(outcomeOf(plain));
  for (const line of list.stdout.trimEnd().split('\n')) expect(keysOf(JSON.parse(line))).not.toEqual([]);
});

function headerOf({ stdout }: Outcome): string[] {
  return stdout.split('\r\n')[0]?.split(',') ?? [];
}

/** Runs the command's line, as JSON where no format is given. */
function ask({ words }: CommandNode, ...flags: string[]): Promise<Outcome> {
  const folder = temporaryFolder({
    'config/config.json': { profile: 'shop', profiles: { shop: { baseUrl: 'https://pets.test/v1' } } },
    'petstore.config.json': {
      domains: ['shop.example.test'],
      redirects: [{ from: 'www.example.test', to: 'shop.example.test', status: 301 }],
    },
    'pets.csv': 'name,categoryId\nRex,7\n',
  });
  const line = LINES[words.join(' ')] ?? '';
  const { PETSTORE_API_KEY, PETSTORE_BASE_URL } = ENV;
  const world: World = {
    env: {
      ...(words.join(' ') === 'auth login' ? {} : { PETSTORE_API_KEY, PETSTORE_BASE_URL }),
      PETSTORE_CONFIG_DIR: `${folder}/config`,
      PETSTORE_STATE_DIR: `${folder}/state`,
      PETSTORE_GATE: 'memory',
    },
    currentDirectory: folder,
    stdin: 'sk-secret\n',
  };
  return runFake([...line.split(' '), ...(flags.length === 0 ? ['--json'] : flags)], world);
}

function outcomeOf({ exitCode, stdout }: Outcome): object {
  return { exitCode, isThere: stdout !== '' };
}

/** Of an object, or of the objects of a list. */
function keysOf(value: unknown): string[] {
  const objects: unknown[] = Array.isArray(value) ? value : [value];
  return [...new Set(objects.flatMap((object) => Object.keys(object as object)))];
}
