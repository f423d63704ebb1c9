import { expect, test } from 'vitest';
import { readProblem, readReason } from '../../src/schema/problem.js';

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

test.each<[what: string, body: unknown, reason: string | undefined]>([
  ['the specification', { code: 'bad', message: 'no such category', status: 400 }, 'no such category'],
  [
    'problem details',
    { type: 'about:blank', title: 'Bad Request', status: 400, detail: 'name is too long' },
    'name is too long',
  ],
  ['problem details without detail', { title: 'Bad Request', status: 400 }, 'Bad Request'],
  [
    'problem details with errors',
    { title: 'Invalid', errors: [{ pointer: '/name', detail: 'too long' }] },
    'Invalid: name: too long',
  ],
  [
    'FastAPI',
    {
      detail: [
        { loc: ['body', 'name'], msg: 'too long', type: 'x' },
        { loc: [0], msg: 'no' },
      ],
    },
    'name: too long; no',
  ],
  ['a nested error', { error: { code: 7, message: 'too long' } }, 'too long'],
  ['an error as text', { error: 'too long' }, 'too long'],
  ['OAuth', { error: 'invalid_request', error_description: 'too long' }, 'too long'],
  ['JSON:API', { errors: [{ title: 'Invalid', detail: 'too long' }] }, 'too long'],
  ['GraphQL', { data: null, errors: [{ message: 'too long', path: ['createPet'] }] }, 'createPet: too long'],
  [
    'errors of fields',
    { title: 'Invalid', errors: { Name: ['too long', 'odd'], category: 'unknown' } },
    'Invalid: Name: too long; Name: odd; category: unknown',
  ],
  ['NestJS', { statusCode: 400, message: ['too long', 'odd'], error: 'Bad Request' }, 'too long; odd'],
  [
    'a message and errors',
    { message: 'Validation failed', errors: [{ field: 'name', message: 'too long' }] },
    'Validation failed: name: too long',
  ],
  ['a list', [{ message: 'a' }, { message: 'a' }, { message: 'b' }], 'a; b'],
  ['text', 'too long', 'too long'],
  ['blank text', { message: '  ', detail: 'too long' }, 'too long'],
  ['no reason', { code: 'x', status: 400 }, undefined],
  ['a number', 7, undefined],
  ['nothing', undefined, undefined],
  ['a reason that is too deep', { error: { error: { error: { error: { message: 'x' } } } } }, undefined],
])('finds the reason: %s', (_, body, reason) => {
  expect(readReason(body)).toBe(reason);
});
