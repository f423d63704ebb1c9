import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { doctorIn } from '../../../support/doctor.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const { doctor, configure, directories } = doctorIn();

/** Makes it with this mode, and what is above it for its owner alone. */
function put(path: string, mode: number, kind: 'file' | 'directory' = 'file'): string {
  mkdirSync(kind === 'file' ? dirname(path) : path, { recursive: true, mode: 0o700 });
  if (kind === 'file') writeFileSync(path, '[]');
  chmodSync(path, mode);
  return path;
}

const remedy = (variable: string, path: string) =>
  `Set ${variable} to a folder that only you can write, or run: chmod go-w ${path}`;

describe.skipIf(process.platform === 'win32')('paths that other users can access', () => {
  test.each([
    ['config.json', 0o644, 'warn'],
    ['config.json', 0o666, 'failed'],
    ['keys/shop.key', 0o640, 'failed'],
    ['keys/.123.456.tmp', 0o640, 'failed'],
  ])('%s with mode %o: %s, with a command as remedy', async (name, mode, state) => {
    const path = configure(name, name === 'config.json' ? {} : 'sk-x');
    chmodSync(path, mode);
    const { finding, remedy, state: seen } = (await doctor()).found('permissions');
    expect({ seen, remedy }).toEqual({ seen: state, remedy: `chmod 600 ${path}` });
    expect(finding).toContain(`(0${mode.toString(8)})`);
  });

  test.each([
    [0o777, 'failed'],
    // Sticky, as /tmp.
    [0o1777, 'ok'],
  ])('a named directory with mode %o: %s', async (mode, state) => {
    put(directories.state, mode, 'directory');
    const check = (await doctor()).found('permissions');
    expect(check).toMatchObject({
      state,
      remedy: state === 'ok' ? null : remedy('PETSTORE_STATE_DIR', directories.state),
    });
  });

  test.each([
    [0o755, 'ok'],
    [0o777, 'warn'],
  ])('compiled code with mode %o: %s', async (mode, state) => {
    const XDG_CACHE_HOME = temporaryFolder();
    const code = put(join(XDG_CACHE_HOME, 'petstore/compiled'), mode, 'directory');
    const check = (await doctor({ env: { XDG_CACHE_HOME } })).found('permissions');
    expect(check).toMatchObject({ state, remedy: state === 'ok' ? null : remedy('XDG_CACHE_HOME', code) });
  });
});

test.skipIf(process.geteuid?.() !== 0)(
  'of root are no problem of the user, who must be able to read them',
  async () => {
    chmodSync(configure('config.json', {}), 0o644);
    expect((await doctor({ userId: 501 })).found('permissions').state).toBe('ok');
  },
);

test('is skipped on Windows', async () => {
  expect((await doctor({ platform: 'win32' })).found('permissions').state).toBe('skipped');
});
