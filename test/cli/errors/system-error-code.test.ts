import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { systemErrorCode } from '../../../src/cli/errors/system-error-code.js';

test('returns the code of a system error', () => {
  expect(() => readFileSync('/dev/null/file')).toThrow(
    expect.toSatisfy((error) => systemErrorCode(error) === 'ENOTDIR'),
  );
  for (const error of [new Error('odd'), 'odd', { code: 'EACCES' }, undefined])
    expect(systemErrorCode(error)).toBe('unknown reason');
});
