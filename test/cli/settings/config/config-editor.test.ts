import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type ConfigDraft,
  editConfig,
  profileIn,
} from '../../../../src/cli/settings/config/config-editor.js';
import { lockFile } from '../../../../src/security/file-lock.js';
import { homeDirectory } from '../../../../src/cli/system/process-directories.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const clock = {
  now: () => Date.now(),
  setTimeout: (callback: () => void) => {
    const handle = setImmediate(callback);
    return () => {
      clearImmediate(handle);
    };
  },
};
const contextIn = (folder: string) => ({
  env: { PETSTORE_CONFIG_DIR: folder },
  homeDirectory: '/nowhere',
  platform: 'linux',
  userId: undefined,
  clock,
});
const read = (folder: string): unknown => JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));

test('creates the file with mode 0600 and leaves no other files', async () => {
  const folder = join(temporaryFolder(), 'deep');
  await editConfig(contextIn(folder), (draft) => {
    draft.profiles = { shop: { output: 'json' } };
  });
  expect(read(folder)).toEqual({ profiles: { shop: { output: 'json' } } });
  expect(statSync(join(folder, 'config.json')).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['config.json']);
});

test('leaves the file unchanged and unlocked if the edit throws', async () => {
  const folder = temporaryFolder({ 'config.json': { profile: 'shop', profiles: { shop: {} } } });
  const refuse = editConfig(contextIn(folder), (draft) => {
    draft.profile = 'other';
    throw new Error('no');
  });
  await expect(refuse).rejects.toThrow('no');
  expect(read(folder)).toEqual({ profile: 'shop', profiles: { shop: {} } });
  expect(readdirSync(folder)).toEqual(['config.json']);
});

test('writes nothing if the lock was lost', async () => {
  const folder = temporaryFolder({ 'config.json': { profile: 'shop', profiles: { shop: {} } } });
  const path = join(folder, 'config.json');
  let next: Awaited<ReturnType<typeof lockFile>>;
  const late = editConfig(contextIn(folder), async (draft) => {
    draft.profile = 'other';
    rmSync(`${path}.lock`, { recursive: true });
    next = await lockFile(path, { clock });
  });
  await expect(late).rejects.toThrow('Another petstore process changed');
  expect(read(folder)).toMatchObject({ profile: 'shop' });
  expect(next?.isHeld()).toBe(true);
});

test.skipIf(process.platform === 'win32')(
  'does not block on a named pipe at the path of the lock',
  async () => {
    const folder = temporaryFolder();
    spawnSync('mkfifo', [join(folder, 'config.json.lock')]);
    const refused = editConfig(contextIn(folder), () => undefined);
    await expect(refused).rejects.toThrow('Another petstore process is changing');
  },
);

test('reports a directory that is not writable', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'taken'), '');
  await expect(editConfig(contextIn(join(folder, 'taken')), () => undefined)).rejects.toMatchObject({
    hint: expect.stringContaining('PETSTORE_CONFIG_DIR'),
  });
});

test('finds only own properties as profiles', () => {
  const draft: ConfigDraft = { profiles: { shop: { output: 'json' } } };
  expect(profileIn(draft, 'shop')).toBe(draft.profiles?.shop);
  for (const name of [undefined, 'other', 'constructor']) expect(profileIn(draft, name)).toBeUndefined();
  expect(profileIn({}, 'shop')).toBeUndefined();
});

test('without a home directory, says what to set', async () => {
  const context = {
    ...contextIn(''),
    env: {},
    homeDirectory: homeDirectory([() => join(temporaryFolder(), 'missing')]),
  };
  await expect(editConfig(context, () => undefined)).rejects.toMatchObject({
    message: 'No home directory found for the configuration',
    hint: 'Set HOME to an existing directory, or set PETSTORE_CONFIG_DIR.',
  });
});
