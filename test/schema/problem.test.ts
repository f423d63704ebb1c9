import { expect, test } from 'vitest';
import { readProblem } from '../../src/schema/problem.js';

test.each([
  [
    { code: 'x', message: 'no', status: 400 },
    { code: 'x', message: 'no', status: 400 },
  ],
  [{ code: 'x' }, { code: 'x' }],
  [{ code: 1, message: null, status: '400' }, {}],
  [{ code: '', message: '' }, {}],
  [null, {}],
  ['text', {}],
  [undefined, {}],
])('reads the well-formed fields of %o', (body, expected) => {
  expect(readProblem(body)).toEqual(expected);
});
