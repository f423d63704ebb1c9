import { expect, test } from 'vitest';
import { withTextTimes } from '../../../../src/cli/commands/domain/text-times.js';

test('replaces dates at any depth by RFC 3339 texts in UTC', () => {
  const at = new Date('2026-11-21T15:00:00+01:00');
  expect(withTextTimes({ at, list: [{ at }, 'text', null, 1], none: undefined })).toEqual({
    at: '2026-11-21T14:00:00.000Z',
    list: [{ at: '2026-11-21T14:00:00.000Z' }, 'text', null, 1],
    none: undefined,
  });
});
