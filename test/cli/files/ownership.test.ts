import { chmodSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  isForeignOwner,
  keepToOwner,
  othersHaveAccess,
  othersCanWrite,
  refuseForeignConfig,
} from '../../../src/cli/files/ownership.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

test.each([
  [1_000, 1_000, false],
  [0, 1_000, false],
  [1_001, 1_000, true],
  [1_000, 0, true],
  [1_001, undefined, false],
])('a file of %j is foreign to %j: %j', (ownerId, userId, expected) => {
  expect(isForeignOwner(ownerId, { userId })).toBe(expected);
});

test.each([
  [0o600, false, false],
  [0o644, false, true],
  [0o710, false, true],
  [0o620, true, true],
  [0o602, true, true],
])('mode %o: others can write %j, reach %j', (mode, write, reach) => {
  expect([othersCanWrite(mode), othersHaveAccess(mode)]).toEqual([write, reach]);
});

test('configuration of another user is refused, with the remedy', () => {
  expect(() => {
    refuseForeignConfig('/c/my config.json', 1_001, { userId: 1_000 });
  }).toThrow(
    expect.objectContaining({
      message: expect.stringContaining('/c/my config.json belongs to another user (1001)'),
      hint: expect.stringContaining("sudo chown 1000 '/c/my config.json'"),
    }),
  );
  for (const ownerId of [1_000, 0]) refuseForeignConfig('/c/config.json', ownerId, { userId: 1_000 });
});

describe.skipIf(process.platform === 'win32')('keepToOwner', () => {
  const modeOf = (path: string): number => statSync(path).mode & 0o777;
  const warn = vi.fn<(text: string) => void>();
  beforeEach(() => warn.mockClear());

  test('takes writing from others, and nothing else, and tells it', () => {
    const folder = temporaryFolder({ 'config.json': '{}' });
    const path = join(folder, 'config.json');
    chmodSync(path, 0o666);
    chmodSync(folder, 0o777);
    const places = [folder, path].map((place) => ({ path: place, found: statSync(place) }));
    keepToOwner(places, { warn });
    expect([modeOf(folder), modeOf(path)]).toEqual([0o755, 0o644]);
    expect(warn.mock.calls).toEqual([
      [`others could write to ${folder} (0777) until now: look whether all it says is yours`],
      [`others could write to ${path} (0666) until now: look whether all it says is yours`],
    ]);
  });

  test('leaves a directory that somebody named as it is, and tells the remedy', () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o777);
    keepToOwner([{ path: folder, found: statSync(folder), isNamed: true }], { warn });
    expect(modeOf(folder)).toBe(0o777);
    expect(warn.mock.calls).toEqual([[`others can write to ${folder} (0777): chmod go-w ${folder}`]]);
  });

  test('leaves what has taken the place meanwhile, and tells the remedy', () => {
    const folder = temporaryFolder({ 'my config.json': '{}', 'other.json': '{}' });
    const path = join(folder, 'my config.json');
    chmodSync(path, 0o664);
    const found = statSync(path);
    chmodSync(join(folder, 'other.json'), 0o666);
    renameSync(join(folder, 'other.json'), path);
    keepToOwner([{ path, found }], { warn });
    expect(modeOf(path)).toBe(0o666);
    expect(warn.mock.calls).toEqual([[`others can write to ${path} (0664): chmod go-w '${path}'`]]);
  });
});
