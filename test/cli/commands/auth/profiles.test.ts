import { describe, expect, test } from 'vitest';
import { keyFileOf, accountOf, authIn, person, openKeychain, SECRET } from '../../../support/auth.js';
import type { World } from '../../../support/fake-context.js';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockFile } from '../../../../src/security/file-lock.js';
import type { Prompter } from '../../../../src/cli/system/context.js';

const { config, logIn, run, setup } = authIn();

describe('list and switch', () => {
  test('switch without a name prompts on a terminal', async () => {
    await logIn();
    const world: World = { terminals: ['stdin', 'stderr'], prompter: person('') };
    expect(await run('auth switch', world)).toMatchObject({ exitCode: 0 });
  });
});

test('removes nothing while another process holds the lock', async () => {
  await logIn();
  const lock = await lockFile(join(setup.folder, 'config.json'), { clock: { setTimeout } });
  const { exitCode, stderr } = await run('auth logout');
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: expect.stringMatching(/Another petstore [^]*config\.json\.lock/),
  });
  expect(readFileSync(join(setup.folder, keyFileOf()), 'utf8')).toBe(`${SECRET}\n`);
  lock?.release();
});

test('removes an older key from the keychain too', async () => {
  const keychain = openKeychain();
  await logIn('', { keychain });
  const account = accountOf('default', setup.folder);
  const { stderr } = await logIn();
  expect(stderr).toContain('warning: The keychain may still hold an older key (not available here)');
  expect(await keychain.find(account)).toBe(SECRET);
  expect((await run('auth logout', { keychain })).stderr).toBe('Removed the key of profile "default".\n');
  expect(await keychain.find(account)).toBeUndefined();
});

const terminals = ['stdin', 'stdout', 'stderr'] as const;

function answering(value: string, questions: string[] = []): Prompter {
  const never = () => Promise.reject(new Error('not expected'));
  return {
    secret: never,
    text: never,
    choose(question, choices) {
      questions.push(question);
      expect(choices[0]?.value).toBe('no');
      return Promise.resolve(value);
    },
  };
}

test('asks on a terminal, and deletes the profile with its key file', async () => {
  await logIn();
  const questions: string[] = [];
  const { exitCode, stderr } = await run('auth delete default', {
    terminals,
    prompter: answering('yes', questions),
  });
  expect(questions).toEqual(['Delete profile "default" and its key?']);
  expect(exitCode).toBe(0);
  expect(stderr).toContain('Deleted profile "default" and its key.\n');
  expect(config()).toEqual({ profiles: {} });
  expect(existsSync(join(setup.folder, keyFileOf()))).toBe(false);
});

test('deletes nothing if the user declines, or cannot be asked', async () => {
  await logIn();
  const before = config();
  const declined = await run('auth delete default', { terminals, prompter: answering('no') });
  expect(declined.exitCode).toBe(2);
  expect(declined.stderr).toContain('Nothing was deleted\n');
  const piped = await run('auth delete default');
  expect(piped.exitCode).toBe(2);
  expect(piped.stderr).toContain('hint: Pass --yes to confirm.\n');
  expect(config()).toEqual(before);
  expect(readFileSync(join(setup.folder, keyFileOf()), 'utf8')).toBe(`${SECRET}\n`);
});

test('--yes deletes without a prompt, also from the keychain', async () => {
  const keychain = openKeychain();
  await logIn('', { keychain });
  const { exitCode, stderr } = await run('auth delete default -y', { keychain });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: 'Deleted profile "default" and its key.\n' });
  expect(await keychain.find(accountOf('default', setup.folder))).toBeUndefined();
});
