import { spawnSync } from 'node:child_process';
import { symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfigFile, readProjectFile } from '../../../../src/cli/settings/config/config-files.js';
import { changeOwner } from '../../../support/change-owner.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const contextIn = (folder: string, userId?: number) => ({
  env: { PETSTORE_CONFIG_DIR: folder },
  homeDirectory: '/nowhere',
  platform: 'linux',
  userId,
});

describe('readProjectFile', () => {
  test('reads the nearest file upwards', () => {
    const folder = temporaryFolder({
      'petstore.config.json': { profile: 'far' },
      'a/petstore.config.json': { profile: 'near', baseUrl: 'https://a.test', domains: [], target: 't' },
      'a/b/keep': '',
    });
    const path = join(folder, 'a/petstore.config.json');
    const content = { profile: 'near', baseUrl: 'https://a.test', domains: [], target: 't' };
    expect(readProjectFile(join(folder, 'a/b'))).toEqual({
      path,
      profile: 'near',
      baseUrl: 'https://a.test',
      ownerIds: [process.geteuid?.() ?? 0],
      content,
    });
  });

  test.skipIf(process.geteuid?.() !== 0)('has the owner of the link as well', () => {
    const folder = temporaryFolder({ 'own.json': { profile: 'shop' } });
    symlinkSync('own.json', join(folder, 'petstore.config.json'));
    changeOwner(join(folder, 'petstore.config.json'));
    expect(readProjectFile(folder)).toMatchObject({ ownerIds: [4_242, 0] });
  });

  test('returns undefined if there is no file', () => {
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
  ])('refuses a key in %j and never shows it', (content, place) => {
    const folder = temporaryFolder({ 'petstore.config.json': content });
    expect(() => readProjectFile(folder)).toThrow(/an API key does not belong in this file/);
    expect(() => readProjectFile(folder)).toThrow(place);
    expect(() => readProjectFile(folder)).not.toThrow(/sk-secret/);
  });

  test.each([
    [{ baseURL: 'x' }, /Unknown field "baseURL" in/, 'Did you mean "baseUrl"?'],
    [{ '\n::x': 1 }, /Unknown field "\^J::x" in/, expect.stringContaining('Known fields: ')],
    [{ a: { '\n::x': { key: 1 } } }, /a\."\^J::x"\.key in/, expect.stringContaining('Remove it')],
    [{ profile: 5 }, /profile in .* must be a string/, 'Run "petstore help config" to see an example.'],
    [[], /must be a JSON object/, 'Run "petstore help config" to see an example.'],
    [
      '{\n  "profile": shop\n}',
      /petstore\.config\.json, line 2, column 14 is not JSON/,
      'Fix the JSON at this position.',
    ],
    [
      '{\n  "target": "a.example",\n  "target": "b.example"\n}',
      /petstore\.config\.json, line 3, column 3: duplicate field "target"/,
      'Remove one of the two.',
    ],
    [
      '{ "redirects": [{ "from": "a", "to": "b", "from": "c" }] }',
      /petstore\.config\.json, line 1, column 43: duplicate field "from"/,
      'Remove one of the two.',
    ],
  ])('refuses %j', (content, message, hint) => {
    const folder = temporaryFolder({ 'petstore.config.json': content });
    expect(() => readProjectFile(folder)).toThrow(
      expect.objectContaining({ name: 'UsageError', message: expect.stringMatching(message), hint }),
    );
  });

  test('reports a path that is not a file', () => {
    const folder = temporaryFolder({ 'petstore.config.json/keep': '' });
    expect(() => readProjectFile(folder)).toThrow(/can't be read \(it is a directory\)/);
  });
});

test('refuses a file that is too large without reading it', () => {
  const folder = temporaryFolder({ 'config.json': '{}', 'petstore.config.json': '{}' });
  for (const name of ['config.json', 'petstore.config.json']) truncateSync(join(folder, name), 3 * 2 ** 30);
  const refusal =
    /config\.json can't be read \(it is 3221225472 bytes long, and the maximum is 1048576 bytes\)/;
  expect(() => readConfigFile(contextIn(folder))).toThrow(refusal);
  expect(() => readProjectFile(folder)).toThrow(refusal);
});

test.skipIf(process.platform === 'win32')('refuses a named pipe without opening it', () => {
  const folder = temporaryFolder();
  for (const name of ['petstore.config.json', 'config.json']) spawnSync('mkfifo', [join(folder, name)]);
  const refusal = /config\.json can't be read \(it is a named pipe\)/;
  expect(() => readProjectFile(folder)).toThrow(refusal);
  expect(() => readConfigFile(contextIn(folder))).toThrow(refusal);
});

describe('readConfigFile', () => {
  const read = (content: unknown) => {
    const folder = temporaryFolder({ 'config.json': content });
    return readConfigFile(contextIn(folder));
  };

  test('a missing file has no profiles', () => {
    expect(readConfigFile(contextIn('/nowhere'))).toEqual({
      path: '/nowhere/config.json',
      profiles: {},
    });
  });

  test('reads profiles, also after a byte order mark', () => {
    const shop = { baseUrl: 'https://a.test', stagingUrl: 'https://b.test', output: 'yaml', color: 'never' };
    expect(read(`\uFEFF${JSON.stringify({ profile: 'shop', profiles: { shop } })}`)).toMatchObject({
      profile: 'shop',
      profiles: { shop },
    });
  });
});

describe.skipIf(process.platform === 'win32')('the owner of config.json', () => {
  const userId = process.geteuid?.();
  test.skipIf(userId !== 0)('refuses a file of another user without reading it', () => {
    const folder = temporaryFolder({ 'config.json': 'not even JSON' });
    const context = contextIn(folder, changeOwner(join(folder, 'config.json')));
    expect(() => readConfigFile(context)).toThrow(
      expect.objectContaining({
        name: 'UsageError',
        message: expect.stringMatching(/config\.json belongs to another user/),
        hint: expect.stringMatching(/sudo chown \d+ .*config\.json$/),
      }),
    );
  });

  test.skipIf(userId !== 0).each(['config.json', '.'])('refuses %s of another user', (name) => {
    const folder = temporaryFolder({ 'own.json': '{}' });
    symlinkSync('own.json', join(folder, 'config.json'));
    changeOwner(join(folder, name));
    expect(() => readConfigFile(contextIn(folder, userId))).toThrow(/belongs to another user \(4242\)/);
  });
});
