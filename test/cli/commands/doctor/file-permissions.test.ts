import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { doctorIn } from '../../../support/doctor.js';
import { changeOwner } from '../../../support/change-owner.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const { doctor, configure, directories } = doctorIn();
const BUDGET = `gate/petstore-${'0'.repeat(32)}/1`;
const JOURNAL = 'imports/20260102T030405Z-0123abcd.journal';

/** Makes it with this mode, and what is above it for its owner alone. */
function put(path: string, mode: number, kind: 'file' | 'directory' = 'file'): string {
  mkdirSync(kind === 'file' ? dirname(path) : path, { recursive: true, mode: 0o700 });
  if (kind === 'file') writeFileSync(path, '[]');
  chmodSync(path, mode);
  return path;
}

describe.skipIf(process.platform === 'win32')('paths that other users can access', () => {
  test.each([
    ['config.json', 0o644, 'warn'],
    ['config.json', 0o666, 'failed'],
    ['keys/shop.key', 0o640, 'failed'],
    ['keys/.123.456.tmp', 0o640, 'failed'],
  ])('%s with mode %o: %s, with a command as remedy', async (name, mode, state) => {
    const path = configure(name, name === 'config.json' ? {} : 'sk-x');
    chmodSync(path, mode);
    const { finding, remedy, state: seen, details } = (await doctor()).found('permissions');
    expect({ seen, remedy }).toEqual({ seen: state, remedy: `chmod 600 ${path}` });
    expect(finding).toContain(`(0${mode.toString(8)})`);
    expect(details).toMatchObject({ places: [{ path, mode: `0${mode.toString(8)}` }] });
  });

  test.each(['seen-pets.json', 'verified-domains.json', BUDGET, JOURNAL, `${JOURNAL}.input`])(
    'warns about %s in the state directory',
    async (name) => {
      const path = put(join(directories.state, name), 0o644);
      // A budget is kept by the folder that it is in.
      const open = name === BUDGET ? put(dirname(path), 0o755, 'directory') : path;
      expect((await doctor()).found('permissions')).toMatchObject({
        state: 'warn',
        remedy: `chmod ${name === BUDGET ? '700' : '600'} ${open}`,
      });
    },
  );

  test('ignores a shared directory that the user named, and unknown files in it', async () => {
    put(directories.state, 0o755, 'directory');
    for (const stranger of ['notes.txt', 'gate/other', 'imports/pets.csv', 'gate/petstore-1'])
      put(join(directories.state, stranger), 0o666);
    chmodSync(join(directories.state, 'gate'), 0o777);
    expect((await doctor()).found('permissions').state).toBe('ok');
    expect(statSync(directories.state).mode & 0o777).toBe(0o755);
  });

  test.each([
    [0o777, 'failed'],
    // Sticky, as /tmp.
    [0o1777, 'ok'],
  ])('a named directory with mode %o: %s', async (mode, state) => {
    put(directories.state, mode, 'directory');
    const check = (await doctor()).found('permissions');
    expect(check).toMatchObject({ state, remedy: state === 'ok' ? null : `chmod go-w ${directories.state}` });
  });

  test('warns about the default directory', async () => {
    const homeDirectory = temporaryFolder();
    const state = put(join(homeDirectory, '.local/state/petstore'), 0o755, 'directory');
    const world = { homeDirectory, env: { PETSTORE_STATE_DIR: '' } };
    expect((await doctor(world)).found('permissions')).toMatchObject({
      state: 'warn',
      remedy: `chmod 700 ${state}`,
    });
  });

  test.each([
    [0o755, 'ok'],
    [0o777, 'failed'],
  ])('compiled code with mode %o: %s', async (mode, state) => {
    const XDG_CACHE_HOME = temporaryFolder();
    const code = put(join(XDG_CACHE_HOME, 'petstore/compiled'), mode, 'directory');
    const check = (await doctor({ env: { XDG_CACHE_HOME } })).found('permissions');
    expect(check).toMatchObject({ state, remedy: state === 'ok' ? null : `chmod go-w ${code}` });
  });

  test.each(['config.json', 'keys/shop.key', 'keys'])('finds %s of another user', async (name) => {
    const path = configure(name === 'keys' ? 'keys/shop.key' : name, {});
    const own = statSync(path).uid;
    if (own === 0) changeOwner(join(directories.config, name));
    const { details } = (await doctor({ userId: own === 0 ? 0 : own + 1 })).found('permissions');
    const ownerId = own === 0 ? 4_242 : own;
    expect(details?.places).toContainEqual(
      expect.objectContaining({ path: join(directories.config, name), ownerId }),
    );
  });

  test.skipIf(process.geteuid?.() !== 0)('changes the owner of a file as remedy', async () => {
    const path = configure('keys/shop.key', 'sk-x');
    const userId = changeOwner(path);
    expect((await doctor({ userId })).found('permissions')).toMatchObject({
      state: 'failed',
      finding: expect.stringMatching(/belongs to another user/),
      remedy: expect.stringMatching(/^sudo chown -h "\$\(id -u\)" .*shop\.key/),
    });
  });

  test('ignores other files of another user', async () => {
    put(join(directories.state, 'seen-pets.json'), 0o666);
    const own = statSync(directories.state).uid;
    const places = async (userId: number) => (await doctor({ userId })).found('permissions').details?.places;
    expect(await places(own)).toHaveLength(1);
    // Only the folder that the other user owns, because state is not stored in it.
    const others = await places(own + 1);
    expect(JSON.stringify(others ?? [])).not.toContain('seen-pets');
  });
});

test('is skipped on Windows', async () => {
  expect((await doctor({ platform: 'win32' })).found('permissions').state).toBe('skipped');
});
