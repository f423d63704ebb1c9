import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Prompter } from '../../../src/cli/system/context.js';
import { inferPlan } from '../../../src/cli/commands/domain/verify-requests.js';
import { shellWord } from '../../../src/cli/errors/shell-word.js';
import { checkDestination } from '../../../src/cli/session/destination.js';
import { runFake, type World } from '../../support/fake-context.js';
import { sessionFor } from '../../support/fake-session.js';
import { changeOwner } from '../../support/change-owner.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const OWN = 'https://pets.test/v1';
const ELSEWHERE = 'https://evil.test/v1';
const TERMINALS = ['stdin', 'stderr'] as const;

let folder: string;
let prompts: string[];
beforeEach(() => {
  folder = temporaryFolder();
  prompts = [];
});

const project = (content: unknown = { baseUrl: ELSEWHERE }): string =>
  temporaryFolder({ 'petstore.config.json': content });
const config = (): unknown => JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));

/** Answers a prompt with the choice at this index. */
function person(choice: number): Prompter {
  const silent = (): Promise<string> => Promise.reject(new Error('unexpected prompt'));
  return {
    secret: silent,
    text: silent,
    choose(question, choices) {
      prompts.push(question);
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
    const line = `auth login --with-key --base-url ${OWN} --profile shop`;
    await run(line, { stdin: 'sk-secret', currentDirectory: folder });
  });

  test.each(['pets list', 'pets list -y'])('is not sent by %s without a terminal', async (line) => {
    const { exitCode, stderr, requests } = await run(line);
    expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] });
    expect(stderr).toMatch(/would send the key of profile shop to https:\/\/evil\.test/);
    expect(stderr).toContain('petstore config set trustedUrls https://evil.test --profile shop');
  });

  test('a host in the project file is quoted in the hint', async () => {
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

  test('is sent after one confirmation', async () => {
    const currentDirectory = project();
    const no: World = { currentDirectory, terminals: TERMINALS, prompter: person(0) };
    expect(await run('pets list', no)).toMatchObject({ exitCode: 2, requests: [] });
    const yes: World = { currentDirectory, terminals: TERMINALS, prompter: person(1) };
    expect((await run('pets list', yes)).requests).toHaveLength(1);
    expect((await run('pets list', { currentDirectory })).requests).toHaveLength(1);
    expect(config()).toMatchObject({ profiles: { shop: { trustedUrls: ['https://evil.test'] } } });
    expect(config()).not.toHaveProperty('trustedUrls');
  });

  test.each([
    ['another address', 'https://other.test', ['https://other.test', 'https://evil.test']],
    ['the same', 'https://evil.test', ['https://evil.test']],
  ])(
    'a confirmation keeps addresses that were added during the prompt: %s',
    async (_, meanwhile, expected) => {
      const prompter: Prompter = {
        ...person(1),
        async choose(question, choices) {
          await run(`config set trustedUrls ${meanwhile} --profile shop`, { currentDirectory: folder });
          return person(1).choose(question, choices);
        },
      };
      await run('pets list', { terminals: TERMINALS, prompter });
      expect(config()).toMatchObject({ profiles: { shop: { trustedUrls: expected } } });
    },
  );

  test('a confirmation is ignored if the profile changed during the prompt', async () => {
    const prompter: Prompter = {
      ...person(1),
      async choose(question, choices) {
        const change = 'config set baseUrl https://new.test/v1 --profile shop';
        expect(await run(change, { currentDirectory: folder })).toMatchObject({ exitCode: 0 });
        return person(1).choose(question, choices);
      },
    };
    const { exitCode, requests, stderr } = await run('pets list', { terminals: TERMINALS, prompter });
    expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] });
    expect(stderr).toContain('profile "shop" has changed');
    expect(JSON.stringify(config())).not.toContain('evil.test');
  });

  test('a confirmation does not hold for another key', async () => {
    const yes: World = { terminals: TERMINALS, prompter: person(1) };
    await run('pets list', yes);
    const environment = await run('pets list', { env: { PETSTORE_API_KEY: 'sk-ci' } });
    expect(environment).toMatchObject({ exitCode: 2, requests: [] });
    expect(environment.stderr).not.toContain('--profile shop');
    const doctor = await run('doctor', { env: { PETSTORE_API_KEY: 'sk-ci' } });
    expect(doctor.stdout).toMatch(/^failed\tdestination\t/m);
    const other = `auth login --with-key --base-url ${OWN} --profile other`;
    await run(other, { stdin: 'sk-second', currentDirectory: folder });
    expect(await run('pets list --profile other')).toMatchObject({ exitCode: 2, requests: [] });
  });

  test('is not sent to addresses trusted only for a key from the environment', async () => {
    writeFileSync(
      join(folder, 'config.json'),
      JSON.stringify({ ...(config() as object), trustedUrls: ['https://evil.test'] }),
    );
    expect(await run('pets list')).toMatchObject({ exitCode: 2, requests: [] });
    const { requests, stderr } = await run('pets list', { env: { PETSTORE_API_KEY: 'sk-ci' } });
    expect(requests).toHaveLength(1);
    expect(stderr).not.toContain('warning');
  });

  test('the path of the file is escaped in the prompt', async () => {
    const currentDirectory = join(temporaryFolder(), 'd\u001b[31m\u202eX');
    mkdirSync(currentDirectory);
    writeFileSync(join(currentDirectory, 'petstore.config.json'), JSON.stringify({ baseUrl: ELSEWHERE }));
    await run('pets list', { currentDirectory, terminals: TERMINALS, prompter: person(0) });
    expect(prompts.join('')).toContain('https://evil.test');
    expect(prompts.join('')).not.toMatch(/[\u001b\u202e]/);
  });

  test('needs no confirmation if the command sends nothing', async () => {
    expect(await run('limits --offline')).toMatchObject({ exitCode: 0, requests: [] });
  });
});

describe('a key from the environment', () => {
  const env = { PETSTORE_API_KEY: 'sk-ci' };

  test.each([
    'pets list',
    'pets list -q',
    'pets list --yes',
    'pets list --no-input',
    'pets create --name Rex --category 7',
    'pets create --name Rex --category 7 --curl',
    'limits',
    'api /pets',
    'auth status',
  ])('is not sent by %s if no person can be asked', async (line) => {
    const { exitCode, stdout, requests, stderr } = await run(line, { env });
    expect({ exitCode, stdout, requests }).toEqual({ exitCode: 2, stdout: '', requests: [] });
    expect(stderr).toMatch(/error: .* would send the key in PETSTORE_API_KEY to https:\/\/evil\.test/);
    expect(stderr).toContain(
      'hint: If you trust the host, set PETSTORE_BASE_URL or run: petstore config set trustedUrls https://evil.test\n',
    );
  });

  test('is not sent by --yes on a terminal without a confirmation', async () => {
    const world: World = { env, terminals: TERMINALS, prompter: person(0) };
    expect(await run('pets list --yes', world)).toMatchObject({ exitCode: 2, requests: [] });
    expect(prompts).toHaveLength(1);
  });

  test.each([
    ['PETSTORE_BASE_URL', { ...env, PETSTORE_BASE_URL: ELSEWHERE }, 'pets list'],
    ['--base-url', env, `pets list --base-url ${ELSEWHERE}`],
  ])('is sent without a warning to an address from %s', async (_, own, line) => {
    expect(await run(line, { env: own })).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('--dry-run shows the request to an address that is not confirmed', async () => {
    expect(await run('pets list --dry-run', { env })).toMatchObject({ exitCode: 0 });
  });

  test('is sent without a warning to an address in trustedUrls', async () => {
    expect(await run('config set trustedUrls https://evil.test', { currentDirectory: folder })).toMatchObject(
      {
        exitCode: 0,
      },
    );
    expect(config()).toEqual({ trustedUrls: ['https://evil.test'] });
    expect(await run('pets list', { env })).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test.each(['http://127.0.0.1:4010/v1', 'http://localhost/v1', 'http://[::1]:1/v1'])(
    'is sent with one warning to the loopback address %s',
    async (baseUrl) => {
      const currentDirectory = project({ baseUrl });
      for (const line of ['pets list', 'doctor']) {
        const { requests, stderr } = await run(line, { env, currentDirectory });
        expect(requests.length).toBeGreaterThan(0);
        expect(stderr.match(/warning: .*/g)).toEqual([
          `warning: The key in PETSTORE_API_KEY is sent to ${new URL(baseUrl).origin}, as ${currentDirectory}/petstore.config.json says. To confirm the host, set PETSTORE_BASE_URL or run: petstore config set trustedUrls ${shellWord(new URL(baseUrl).origin)}`,
        ]);
      }
    },
  );

  test('is sent after one confirmation, stored for all profiles if none is in use', async () => {
    const world: World = { env, terminals: TERMINALS };
    const refused = await run('pets list', { ...world, prompter: person(0) });
    expect(refused).toMatchObject({ exitCode: 2, requests: [] });
    expect((await run('pets list', { ...world, prompter: person(1) })).requests).toHaveLength(1);
    expect(config()).toEqual({ trustedUrls: ['https://evil.test'] });
    expect((await run('pets list', { ...world, prompter: person(0) })).requests).toHaveLength(1);
    expect(prompts).toHaveLength(2);
    expect(prompts[0]).toContain(' would send the key in PETSTORE_API_KEY to https://evil.test,');
  });

  test('with a profile in use it needs its own confirmation, in the terminal and in the hint', async () => {
    await run(`config set baseUrl ${OWN} --profile shop`, { currentDirectory: folder });
    await run('config set trustedUrls https://evil.test --profile shop', {
      env,
      currentDirectory: folder,
    });
    const { requests, stderr } = await run('pets list', { env });
    expect(requests).toEqual([]);
    const command = 'config set trustedUrls https://evil.test';
    expect(stderr).toContain(
      `hint: If you trust the host, set PETSTORE_BASE_URL or run: petstore ${command}\n`,
    );
    await run('pets list', { env, terminals: TERMINALS, prompter: person(1) });
    const confirmed = config();
    expect(confirmed).toMatchObject({
      profiles: { shop: { trustedUrls: ['https://evil.test'] } },
      trustedUrls: ['https://evil.test'],
    });
    expect((await run('pets list', { env })).requests).toHaveLength(1);
    await run('config unset trustedUrls');
    expect(config()).toEqual({ ...(confirmed as object), trustedUrls: undefined });
    expect(await run('config get trustedUrls')).toMatchObject({ exitCode: 1 });
    await run(command);
    expect(config()).toEqual(confirmed);
    expect((await run('pets list', { env })).requests).toHaveLength(1);
  });

  test('is sent after a confirmation that cannot be stored', async () => {
    const world: World = {
      env: { ...env, PETSTORE_CONFIG_DIR: '/dev/null/config' },
      terminals: TERMINALS,
      prompter: person(1),
    };
    const { requests, stderr } = await run('pets list', world);
    expect(requests).toHaveLength(1);
    expect(stderr).toMatch(
      /warning:\S* Your answer could not be saved, so you will be asked again:\s+\S*config\.json can't be written/,
    );
  });

  test('is not used by a domain check if it would need a confirmation', async () => {
    const world: World = {
      env: { ...env, PETSTORE_CONFIG_DIR: folder },
      currentDirectory: project(),
      terminals: TERMINALS,
      prompter: person(1),
    };
    const { session } = await sessionFor('domain verify a.test', world);
    expect(await inferPlan(session)).toBeUndefined();
    expect(prompts).toEqual([]);
    expect(existsSync(join(folder, 'config.json'))).toBe(false);
  });

  test.skipIf(process.platform === 'win32').each([ELSEWHERE, 'http://127.0.0.1:4010/v1'])(
    'is not sent to %s if the file belongs to another user',
    async (baseUrl) => {
      const currentDirectory = project({ baseUrl });
      const userId = changeOwner(join(currentDirectory, 'petstore.config.json'));
      const { exitCode, requests, stderr } = await run('pets list', { env, currentDirectory, userId });
      expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] });
      expect(stderr).toContain('the file belongs to another user');
      expect(stderr).toMatch(/hint: .*PETSTORE_BASE_URL or run: petstore config set trustedUrls/);
      const world: World = { env, currentDirectory, userId, terminals: TERMINALS, prompter: person(0) };
      expect(await run('pets list', world)).toMatchObject({ exitCode: 2, requests: [] });
      expect(prompts).toEqual([
        expect.stringMatching(/the\s+file\s+belongs\s+to\s+another\s+user\. Send\s+the\s+key\?/),
      ]);
      const named = { env: { ...env, PETSTORE_BASE_URL: baseUrl }, currentDirectory, userId };
      expect(await run('pets list', named)).toMatchObject({ exitCode: 0, stderr: '' });
      expect(existsSync(join(folder, 'config.json'))).toBe(false);
    },
  );
});

describe('the hint', () => {
  const KEY = { PETSTORE_API_KEY: 'sk-ci' };

  test.each([
    ['PETSTORE_API_KEY, run with it', KEY, KEY, 'sk-ci'],
    ['PETSTORE_API_KEY, run without it', KEY, {}, 'sk-ci'],
    ['the profile, run with PETSTORE_API_KEY', {}, KEY, 'sk-prod'],
    ['the profile, run without PETSTORE_API_KEY', {}, {}, 'sk-prod'],
  ])('for %s, confirms the host for its own key only', async (_, hinted, repeated, confirmed) => {
    for (const profile of ['shop', 'prod']) {
      const line = `auth login --with-key --base-url ${OWN} --profile ${profile}`;
      await run(line, { stdin: `sk-${profile}`, currentDirectory: folder });
    }
    const currentDirectory = project({ baseUrl: ELSEWHERE, profile: 'prod' });
    const { stderr } = await run('pets list', { currentDirectory, env: hinted });
    const [command] = /(?<=run: petstore ).*/.exec(stderr)!;
    expect(await run(command, { currentDirectory, env: repeated })).toMatchObject({ exitCode: 0 });
    const sent = new Set<string | undefined>();
    for (const env of [KEY, {}]) {
      for (const line of ['pets list', 'pets list --profile shop', 'pets list --profile prod']) {
        const { requests } = await run(line, { currentDirectory, env });
        for (const { headers } of requests) sent.add(headers.authorization);
      }
    }
    expect([...sent]).toEqual([`Bearer ${confirmed}`]);
  });
});

test('in CI, a key from the environment is not sent to an address of the project file', async () => {
  const env = { PETSTORE_API_KEY: 'sk-secret', CI: 'true' };
  const { exitCode, requests, stderr } = await run('pets list', { env, terminals: TERMINALS });
  expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] });
  expect(stderr).toMatch(/would\s+send\s+the\s+key\s+in\s+PETSTORE_API_KEY\s+to\s+https:\/\/evil\.test/);
});
