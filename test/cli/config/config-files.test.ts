import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfigFile, readProjectFile } from '../../../src/cli/config/config-files.js';
import { giveAway } from '../../support/give-away.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

describe('readProjectFile', () => {
  test('takes the nearest, upward', () => {
    const folder = temporaryFolder({
      'petstore.config.json': { profile: 'far' },
      'a/petstore.config.json': { profile: 'near', baseUrl: 'https://a.test', domains: [], target: 't' },
      'a/b/keep': '',
    });
    const path = join(folder, 'a/petstore.config.json');
    const content = { profile: 'near', baseUrl: 'https://a.test', domains: [], target: 't' };
    expect(readProjectFile(join(folder, 'a/b'))).toEqual({
      ...{ path, profile: 'near', baseUrl: 'https://a.test', ownerIds: [process.geteuid?.() ?? 0] },
      content,
    });
  });

  test.skipIf(process.geteuid?.() !== 0)('is of whoever made the link to it as well', () => {
    const folder = temporaryFolder({ 'own.json': { profile: 'shop' } });
    symlinkSync('own.json', join(folder, 'petstore.config.json'));
    giveAway(join(folder, 'petstore.config.json'));
    expect(readProjectFile(folder)).toMatchObject({ ownerIds: [4_242, 0] });
  });

  test('is absent where there is none', () => {
    expect(readProjectFile(temporaryFolder())).toBeUndefined();
  });

  test.each([
    [{ apiKey: 'sk-secret' }, 'apiKey'],
    [{ 'x-api-key': 'sk-secret' }, 'x-api-key'],
    [{ domains: [{ name: 'a.test', apiKey: 'sk-secret' }] }, 'domains[0].apiKey'],
    [
      { redirects: [{ from: 'a.test', headers: { Authorization: 'sk-secret' } }] },
      'redirects[0].headers.Auth',
    ],
  ])('refuses a key in %j, and never shows it', (content, place) => {
    const folder = temporaryFolder({ 'petstore.config.json': content });
    expect(() => readProjectFile(folder)).toThrow(/a key does not belong in this file/);
    expect(() => readProjectFile(folder)).toThrow(place);
    expect(() => readProjectFile(folder)).not.toThrow(/sk-secret/);
  });

  test.each([
    [{ baseURL: 'x' }, /unknown field, baseURL/, 'did you mean baseUrl?'],
    [{ '\n::x': 1 }, /unknown field, "\\n::x"/, expect.stringContaining('known here: ')],
    [{ a: { '\n::x': { key: 1 } } }, /a\."\\n::x"\.key in/, expect.stringContaining('remove it there')],
    [{ profile: 5 }, /profile in .* must be a string/, 'petstore help config shows an example'],
    [[], /must be a JSON object/, 'petstore help config shows an example'],
    [
      '{\n  "profile": shop\n}',
      /petstore\.config\.json, line 2, column 14 is not JSON/,
      'correct the file at that place',
    ],
    [
      '{\n  "target": "a.example",\n  "target": "b.example"\n}',
      /petstore\.config\.json, line 3, column 3 says "target" a second time/,
      'keep one of the two: only the last would count',
    ],
    [
      '{ "redirects": [{ "from": "a", "to": "b", "from": "c" }] }',
      /petstore\.config\.json, line 1, column 43 says "from" a second time/,
      'keep one of the two: only the last would count',
    ],
  ])('refuses %j', (content, message, hint) => {
    const folder = temporaryFolder({ 'petstore.config.json': content });
    expect(() => readProjectFile(folder)).toThrow(
      expect.objectContaining({ message: expect.stringMatching(message), hint }),
    );
  });

  test('names a file that it may not read', () => {
    const folder = temporaryFolder({ 'petstore.config.json/keep': '' });
    expect(() => readProjectFile(folder)).toThrow(/can't be read \(it is a directory\)/);
  });
});

test('a file larger than either ever is, is refused unread', () => {
  const folder = temporaryFolder({ 'config.json': '{}', 'petstore.config.json': '{}' });
  for (const name of ['config.json', 'petstore.config.json']) truncateSync(join(folder, name), 3 * 2 ** 30);
  const refusal =
    /config\.json can't be read \(it is 3221225472 bytes long, and the maximum is 1048576 bytes\)/;
  const env = { PETSTORE_CONFIG_DIR: folder };
  expect(() =>
    readConfigFile({ env, homeDirectory: '/nowhere', platform: 'linux', userId: undefined }),
  ).toThrow(refusal);
  expect(() => readProjectFile(folder)).toThrow(refusal);
});

test.skipIf(process.platform === 'win32')(
  'a named pipe in the place of either file is refused unopened',
  () => {
    const folder = temporaryFolder();
    for (const name of ['petstore.config.json', 'config.json']) spawnSync('mkfifo', [join(folder, name)]);
    const refusal = /config\.json can't be read \(it is a named pipe\)/;
    expect(() => readProjectFile(folder)).toThrow(refusal);
    const context = {
      env: { PETSTORE_CONFIG_DIR: folder },
      homeDirectory: '',
      platform: 'linux',
      userId: undefined,
    };
    expect(() => readConfigFile(context)).toThrow(refusal);
  },
);

describe('readConfigFile', () => {
  const read = (content: unknown) => {
    const folder = temporaryFolder({ 'config.json': content });
    return readConfigFile({
      env: { PETSTORE_CONFIG_DIR: folder },
      homeDirectory: '/nowhere',
      platform: 'linux',
      userId: undefined,
    });
  };

  test('an absent file has no profiles', () => {
    const env = { PETSTORE_CONFIG_DIR: '/nowhere' };
    expect(readConfigFile({ env, homeDirectory: '', platform: 'linux', userId: undefined })).toEqual({
      path: '/nowhere/config.json',
      profiles: {},
      openToOthers: [],
    });
  });

  test('reads profiles, also after a byte order mark', () => {
    const shop = { baseUrl: 'https://a.test', stagingUrl: 'https://b.test', output: 'yaml', color: 'never' };
    expect(read(`\uFEFF${JSON.stringify({ profile: 'shop', profiles: { shop } })}`)).toMatchObject({
      profile: 'shop',
      profiles: { shop },
    });
  });

  test.each([
    [{ profiles: { shop: { output: 'jsn' } } }, /profiles\.shop\.output in .*"jsn"/],
    [{ profiles: { shop: { color: 'red' } } }, /profiles\.shop\.color in .*"red"/],
    [{ profiles: { shop: { apiKey: 'x' } } }, /profiles\.shop\.apiKey in .*a key does not belong/],
    [{ profiles: { shop: 'x' } }, /profiles\.shop in .* must be a JSON object/],
    [{ profiles: [] }, /profiles in .* must be a JSON object/],
    [{ profiles: { shop: { baseUrl: 1 } } }, /shop\.baseUrl in .* must be a string/],
    [{ profle: 'x' }, /unknown field, profle/],
    [{ trustedUrls: 'https://a.test' }, /trustedUrls in .* must be a list of strings/],
    [{ trustedUrls: [1] }, /trustedUrls in .* must be a list of strings/],
    ['{', /config\.json, line 1, column 2 is not JSON: did not expect the end of the text/],
  ])('refuses %j', (content, message) => {
    expect(() => read(content)).toThrow(message);
  });
});

describe.skipIf(process.platform === 'win32')(
  'config.json and its directory are for their owner alone',
  () => {
    const modeOf = (path: string): number => statSync(path).mode & 0o777;
    const userId = process.geteuid?.();
    const readNamed = (folder: string) =>
      readConfigFile({
        env: { PETSTORE_CONFIG_DIR: folder },
        homeDirectory: '',
        platform: 'linux',
        userId,
      });

    test('that of somebody else is refused unread, with the remedy', () => {
      const folder = temporaryFolder({ 'config.json': 'not even JSON' });
      const context = {
        env: { PETSTORE_CONFIG_DIR: folder },
        homeDirectory: '',
        platform: 'linux',
        userId: giveAway(join(folder, 'config.json')),
      };
      expect(() => readConfigFile(context)).toThrow(
        expect.objectContaining({
          name: 'UsageError',
          message: expect.stringMatching(/config\.json belongs to another user/),
          hint: expect.stringMatching(/sudo chown \d+ .*config\.json; .*PETSTORE_CONFIG_DIR/),
        }),
      );
    });

    test('what others could write to is told, and left as it is', () => {
      const home = temporaryFolder();
      const directory = join(home, '.config', 'petstore');
      const path = join(directory, 'config.json');
      mkdirSync(directory, { recursive: true });
      writeFileSync(path, '{}');
      chmodSync(path, 0o664);
      chmodSync(directory, 0o777);
      const context = { env: {}, homeDirectory: home, platform: 'linux', userId };
      expect(readConfigFile(context).openToOthers).toMatchObject([
        { path: directory, found: { ino: statSync(directory).ino } },
        { path, found: { ino: statSync(path).ino } },
      ]);
      expect([modeOf(directory), modeOf(path)]).toEqual([0o777, 0o664]);
      chmodSync(path, 0o644);
      chmodSync(directory, 0o755);
      expect(readConfigFile(context).openToOthers).toEqual([]);
    });

    test.each([
      [0o777, true],
      [0o1777, false],
      [0o755, false],
    ])('a directory that somebody names, of mode %o, is theirs to close', (mode, isTold) => {
      const folder = temporaryFolder({ 'config.json': '{}' });
      chmodSync(folder, mode);
      const { openToOthers } = readNamed(folder);
      expect(openToOthers.map(({ path, isNamed }) => ({ path, isNamed }))).toEqual(
        isTold ? [{ path: folder, isNamed: true }] : [],
      );
    });

    test.skipIf(userId !== 0).each(['config.json', '.'])(
      '%s of another user is refused there too',
      (name) => {
        const folder = temporaryFolder({ 'own.json': '{}' });
        symlinkSync('own.json', join(folder, 'config.json'));
        giveAway(join(folder, name));
        expect(() => readNamed(folder)).toThrow(/belongs to another user \(4242\)/);
      },
    );
  },
);
