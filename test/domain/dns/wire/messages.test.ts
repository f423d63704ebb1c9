import { describe, expect, test } from 'vitest';
import { decodeResponse, isResponseTo } from '../../../../src/domain/dns/decode-response.js';
import { encodeQuery, invalidQuestionReason } from '../../../../src/domain/dns/encode-query.js';
import type { DnsQuestion, RecordType } from '../../../../src/domain/dns/dns.js';
import { ADDRESS, QUESTION, responseOf } from '../exchange-builder.js';
import * as wire from '../wire.js';
import { ANSWER, join, labels, message, name, opt, option, pointer, record, u16 } from '../wire.js';

const UDP = { over: 'udp' } as const;

describe('encodeQuery', () => {
  test.each(['A', 'NS', 'CNAME', 'SOA', 'MX', 'TXT', 'AAAA', 'SRV', 'DNAME', 'HTTPS', 'CAA'] as const)(
    'encodes the type number of %s',
    (type) => {
      const query = encodeQuery({
        question: { name: 'a.test', type },
        id: 7,
        edns: false,
        recursive: false,
      });
      expect(query).toEqual(join(u16(7), [0, 0], [0, 1, 0, 0, 0, 0, 0, 0], wire.questionOf('a.test', type)));
    },
  );

  test('sets RD and CD if requested, and an EDNS payload size of 1232', () => {
    const query = encodeQuery({
      question: QUESTION,
      id: 1,
      edns: true,
      recursive: true,
      checkingDisabled: true,
    });
    expect(query.subarray(0, 12)).toEqual(join(u16(1), [0x01, 0x10], [0, 1, 0, 0, 0, 0, 0, 1]));
    expect(query.subarray(-11)).toEqual(opt());
  });

  test('encodes a dot as the root', () => {
    const query = encodeQuery({
      question: { name: '.', type: 'NS' },
      id: 0,
      edns: false,
      recursive: false,
    });
    expect(query.subarray(12)).toEqual(join([0], u16(2), u16(1)));
  });
});

describe('invalidQuestionReason', () => {
  test.each([
    'example.test',
    '_dmarc.example.test',
    '*.example.test',
    'a'.repeat(63) + '.test',
    '.',
    'xn--bcher-kva.test',
  ])('accepts %s', (good) => {
    expect(invalidQuestionReason({ name: good, type: 'A' })).toBeUndefined();
  });

  test.each([
    ...['', 'a..b.test', '.a.test', 'a.test.', 'a'.repeat(64) + '.test', 'a'.repeat(200) + '.test'],
    ...['a\\.b.test', 'bücher.test', 'a b.test', 'a\u0000b.test'],
  ])('rejects %j', (bad) => {
    expect(invalidQuestionReason({ name: bad, type: 'A' })).toMatch(/not a valid DNS name/);
  });

  test('rejects a name that is too long', () => {
    expect(invalidQuestionReason({ name: `${'a.'.repeat(126)}ab`, type: 'A' })).toMatch(/longer than 253/);
  });

  test.each(['ALIAS', 'TYPE65', 'toString'])('rejects the type %s', (type) => {
    expect(invalidQuestionReason({ name: 'a.test', type: type as RecordType })).toMatch(
      /unknown record type/,
    );
  });

  test('accepts the longest possible name', () => {
    const longest = `${'a.'.repeat(126)}a`;
    expect(longest).toHaveLength(253);
    const question: DnsQuestion = { name: longest, type: 'A' };
    expect(invalidQuestionReason(question)).toBeUndefined();
    expect(encodeQuery({ question, id: 0, edns: false, recursive: false })).toHaveLength(12 + 255 + 4);
  });
});

describe('isResponseTo', () => {
  test.each([
    ['the question, echoed', message(), true],
    ['the question in capitals', message({ question: wire.questionOf('SHOP.eXample.TEST', 'A') }), true],
    ['an error without the question', message({ question: [], flags: ANSWER | 1 }), true],
    ['NOERROR without the question', message({ question: [] }), false],
    ['NXDOMAIN without the question', message({ question: [], flags: ANSWER | 3 }), false],
    [
      'an error without the question but with a record',
      message({
        question: [],
        flags: ANSWER | 2,
        answers: [record('A', ADDRESS, { owner: name('shop.example.test') })],
      }),
      false,
    ],
    ['another name', message({ question: wire.questionOf('shop.example.tesu', 'A') }), false],
    ['another type', message({ question: wire.questionOf('shop.example.test', 'AAAA') }), false],
    ['another class', message({ question: join(name('shop.example.test'), u16(1), u16(3)) }), false],
    [
      'the multicast bit in the class',
      message({ question: join(name('shop.example.test'), u16(1), u16(0x8001)) }),
      false,
    ],
    [
      'two questions',
      message({
        question: join(wire.questionOf('shop.example.test', 'A'), wire.questionOf('shop.example.test', 'A')),
        questions: 2,
      }),
      false,
    ],
    ['a query, not a response', message({ flags: 0 }), false],
    ['another opcode', message({ flags: ANSWER | 0x2000 }), false],
    ['a dot in a label', message({ question: join(labels('shop.example', 'test'), u16(1), u16(1)) }), false],
    ['a truncated question', message().subarray(0, 20), false],
    ['a truncated header', message().subarray(0, 11), false],
    ['nothing', Buffer.alloc(0), false],
  ])('%s: %#', (_, given, expected) => {
    expect(isResponseTo(given, QUESTION)).toBe(expected);
  });
});

describe('decodeResponse', () => {
  test('reads flags, sections and their records', () => {
    const given = message({
      id: 7,
      flags: ANSWER | 0x80 | 3,
      answers: [record('CNAME', name('Alias.Example.TEST'), { ttl: 60 })],
      authority: [record('NS', join([3], 'ns1', pointer(17)), { owner: pointer(17) })],
      additional: [record('A', ADDRESS, { owner: join([3], 'ns1', pointer(17)) }), opt()],
    });
    expect(decodeResponse(given, QUESTION, { over: 'tcp', id: 7 })).toEqual({
      kind: 'response',
      response: {
        rcode: 'NXDOMAIN',
        authoritative: true,
        recursionAvailable: true,
        answers: [
          { name: 'shop.example.test', ttl: 60, data: { type: 'CNAME', target: 'alias.example.test' } },
        ],
        authority: [{ name: 'example.test', ttl: 300, data: { type: 'NS', target: 'ns1.example.test' } }],
        additional: [{ name: 'ns1.example.test', ttl: 300, data: { type: 'A', address: '192.0.2.1' } }],
        extendedErrors: [],
        over: 'tcp',
      },
    });
  });

  test('rejects another id if one is expected', () => {
    expect(decodeResponse(message({ id: 8 }), QUESTION, { over: 'tcp', id: 7 })).toMatchObject({
      kind: 'malformed',
    });
    expect(decodeResponse(message({ id: 8 }), QUESTION, UDP)).toMatchObject({ kind: 'response' });
  });

  test('does not read the records of a truncated response', () => {
    const cut = message({ flags: ANSWER | wire.TRUNCATED, answers: [record('A', [192])], counts: [9, 0, 0] });
    expect(decodeResponse(cut, QUESTION, UDP)).toEqual({ kind: 'truncated' });
  });

  test.each([
    ['FORMERR', 1, 0],
    ['SERVFAIL', 2, 0],
    ['NXDOMAIN', 3, 0],
    ['NOTIMP', 4, 0],
    ['REFUSED', 5, 0],
    ['RCODE12', 12, 0],
    ['BADVERS', 0, 1],
    ['BADCOOKIE', 7, 1],
    ['RCODE4095', 15, 255],
  ])('returns the name %s', (rcode, low, rcodeHigh) => {
    const given = message({ flags: ANSWER | low, additional: [opt([], { rcodeHigh })] });
    expect(decodeResponse(given, QUESTION, UDP)).toMatchObject({ kind: 'response', response: { rcode } });
  });

  test('reads extended errors, and escapes their text', () => {
    const given = message({
      additional: [
        opt(join(option(3, 'nsid'), option(15, join(u16(6), 'bogus\x1b[2J')), option(15, u16(22)))),
      ],
    });
    const { extendedErrors } = responseOf(given);
    expect(extendedErrors).toEqual([
      { code: 6, text: 'bogus\\027[2J' },
      { code: 22, text: '' },
    ]);
  });

  test('reads a TTL with the top bit set as 0', () => {
    const ttls = [2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1].map((ttl) => record('A', ADDRESS, { ttl }));
    expect(responseOf(message({ answers: ttls })).answers.map(({ ttl }) => ttl)).toEqual([2 ** 31 - 1, 0, 0]);
  });

  test('accepts 64 KB and no more', () => {
    const filler = (size: number): Buffer => message({ answers: [record(65_000, Buffer.alloc(size))] });
    const most = 0xffff - filler(0).length;
    expect(decodeResponse(filler(most), QUESTION, UDP)).toMatchObject({ kind: 'response' });
    const longer = Buffer.concat([filler(most), Buffer.alloc(1)]);
    expect(decodeResponse(longer, QUESTION, UDP)).toMatchObject({
      kind: 'malformed',
      detail: 'more than 65535 bytes',
    });
  });
});
