import { expect, test } from 'vitest';
import type { CommandNode } from '../../../src/cli/command-line/command-tree.js';
import { readCommandTree } from '../../../src/cli/program/read-command-tree.js';
import { COMMAND_LINES } from '../../support/command-lines.js';
import { ENV, type Outcome, runFake, type World } from '../../support/fake-context.js';
import { shellWords } from '../../support/parse-line.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const { commands } = await readCommandTree();

/** The commands that print no data, or data of another shape each time. */
const WITHOUT_FIELDS = [
  'pets export',
  'auth logout',
  'auth key',
  'auth switch',
  'auth rename',
  'auth delete',
  'config get',
  'config set',
  'config unset',
  'config path',
  'api',
  'completion',
  'help',
];

/** The flags that avoid the network. Without a row: --mock. */
const FLAGS: Readonly<Record<string, string>> = {
  'domain verify': '--mock --no-certificate -v',
  'domain cert': '--mock --connect 127.0.0.1 --https-port 1',
  'domain redirects': '--mock --connect 127.0.0.1 --https-port 1 --http-port 1',
  'auth login': '--profile new',
  'auth status': '',
  'auth list': '',
  'config list': '',
  mock: 'faults',
  doctor: '--offline',
  commands: '',
  version: '',
};

test('every command that prints data has fields', () => {
  const others = commands.filter(({ isGroup, fields }) => !isGroup && fields === undefined);
  expect(others.map(({ words }) => words.join(' ')).sort()).toEqual(WITHOUT_FIELDS.toSorted());
});

test.each(
  commands.filter(({ fields }) => fields !== undefined).map((node) => [node.words.join(' '), node] as const),
)('%s prints and accepts its fields', async (_, node) => {
  const { rows, document, lines = document } = node.fields ?? { rows: [], document: [] };
  const plain = await runCommand(node);
  const value: unknown = JSON.parse(plain.stdout);
  expect(keysOf(value).filter((key) => !document.includes(key))).toEqual([]);

  const chosen = await runCommand(node, '--json', document.join(','));
  expect(outcomeOf(chosen)).toEqual(outcomeOf(plain));
  expect(keysOf(JSON.parse(chosen.stdout)).sort()).toEqual(keysOf(value).sort());

  const whole = await runCommand(node, '-o', 'csv', '--fields', rows.join(','));
  expect(outcomeOf(whole)).toEqual(outcomeOf(plain));
  const shown = headerOf(await runCommand(node, '-o', 'csv'));
  expect(shown.filter((word) => !headerOf(whole).includes(word))).toEqual([]);

  const list = await runCommand(node, '-o', 'ndjson', '--fields', lines.join(','));
  expect(outcomeOf(list)).toEqual(outcomeOf(plain));
  for (const line of list.stdout.trimEnd().split('\n')) expect(keysOf(JSON.parse(line))).not.toEqual([]);
});

function headerOf({ stdout }: Outcome): string[] {
  return stdout.split('\r\n')[0]?.split(',') ?? [];
}

/** Runs a command, as JSON unless flags are given. */
function runCommand({ words }: CommandNode, ...flags: string[]): Promise<Outcome> {
  const folder = temporaryFolder({
    'config/config.json': { profile: 'shop', profiles: { shop: { baseUrl: 'https://pets.test/v1' } } },
    'petstore.config.json': {
      domains: ['shop.example.test'],
      redirects: [{ from: 'www.example.test', to: 'shop.example.test', status: 301 }],
    },
    'pets.csv': 'name,categoryId\nRex,7\n',
  });
  const command = words.join(' ');
  const given = command === 'mock' ? '' : COMMAND_LINES[command];
  const line = [command, given, FLAGS[command] ?? '--mock'].join(' ');
  const { PETSTORE_API_KEY, PETSTORE_BASE_URL } = ENV;
  const world: World = {
    env: {
      ...(command === 'auth login' ? {} : { PETSTORE_API_KEY, PETSTORE_BASE_URL }),
      PETSTORE_CONFIG_DIR: `${folder}/config`,
      PETSTORE_STATE_DIR: `${folder}/state`,
      PETSTORE_GATE: 'memory',
    },
    currentDirectory: folder,
    stdin: 'sk-secret\n',
  };
  return runFake([...shellWords(line), ...(flags.length === 0 ? ['--json'] : flags)], world);
}

function outcomeOf({ exitCode, stdout }: Outcome): object {
  return { exitCode, isThere: stdout !== '' };
}

/** The keys of an object, or of all objects of a list. */
function keysOf(value: unknown): string[] {
  const objects: unknown[] = Array.isArray(value) ? value : [value];
  return [...new Set(objects.flatMap((object) => Object.keys(object as object)))];
}
