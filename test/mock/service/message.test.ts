import { expect, test } from 'vitest';
import { errorJson } from '../../../src/mock/service/message.js';

test('a refusal has the three fields of the specification, and no other', () => {
  expect(errorJson(404, 'not_found', 'no "Rex"')).toBe(
    '{"code":"not_found","message":"no \\"Rex\\"","status":404}',
  );
});
