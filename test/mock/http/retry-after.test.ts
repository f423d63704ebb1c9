import { expect, test } from 'vitest';
import { createMock } from '../../../src/mock/index.js';
import { readRetryAfterSeconds } from '../../../src/mock/http/response-builder.js';
import { frozenClock, NOON, sendRequest } from '../send-request.js';

const AT = (seconds: number): string => new Date(NOON + seconds * 1_000).toUTCString();

test.each([
  ['30', 30],
  ['0', 0],
  [' 7 ', 7],
  ['1.5', 1.5],
  ['5, 40', 40],
  [AT(90), 90],
  ['Saturday, 21-Nov-26 10:02:00 GMT', 90],
  ['Sat Nov 21 10:02:00 2026', 90],
  [`5, ${AT(90)}`, 90],
  [AT(-90), 0],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['1795298430', 1_795_298_430],
  ['9'.repeat(400), 1_000_000_000_000],
  ['-5', undefined],
  ['1e3', undefined],
  ['soon', undefined],
  ['', undefined],
  ['2026-11-21T10:02:00Z', undefined],
  ['Sat, 21 Foo 2026 10:02:00 GMT', undefined],
])('reads %j as %j seconds', (value, seconds) => {
  expect(readRetryAfterSeconds({ status: 429, headers: { 'retry-after': value }, body: '' }, NOON)).toBe(
    seconds,
  );
});

test('a date counts from the Date of the response', () => {
  const headers = { 'retry-after': AT(90), date: AT(60) };
  expect(readRetryAfterSeconds({ status: 429, headers, body: '' }, NOON)).toBe(30);
});

function replaying(retryAfter: string) {
  const url = 'https://pets.example/v1/pets';
  const headers = [
    { name: 'Retry-After', value: retryAfter },
    { name: 'Date', value: AT(0) },
  ];
  const response = { status: 429, headers, content: { text: '' } };
  return createMock({
    clock: frozenClock,
    replay: { log: { entries: [{ request: { method: 'GET', url }, response }] } },
  });
}

test.each(['mock-key', 'any-key', ''])('a replayed date is checked, for the key %j', (key) => {
  const mock = replaying(AT(30));
  sendRequest(mock, 'GET', '/pets', { key });
  expect(mock.journal[0]?.retryAfterSeconds).toBe(30);
  mock.advance('30s');
  sendRequest(mock, 'GET', '/pets', { key });
  expect(mock.verify.respectedRetryAfter).not.toThrow();
  mock.advance(29_999);
  sendRequest(mock, 'GET', '/pets', { key });
  expect(mock.verify.respectedRetryAfter).toThrow('1 ms early');
});

test('an unreadable value is not in the journal, and asks for no wait', () => {
  const mock = replaying('soon');
  sendRequest(mock, 'GET', '/pets');
  sendRequest(mock, 'GET', '/pets');
  expect(mock.journal[0]).not.toHaveProperty('retryAfterSeconds');
  expect(mock.verify.respectedRetryAfter).not.toThrow();
});

test('a replayed 429 is not explained by limits of the mock', () => {
  const mock = replaying('30');
  sendRequest(mock, 'GET', '/pets');
  expect(mock.explain(1)).toMatchObject({ reason: 'replay' });
  expect(mock.explain(1)).not.toHaveProperty('limits');
});
