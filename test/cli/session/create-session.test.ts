import { readCommandTree } from '../../../src/cli/program/read-command-tree.js';
import { describe, expect, test } from 'vitest';
import type { Context } from '../../../src/cli/system/context.js';
import { readGlobalOptions } from '../../../src/cli/command-line/global-options.js';
import type { Session } from '../../../src/cli/session/session.js';
import { createSession } from '../../../src/cli/session/create-session.js';
import { ENV, fakeContext, runFake, type World } from '../../support/fake-context.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

function session(flags: Record<string, unknown> = {}, world: World = {}) {
  const fake = fakeContext(world);
  return { ...fake, session: createSession(readGlobalOptions(flags), fake.context, readCommandTree) };
}

describe('notes', () => {
  test('are printed on stderr, each warning once, with escape sequences shown escaped', () => {
    const { session: own, stdout, stderr } = session();
    own.note('a\u0007');
    own.warn('b');
    own.warn('b');
    expect({ stdout: stdout(), stderr: stderr() }).toEqual({ stdout: '', stderr: 'a^G\nwarning: b\n' });
  });

  test('have a yellow label for warnings on a terminal with colours', () => {
    const { session: own, stderr } = session({}, { terminals: ['stderr'], env: { TERM: 'xterm' } });
    own.note('a');
    own.warn('b');
    expect(stderr()).toBe('a\n\u001b[1;33mwarning:\u001b[0m b\n');
  });

  test('are left out with --quiet', () => {
    const { session: own, stderr } = session({ quiet: true });
    own.note('a');
    own.warn('b');
    expect(stderr()).toBe('');
  });
});

test('opens one client, which does not show the key', async () => {
  const { inspect } = await import('node:util');
  const { session: own } = session();
  const client = await own.client();
  expect(await own.client()).toBe(client);
  expect(inspect([own.settings, client], { depth: 9, showHidden: true })).not.toContain('sk-secret');
});

test('closes without a client, and after one that could not be opened', async () => {
  await session().session.close();
  const { session: own } = session({}, { env: {} });
  await expect(own.client()).rejects.toThrow('No API address configured');
  await own.close();
});

test.each<[string, (own: Session) => unknown]>([
  ['a note', (own) => own.note('a')],
  ['data', (own) => own.print({ kind: 'value', value: 1 })],
  ['the log', async (own) => (await own.client()).pets.list()],
  ['the end', (own) => own.close()],
])('the status line is hidden before %s', async (_, write) => {
  const world: World = { terminals: ['stdout', 'stderr'], env: { ...ENV, TERM: 'xterm' } };
  const { session: own, stderr } = session({ verbose: true }, { ...world, responses: [{ body: '[]' }] });
  own.status.show(() => 'line');
  await write(own);
  expect(stderr()).toMatch(/^\r\u001b\[Kline\r\u001b\[K/);
  own.status.clear();
});

describe('colour of prompts', () => {
  const terminals = ['stdin', 'stderr'] as const;
  const profile = (color: string) => ({ profile: 'shop', profiles: { shop: { color } } });

  test.each<[string, Record<string, unknown>, object, boolean]>([
    ['on a terminal', {}, {}, true],
    ['not with --color never', { color: 'never' }, {}, false],
    ['not if the profile turns it off', {}, profile('never'), false],
    ['not if the profile is missing, which the command may fix', {}, { profile: 'missing' }, false],
  ])('%s', async (_, flags, config, expected) => {
    const PETSTORE_CONFIG_DIR = temporaryFolder({ 'config.json': config });
    const { context } = fakeContext({ terminals, env: { PETSTORE_CONFIG_DIR } });
    const styles: unknown[] = [];
    const prompter: Context['prompter'] = (style) => {
      styles.push(style);
      return Promise.reject(new Error('no terminal'));
    };
    const own = createSession(readGlobalOptions(flags), { ...context, prompter }, readCommandTree);
    await expect(own.prompter()).rejects.toThrow('no terminal');
    expect(styles).toEqual([{ color: expected }]);
  });
});

describe('a confirmation', () => {
  const confirmed = (flags: Record<string, unknown>, world: World): string => {
    const made = session(flags, world);
    made.session.confirm('Created pet 25.');
    return made.stderr();
  };

  test('has a check mark, and is printed on stderr if stdout is a terminal', () => {
    expect(confirmed({}, { terminals: ['stdout'] })).toBe('✓ Created pet 25.\n');
    expect(confirmed({}, { env: { PETSTORE_FORCE_TTY: '80' } })).toBe('✓ Created pet 25.\n');
    expect(confirmed({}, { terminals: ['stderr'] })).toBe('');
    expect(confirmed({ quiet: true }, { terminals: ['stdout'] })).toBe('');
  });

  test('is printed in a pipe too if it is the only result, and has a green check mark on a terminal', () => {
    const only = (terminals: World['terminals'] = []): string => {
      const made = session({}, { terminals });
      made.session.confirm('Switched.', true);
      return made.stderr();
    };
    expect(only()).toBe('Switched.\n');
    expect(only(['stderr'])).toBe('\u001b[32m✓\u001b[0m Switched.\n');
  });

  test('does not need readable settings', () => {
    const folder = temporaryFolder();
    const made = session(
      { profile: 'missing' },
      { terminals: ['stdout'], env: { PETSTORE_CONFIG_DIR: folder } },
    );
    made.session.confirm('Removed profile.');
    expect(made.stderr()).toBe('✓ Removed profile.\n');
  });
});

describe('--mock says that a write was not stored', () => {
  const NOTE = 'Nothing was stored: the mock service of --mock ends with this command.\n';
  const world = (): World => ({
    currentDirectory: temporaryFolder({ 'pets.csv': 'name,categoryId\nRex,7\nMia,7\n' }),
    env: { PETSTORE_STATE_DIR: temporaryFolder() },
  });

  describe.each([
    ['in a pipe', []],
    ['on a terminal', ['stdout', 'stderr']],
  ] as const)('%s', (_, terminals) => {
    test.each([
      ['pets create --name Rex --category 7', 0],
      ['pets create --name Rex --category 7 --json', 0],
      ['pets create --name Rex --category 7 --quiet', 0],
      ['pets import pets.csv --yes', 0],
      ['api -X POST /pets -f name=Rex -F categoryId=7', 0],
    ])('%s', async (line, exitCode) => {
      const outcome = await runFake(`${line} --mock`, { ...world(), terminals });
      expect(outcome.exitCode, outcome.stderr).toBe(exitCode);
      expect(outcome.stderr.split(NOTE)).toHaveLength(2);
      expect(outcome.stderr.endsWith(NOTE)).toBe(true);
    });

    test.each([
      'pets list --mock',
      'api /pets --mock',
      'pets create --name Rex --category 7 --mock --dry-run',
      'api POST /pets -f name=Rex --mock',
    ])('but not %s', async (line) => {
      expect((await runFake(line, { ...world(), terminals })).stderr).not.toContain(NOTE);
    });
  });

  test('but not a write to the service', async () => {
    const responses = [{ status: 201, body: '{"id":1,"name":"Rex","categoryId":7}' }];
    expect(await runFake('pets create --name Rex --category 7', { responses })).toMatchObject({
      stderr: '',
    });
  });
});
