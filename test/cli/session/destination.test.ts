import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Prompter } from '../../../src/cli/system/context.js';
import { inferPlan } from '../../../src/cli/commands/domain/verify/inferred-plan.js';
import { checkDestination } from '../../../src/cli/session/destination.js';
import { runFake, type World } from '../../support/fake-context.js';
import { sessionFor } from '../../support/fake-session.js';
import { giveAway } from '../../support/give-away.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const OWN = 'https://pets.test/v1';
const ELSEWHERE = 'https://evil.test/v1';
const TERMINALS = ['stdin', 'stderr'] as const;

let folder: string;
let asked: string[];
beforeEach(() => {
  folder = temporaryFolder();
  asked = [];
});

const project = (content: unknown = { baseUrl: ELSEWHERE }): string =>
  temporaryFolder({ 'petstore.config.json': content });
const config = (): unknown => JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));

/** A person who takes the choice of this number. */
function person(choice: number): Prompter {
  const silent = (): Promise<string> => Promise.reject(new Error('not to be asked'));
  return {
    secret: silent,
    text: silent,
    choose(question, choices) {
      asked.push(question);
      return Promise.resolve(choices[choice]!.value);
    },
  };
}

const run = (line: string, world: World = {}) =>
  runFake(line, {
    currentDirectory: project(),
    ...world,
    env: { PETSTORE_CONFIG_DIR: folder, ...world.env },
  });

describe('a stored key', () => {
  beforeEach(async () => {
    const line = `auth login --with-key --skip-verify --base-url ${OWN} --profile shop`;
    await run(line, { stdin: 'sk-secret', currentDirectory: folder });
  });

  test.each(['pets list', 'pets list -y'])(
    'goes nowhere with %s, where nobody can be asked',
    async (line) => {
      const { exitCode, stderr, requests } = await run(line);
      expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] });
      expect(stderr).toMatch(/wants the key of profile shop sent to https:\/\/evil\.test/);
      expect(stderr).toContain('petstore config set trustedUrls https://evil.test --profile shop');
    },
  );

  test('and no host of that file is a command, once the hint is pasted', async () => {
    const currentDirectory = project({ baseUrl: 'https://x;{sh,setup.sh};.evil.test/v1' });
    const { exitCode, stderr, requests } = await run('pets list', { currentDirectory });
    expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] });
    expect(stderr).toContain('has a host name with invalid characters');
    expect(stderr).not.toContain('sh,setup.sh');
    const to = {
      key: { from: 'file' as const },
      baseUrl: 'https://x;{sh,setup.sh};.evil.test/v1',
      project: { path: '/p/petstore.config.json', ownerIds: [0] },
    };
    const { session } = await sessionFor('pets list', { env: { PETSTORE_CONFIG_DIR: folder } });
    await expect(checkDestination(to, false, session)).rejects.toMatchObject({
      hint: expect.stringContaining("trustedUrls 'https://x;{sh,setup.sh};.evil.test' --profile shop"),
    });
  });

  test('goes once its owner has said so, who is asked no more', async () => {
    const currentDirectory = project();
    const no: World = { currentDirectory, terminals: TERMINALS, prompter: person(0) };
    expect(await run('pets list', no)).toMatchObject({ exitCode: 2, requests: [] });
    const yes: World = { currentDirectory, terminals: TERMINALS, prompter: person(1) };
    expect((await run('pets list', yes)).requests).toHaveLength(1);
    expect((await run('pets list', { currentDirectory })).requests).toHaveLength(1);
    expect(config()).toMatchObject({ profiles: { shop: { trustedUrls: ['https://evil.test'] } } });
    expect(config()).not.toHaveProperty('trustedUrls');
  });

  test('is not meant by the addresses that a key from the environment may go to', async () => {
    writeFileSync(
      join(folder, 'config.json'),
      JSON.stringify({ ...(config() as object), trustedUrls: ['https://evil.test'] }),
    );
    expect(await run('pets list')).toMatchObject({ exitCode: 2, requests: [] });
    const { requests, stderr } = await run('pets list', { env: { PETSTORE_API_KEY: 'sk-ci' } });
    expect(requests).toHaveLength(1);
    expect(stderr).not.toContain('warning');
  });

  test('and the path of the file can not rewrite the question', async () => {
    const currentDirectory = join(temporaryFolder(), 'd\u001b[31m\u202eX');
    mkdirSync(currentDirectory);
    writeFileSync(join(currentDirectory, 'petstore.config.json'), JSON.stringify({ baseUrl: ELSEWHERE }));
    await run('pets list', { currentDirectory, terminals: TERMINALS, prompter: person(0) });
    expect(asked.join('')).toContain('https://evil.test');
    expect(asked.join('')).not.toMatch(/[\u001b\u202e]/);
  });

  test('may be known to a command that sends nothing', async () => {
    expect(await run('limits --offline')).toMatchObject({ exitCode: 4, requests: [] });
  });
});

describe('a key from the environment', () => {
  const env = { PETSTORE_API_KEY: 'sk-ci' };

  test('goes where nobody can be asked, and it is told, once, with what silences it', async () => {
    const currentDirectory = project();
    const { exitCode, requests, stderr } = await run('pets list', { env, currentDirectory });
    expect({ exitCode, sent: requests.length }).toEqual({ exitCode: 0, sent: 1 });
    expect(stderr.trim().split('\n')).toEqual([
      `warning: the key in PETSTORE_API_KEY is sent to https://evil.test, because ${currentDirectory}/petstore.config.json says so; to confirm it, set PETSTORE_BASE_URL or run petstore config set trustedUrls https://evil.test`,
    ]);
    expect((await run('pets list -q', { env })).stderr).toBe('');
  });

  test.each([
    ['PETSTORE_BASE_URL', { ...env, PETSTORE_BASE_URL: ELSEWHERE }, 'pets list'],
    ['--base-url', env, `pets list --base-url ${ELSEWHERE}`],
  ])('named by %s it goes without a word', async (_, own, line) => {
    expect(await run(line, { env: own })).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('and so once petstore config says that it is right', async () => {
    expect(await run('config set trustedUrls https://evil.test', { currentDirectory: folder })).toMatchObject(
      {
        exitCode: 0,
      },
    );
    expect(config()).toEqual({ trustedUrls: ['https://evil.test'] });
    expect(await run('pets list', { env })).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test.each(['http://127.0.0.1:4010/v1', 'http://localhost/v1', 'http://[::1]:1/v1'])(
    'to this machine, %s, it goes without a word',
    async (baseUrl) => {
      const world = { env, currentDirectory: project({ baseUrl }) };
      expect(await run('pets list', world)).toMatchObject({ exitCode: 0, stderr: '' });
    },
  );

  test('at a terminal it is asked for, once for all, with no profile in use', async () => {
    const world: World = { env, terminals: TERMINALS };
    const refused = await run('pets list', { ...world, prompter: person(0) });
    expect(refused).toMatchObject({ exitCode: 2, requests: [] });
    expect((await run('pets list', { ...world, prompter: person(1) })).requests).toHaveLength(1);
    expect(config()).toEqual({ trustedUrls: ['https://evil.test'] });
    expect((await run('pets list', { ...world, prompter: person(0) })).requests).toHaveLength(1);
    expect(asked).toHaveLength(2);
    expect(asked[0]).toContain('wants the key in PETSTORE_API_KEY sent to https://evil.test');
  });

  test('and with one in use it is kept there', async () => {
    await run(`config set baseUrl ${OWN} --profile shop`, { currentDirectory: folder });
    await run('pets list', { env, terminals: TERMINALS, prompter: person(1) });
    expect(config()).toMatchObject({ profiles: { shop: { trustedUrls: ['https://evil.test'] } } });
  });

  test.each([
    ['another address', 'https://other.test', ['https://other.test', 'https://evil.test']],
    ['the same', 'https://evil.test', ['https://evil.test']],
  ])('what was trusted while the question stood is kept: %s', async (_, meanwhile, kept) => {
    await run(`config set baseUrl ${OWN} --profile shop`, { currentDirectory: folder });
    const prompter: Prompter = {
      ...person(1),
      async choose(question, choices) {
        await run(`config set trustedUrls ${meanwhile}`, { currentDirectory: folder });
        return person(1).choose(question, choices);
      },
    };
    await run('pets list', { env, terminals: TERMINALS, prompter });
    expect(config()).toMatchObject({ profiles: { shop: { trustedUrls: kept } } });
  });

  test.each(['config set baseUrl https://new.test/v1 --profile shop', 'auth login'])(
    'and where the profile has changed meanwhile, by %s, the answer counts for nothing',
    async (line) => {
      await run(`config set baseUrl ${OWN} --profile shop`, { currentDirectory: folder });
      const change = line === 'auth login' ? `${line} --profile shop --with-key --skip-verify` : line;
      const prompter: Prompter = {
        ...person(1),
        async choose(question, choices) {
          const world = { currentDirectory: folder, stdin: 'sk-other' };
          expect(await run(change, world)).toMatchObject({ exitCode: 0 });
          return person(1).choose(question, choices);
        },
      };
      const { exitCode, requests, stderr } = await run('pets list', { env, terminals: TERMINALS, prompter });
      expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] });
      expect(stderr).toContain('profile "shop" has changed since you were asked');
      expect(JSON.stringify(config())).not.toContain('evil.test');
    },
  );

  test('where the answer can not be kept it counts all the same', async () => {
    const world: World = {
      env: { ...env, PETSTORE_CONFIG_DIR: '/dev/null/config' },
      terminals: TERMINALS,
      prompter: person(1),
    };
    const { requests, stderr } = await run('pets list', world);
    expect(requests).toHaveLength(1);
    expect(stderr).toMatch(/warning: you will be asked again: .*config\.json can't be written/);
  });

  test('a check of domains asks nothing for the sake of the plan', async () => {
    const world: World = {
      env: { ...env, PETSTORE_CONFIG_DIR: folder },
      currentDirectory: project(),
      terminals: TERMINALS,
      prompter: person(1),
    };
    const { session } = await sessionFor('domain verify a.test', world);
    expect(await inferPlan(session)).toBeUndefined();
    expect(asked).toEqual([]);
    expect(existsSync(join(folder, 'config.json'))).toBe(false);
  });

  test.skipIf(process.platform === 'win32').each([ELSEWHERE, 'http://127.0.0.1:4010/v1'])(
    'goes to %s for no file of another user',
    async (baseUrl) => {
      const currentDirectory = project({ baseUrl });
      const userId = giveAway(join(currentDirectory, 'petstore.config.json'));
      const { exitCode, requests, stderr } = await run('pets list', { env, currentDirectory, userId });
      expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] });
      expect(stderr).toContain('the file belongs to another user');
      expect(stderr).toMatch(/hint: .*PETSTORE_BASE_URL, or pass --base-url/);
      const world: World = { env, currentDirectory, userId, terminals: TERMINALS, prompter: person(0) };
      expect(await run('pets list', world)).toMatchObject({ exitCode: 2, requests: [] });
      expect(asked).toEqual([expect.stringContaining('the file belongs to another user. Send it?')]);
      const named = { env: { ...env, PETSTORE_BASE_URL: baseUrl }, currentDirectory, userId };
      expect(await run('pets list', named)).toMatchObject({ exitCode: 0, stderr: '' });
      expect(existsSync(join(folder, 'config.json'))).toBe(false);
    },
  );
});
