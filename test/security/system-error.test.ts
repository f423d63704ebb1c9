import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { systemErrorCode, systemErrorReason } from '../../src/security/system-error.js';

test('returns code and meaning of a system error', () => {
  expect(() => readFileSync('/dev/null/file')).toThrow(
    expect.toSatisfy(
      (error) =>
        systemErrorCode(error) === 'ENOTDIR' &&
        systemErrorReason(error) === 'a part of the path is not a folder',
    ),
  );
  expect(systemErrorReason(new Error('odd'))).toBe('odd');
  expect(systemErrorReason(Object.assign(new Error('odd'), { code: 'ENEW' }))).toBe('ENEW');
  for (const error of ['odd', undefined])
    expect([systemErrorCode(error), systemErrorReason(error)]).toEqual([undefined, 'unknown reason']);
});
