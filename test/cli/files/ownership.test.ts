import { expect, test } from 'vitest';
import { canOthersAccess, refuseForeignConfig } from '../../../src/cli/files/ownership.js';
import { canOthersWrite, isForeignOwner } from '../../../src/security/private-folder.js';

test.each([
  [1_000, 1_000, false],
  [0, 1_000, false],
  [1_001, 1_000, true],
  [1_000, 0, true],
  [1_001, undefined, false],
])('owner %j is foreign to user %j: %j', (ownerId, userId, expected) => {
  expect(isForeignOwner(ownerId, userId)).toBe(expected);
});

test.each([
  [0o600, false, false],
  [0o644, false, true],
  [0o710, false, true],
  [0o620, true, true],
  [0o602, true, true],
])('mode %o: others can write: %j, can access: %j', (mode, write, access) => {
  expect([canOthersWrite(mode), canOthersAccess(mode)]).toEqual([write, access]);
});

test('refuses configuration of another user and says how to fix it', () => {
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
