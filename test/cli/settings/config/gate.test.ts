import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gateSetting, openGate } from '../../../../src/cli/settings/config/gate.js';
import { UsageError } from '../../../../src/cli/errors/usage-error.js';
import { ENV, fakeContext, runFake } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { rateLimitHeaders } from '../../../support/rate-limit-headers.js';

describe('PETSTORE_GATE', () => {
  test.each([
    [{}, 'file'],
    [{ PETSTORE_GATE: '' }, 'file'],
    [{ PETSTORE_GATE: 'memory' }, 'memory'],
    [{ PETSTORE_GATE: 'redis://h' }, { redisUrl: 'redis://h' }],
    [{ PETSTORE_GATE: 'rediss://u:p@h:1/2' }, { redisUrl: 'rediss://u:p@h:1/2' }],
  ])('%j is %j', (env, choice) => {
    expect(gateSetting({ env })).toEqual(choice);
  });

  test.each(['disk', 'FILE', 'redis', 'redis://', 'http://h', 'redis://u:secret@h:x'])(
    'refuses %s',
    (value) => {
      expect(() => gateSetting({ env: { PETSTORE_GATE: value } })).toThrow(UsageError);
    },
  );

  test('an invalid value: exit code 2, nothing is sent, and the value is not shown', async () => {
    const { exitCode, stderr, requests } = await runFake('pets list', {
      env: { ...ENV, PETSTORE_GATE: 'redis:u:secret@h' },
    });
    expect({ exitCode, sent: requests.length }).toEqual({ exitCode: 2, sent: 0 });
    expect(stderr).toMatch(/^error: PETSTORE_GATE is not "memory", "file"/);
    expect(stderr).not.toContain('secret');
  });
});

describe('the gate of a command', () => {
  test('is in the state directory, which may be relative', async () => {
    const currentDirectory = temporaryFolder();
    const { context } = fakeContext({ env: { PETSTORE_STATE_DIR: 'state' }, currentDirectory });
    expect(openGate('file', context)).toMatchObject({
      id: `file:${join(currentDirectory, 'state', 'gate')}`,
    });
    expect(openGate('memory', context)).toBe('memory');
  });

  test('is in the given Redis', async () => {
    const { context } = fakeContext({});
    expect(openGate({ redisUrl: 'rediss://u:secret@h/2?prefix=p' }, context)).toMatchObject({
      id: 'rediss://h:6379/2 p',
    });
  });

  test('stores neither the key nor the address, in private files', async () => {
    const folder = temporaryFolder();
    const env = { ...ENV, PETSTORE_GATE: 'file', PETSTORE_STATE_DIR: folder };
    await runFake('pets list', { env });
    const [budget = ''] = readdirSync(join(folder, 'gate'));
    expect(budget).toMatch(/^petstore-[0-9a-f]{32}$/);
    expect(statSync(join(folder, 'gate', budget)).mode & 0o077).toBe(0);
    for (const name of readdirSync(join(folder, 'gate', budget))) {
      const path = join(folder, 'gate', budget, name);
      expect(statSync(path).mode & 0o077).toBe(0);
      expect(path + readFileSync(path, 'utf8')).not.toMatch(/sk-secret|pets\.test/);
    }
  });

  test('is in memory if a file is in the place of the state directory', async () => {
    const folder = temporaryFolder({ state: '' });
    const env = { ...ENV, PETSTORE_GATE: 'file', PETSTORE_STATE_DIR: join(folder, 'state') };
    const { exitCode, stderr } = await runFake('pets list', { env });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: `warning: The shared rate limit failed (${join(folder, 'state/gate')}: a part of the path is not a folder). It is now limited to this process.\n`,
    });
  });

  test.each(['--mock', '--dry-run', '--curl'])('touches no file with %s', async (flag) => {
    const folder = temporaryFolder();
    const env = { ...ENV, PETSTORE_GATE: 'file', PETSTORE_STATE_DIR: folder };
    const own = flag === '--mock' ? { PETSTORE_GATE: 'file', PETSTORE_STATE_DIR: folder } : env;
    expect((await runFake(`pets list ${flag}`, { env: own })).exitCode).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('--reserve', () => {
  const now = Date.UTC(2026, 0, 2, 3, 4, 5);
  const left = (remaining: number) => ({
    body: '[]',
    headers: rateLimitHeaders({ now, remaining, resetInSeconds: 55 }),
  });

  test('reserves its share across commands', async () => {
    const env = { ...ENV, PETSTORE_GATE: 'file', PETSTORE_STATE_DIR: temporaryFolder() };
    await runFake('pets list', { env, now, responses: [left(12)] });
    const bulk = await runFake('pets list --reserve 20 --max-wait 1s', { env, now });
    expect(bulk).toMatchObject({ exitCode: 6, requests: [] });
    expect((await runFake('pets list --max-wait 1s', { env, now })).exitCode).toBe(0);
  });

  test.each(['100', '-5', 'half', '1e1'])('refuses %j', async (value) => {
    const { exitCode, stderr } = await runFake(['pets', 'list', `--reserve=${value}`]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^error: --reserve: .*is not a percentage/);
  });

  test.each(['0', '20', '20%', '0.5'])('accepts %s', async (value) => {
    expect((await runFake(`pets list --reserve ${value}`)).exitCode).toBe(0);
  });
});
