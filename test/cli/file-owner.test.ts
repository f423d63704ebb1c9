import { expect, test } from 'vitest';
import { isForeign, keepToOwner } from '../../src/cli/file-owner.js';

test.each([
  [1_000, 1_000, false],
  [0, 1_000, false],
  [1_001, 1_000, true],
  [1_000, 0, true],
  [1_001, undefined, false],
])('a file of %j is foreign to %j: %j', (ownerId, userId, expected) => {
  expect(isForeign(ownerId, { userId })).toBe(expected);
});

const keep = (mode: number, chmod: (mode: number) => void, userId?: number): string | undefined =>
  keepToOwner('/c/my config.json', { uid: 1_000, mode }, chmod, userId === undefined ? {} : { userId });

test('only writing is taken from others', () => {
  const modes: number[] = [];
  const chmod = (mode: number): void => void modes.push(mode);
  expect(keep(0o100644, chmod, 1_000)).toBeUndefined();
  expect(keep(0o100666, chmod, 1_000)).toMatch(/could write to .* \(0666\) until now/);
  expect(modes).toEqual([0o644]);
});

test('what can not be closed is told with the remedy', () => {
  const refuse = (): never => {
    throw new Error('EROFS');
  };
  expect(keep(0o100664, refuse, 1_000)).toBe(
    "others can write to /c/my config.json (0664): chmod go-w '/c/my config.json'",
  );
});

test('without a user nothing is judged', () => {
  expect(keep(0o100666, () => expect.unreachable())).toBeUndefined();
});
