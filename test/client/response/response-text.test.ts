import { describe, expect, test } from 'vitest';
import { decodeUtf8, excerpt } from '../../../src/client/response/response-text.js';
import { InvalidResponseError } from '../../../src/errors.js';
import { anyCharacter } from '../../support/any-character.js';
import { bytes, head, rawThenEnd, type Responder } from '../../support/scripted-server.js';
import { openScripted, openStore, rejection, TRANSPORTS } from '../../support/stores.js';

describe('decodeUtf8', () => {
  test.each([
    ['a lone continuation byte', [0x80]],
    ['ISO 8859-1', [0x22, 0xe9, 0x22]],
    ['a truncated sequence', [0xe2, 0x82]],
    ['an overlong form', [0xc0, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['above U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
    ['UTF-16 with a byte order mark', [0xff, 0xfe, 0x5b, 0x00, 0x5d, 0x00]],
  ])('rejects %s', (_, body) => expect(decodeUtf8(Uint8Array.from(body))).toBeUndefined());

  test('drops a byte order mark', () => expect(decodeUtf8(Buffer.from('\ufeff[]'))).toBe('[]'));
});

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe.each(TRANSPORTS)('with the transport %s', (transport, makeTransport) => {
  test.each<[string, Uint8Array, string]>([
    [
      'not UTF-8',
      Buffer.from('[{"id":1,"name":"Ren\xe9","categoryId":2}]', 'latin1'),
      'the body is not UTF-8',
    ],
    [
      'nested deeply in an unknown field',
      Buffer.from(`[{"id":1,"name":"Rex","categoryId":2,"tag":${nested(100_000)}}]`),
      'the body is nested more than 1,000 levels deep',
    ],
  ])('a body that is %s is an invalid response', async (_, body, problem) => {
    const { store } = await openScripted([bytes(body)], { transport: makeTransport() });
    for (const call of [() => store.pets.list(), () => store.request('GET', '/pets')]) {
      const error = await rejection(call());
      expect(error).toBeInstanceOf(InvalidResponseError);
      expect(error).toMatchObject({ message: `Invalid response: ${problem}`, response: { status: 200 } });
      expect((error as InvalidResponseError).excerpt?.length).toBeLessThan(300);
    }
  });

  test.each<[string, Responder, string, string | undefined]>([
    [
      'truncated',
      rawThenEnd(`${head(200, { 'content-length': '500' })}<p>Sign!`),
      'is truncated',
      '<p>Sign!',
    ],
    ['too large', bytes(`<p>${'x'.repeat(500)}`), 'is larger than allowed', `<p>${'x'.repeat(97)}`],
    [
      'text that claims to be gzip',
      bytes('<p>Sign in!', 200, { 'content-encoding': 'gzip' }),
      ...(transport === 'fetch'
        ? (['is truncated', undefined] as const)
        : (['is not valid in its Content-Encoding', '<p>Sign in!'] as const)),
    ],
  ])('a body that is %s has an excerpt', async (_, respond, problem, excerpt) => {
    const { store } = await openScripted([respond], { transport: makeTransport() });
    const error = await rejection(store.pets.list({}, { bodyMaxBytes: 100, retry: { attemptsMax: 1 } }));
    const { message, ...fields } = error as InvalidResponseError;
    expect([message, fields.excerpt]).toEqual([`Invalid response: the body ${problem}`, excerpt]);
  });

  test('an error body nested deeply is an error without its message', async () => {
    const { store } = await openScripted([bytes(`{"message":"no","a":${nested(100_000)}}`, 400)], {
      transport: makeTransport(),
    });
    expect(await rejection(store.pets.list())).toMatchObject({
      type: 'bad-request',
      message: 'The service responded with status 400',
    });
  });
});

test('a request body that is circular or nested deeply is rejected', async () => {
  const { store } = openStore('https://api.test/v1');
  const circular: { self?: unknown } = {};
  circular.self = circular;
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  for (const [body, message] of [
    [circular, 'body is not JSON'],
    [deep, 'body is nested too deeply'],
  ]) {
    expect(await rejection(store.request('POST', '/pets', { body }))).toMatchObject({
      type: 'invalid-input',
      field: 'body',
      message,
    });
  }
});

import fc from 'fast-check';

test.each([
  ['Möhre 小春 🐕', 'Möhre 小春 🐕'],
  ['\x1b[2J', '^[[2J'],
  ['a\nb\tc', 'a^Jb^Ic'],
  ['\u202eabc', '<U+202E>abc'],
  ['\u{e0041}', '<U+E0041>'],
  ['\ud800', '<U+D800>'],
  ['abcdef', 'abcde…'],
])('prints %o as %s', (text, shown) => {
  expect(excerpt(text, text === 'abcdef' ? 5 : 100)).toBe(shown);
});

test('leaves no character that controls a terminal', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      expect(excerpt(text, 1_000)).not.toMatch(
        /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u,
      );
    }),
  );
});
