import dnsPacket from 'dns-packet';
import { describe, expect, test } from 'vitest';
import {
  answersQuestion,
  decodeAnswer,
  encodeQuestion,
  questionTrouble,
} from '../../../src/domain/resolver/codec.js';
import type { DnsQuestion, DnsRecord, RecordType } from '../../../src/domain/resolver/dns.js';
import * as wire from './wire.js';
import { ANSWER, join, labels, message, name, opt, option, pointer, record, u16 } from './wire.js';

const QUESTION: DnsQuestion = { name: 'shop.example.test', type: 'A' };
const ADDRESS = [192, 0, 2, 1];
const UDP = { over: 'udp' } as const;

describe('encodeQuestion', () => {
  test.each(['A', 'NS', 'CNAME', 'SOA', 'MX', 'TXT', 'AAAA', 'SRV', 'DNAME', 'HTTPS', 'CAA'] as const)(
    'asks for %s under its number',
    (type) => {
      const query = encodeQuestion({
        question: { name: 'a.test', type },
        id: 7,
        edns: false,
        recursive: false,
      });
      expect(query).toEqual(join(u16(7), [0, 0], [0, 1, 0, 0, 0, 0, 0, 0], wire.questionOf('a.test', type)));
    },
  );

  test('sets RD and CD where they are wanted, and offers 1232 bytes by EDNS', () => {
    const query = encodeQuestion({
      question: QUESTION,
      id: 1,
      edns: true,
      recursive: true,
      checkingDisabled: true,
    });
    expect(query.subarray(0, 12)).toEqual(join(u16(1), [0x01, 0x10], [0, 1, 0, 0, 0, 0, 0, 1]));
    expect(query.subarray(-11)).toEqual(opt());
  });

  test('asks for the root by a dot', () => {
    const query = encodeQuestion({
      question: { name: '.', type: 'NS' },
      id: 0,
      edns: false,
      recursive: false,
    });
    expect(query.subarray(12)).toEqual(join([0], u16(2), u16(1)));
  });
});

describe('questionTrouble', () => {
  test.each([
    'example.test',
    '_dmarc.example.test',
    '*.example.test',
    'a'.repeat(63) + '.test',
    '.',
    'xn--bcher-kva.test',
  ])('is none with %s', (good) => {
    expect(questionTrouble({ name: good, type: 'A' })).toBeUndefined();
  });

  test.each([
    ['', /not a name/],
    ['a..b.test', /not a name/],
    ['.a.test', /not a name/],
    ['a.test.', /not a name/],
    ['a'.repeat(64) + '.test', /not a name/],
    ['a'.repeat(200) + '.test', /not a name/],
    ['a\\.b.test', /not a name/],
    ['bücher.test', /not a name/],
    ['a b.test', /not a name/],
    ['a\u0000b.test', /not a name/],
    [`${'a.'.repeat(126)}ab`, /longer than 253/],
  ])('is told of %j', (bad, trouble) => {
    expect(questionTrouble({ name: bad, type: 'A' })).toMatch(trouble);
  });

  test.each(['ALIAS', 'TYPE65', 'toString'])('is told of the type %s', (type) => {
    expect(questionTrouble({ name: 'a.test', type: type as RecordType })).toMatch(/no such record type/);
  });

  test('is none with the longest name there is', () => {
    const longest = `${'a.'.repeat(126)}a`;
    expect(longest).toHaveLength(253);
    const question: DnsQuestion = { name: longest, type: 'A' };
    expect(questionTrouble(question)).toBeUndefined();
    expect(encodeQuestion({ question, id: 0, edns: false, recursive: false })).toHaveLength(12 + 255 + 4);
  });
});

describe('answersQuestion', () => {
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
    ['a question, not an answer', message({ flags: 0 }), false],
    ['another opcode', message({ flags: ANSWER | 0x2000 }), false],
    ['a dot in a label', message({ question: join(labels('shop.example', 'test'), u16(1), u16(1)) }), false],
    ['a question cut short', message().subarray(0, 20), false],
    ['a header cut short', message().subarray(0, 11), false],
    ['nothing', Buffer.alloc(0), false],
  ])('%s: %#', (_, given, expected) => {
    expect(answersQuestion(given, QUESTION)).toBe(expected);
  });
});

describe('decodeAnswer', () => {
  test('reads flags, sections and their records', () => {
    const given = message({
      id: 7,
      flags: ANSWER | 0x80 | 3,
      answers: [record('CNAME', name('Alias.Example.TEST'), { ttl: 60 })],
      authority: [record('NS', join([3], 'ns1', pointer(17)), { owner: pointer(17) })],
      additional: [record('A', ADDRESS, { owner: join([3], 'ns1', pointer(17)) }), opt()],
    });
    expect(decodeAnswer(given, QUESTION, { over: 'tcp', id: 7 })).toEqual({
      kind: 'reply',
      reply: {
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

  test('takes no other id where it is given one', () => {
    expect(decodeAnswer(message({ id: 8 }), QUESTION, { over: 'tcp', id: 7 })).toMatchObject({
      kind: 'malformed',
    });
    expect(decodeAnswer(message({ id: 8 }), QUESTION, UDP)).toMatchObject({ kind: 'reply' });
  });

  test('does not look at the records of an answer that the server cut short', () => {
    const cut = message({ flags: ANSWER | wire.TRUNCATED, answers: [record('A', [192])], counts: [9, 0, 0] });
    expect(decodeAnswer(cut, QUESTION, UDP)).toEqual({ kind: 'truncated' });
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
  ])('names %s', (rcode, low, rcodeHigh) => {
    const given = message({ flags: ANSWER | low, additional: [opt([], { rcodeHigh })] });
    expect(decodeAnswer(given, QUESTION, UDP)).toMatchObject({ kind: 'reply', reply: { rcode } });
  });

  test('reads extended errors, their text made harmless', () => {
    const given = message({
      additional: [
        opt(join(option(3, 'nsid'), option(15, join(u16(6), 'bogus\x1b[2J')), option(15, u16(22)))),
      ],
    });
    const { extendedErrors } = replyOf(given);
    expect(extendedErrors).toEqual([
      { code: 6, text: 'bogus\\027[2J' },
      { code: 22, text: '' },
    ]);
  });

  test('takes a TTL with the top bit set for 0', () => {
    const ttls = [2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1].map((ttl) => record('A', ADDRESS, { ttl }));
    expect(replyOf(message({ answers: ttls })).answers.map(({ ttl }) => ttl)).toEqual([2 ** 31 - 1, 0, 0]);
  });

  test('takes 16 KB and no more', () => {
    const filler = (size: number): Buffer => message({ answers: [record(65_000, Buffer.alloc(size))] });
    const most = 16 * 1024 - filler(0).length;
    expect(decodeAnswer(filler(most), QUESTION, UDP)).toMatchObject({ kind: 'reply' });
    expect(decodeAnswer(filler(most + 1), QUESTION, UDP)).toMatchObject({ kind: 'malformed' });
  });
});

/** What dns-packet 5.6.1 does with each is said in the name. */
describe('gaps of dns-packet that are closed here', () => {
  const a = record('A', ADDRESS);
  test.each<[string, Buffer]>([
    [
      'RDLENGTH 8 of an address: read as 4, the next owner from its rest',
      message({ answers: [record('A', [...ADDRESS, 5, 6, 7, 8]), a] }),
    ],
    [
      'RDLENGTH 0 of an address: undefined.undefined.undefined.undefined',
      message({ answers: [record('A', [])] }),
    ],
    ['RDLENGTH 2 of an address: 192.0.undefined.undefined', message({ answers: [record('A', [192, 0])] })],
    ['an address past the end', message({ answers: [record('A', [192, 0], { length: 4 })] })],
    ['RDLENGTH 2 of an IPv6 address: 102::', message({ answers: [record('AAAA', [1, 2])] })],
    ['RDLENGTH 17 of an IPv6 address', message({ answers: [record('AAAA', Buffer.alloc(17))] })],
    [
      'RDLENGTH 0 of a CNAME: read past',
      message({ answers: [record('CNAME', name('b.test'), { length: 0 })] }),
    ],
    ['RDLENGTH of a CNAME too small', message({ answers: [record('CNAME', name('b.test'), { length: 3 })] })],
    ['RDLENGTH of a CNAME too large', message({ answers: [record('CNAME', join(name('b.test'), [0]))] })],
    ['an MX without a name', message({ answers: [record('MX', [0, 10])] })],
    ['an MX of one byte', message({ answers: [record('MX', [0])] })],
    ['an MX with bytes after it', message({ answers: [record('MX', join([0, 10], name('mx.test'), [0]))] })],
    ['an SRV cut short', message({ answers: [record('SRV', [0, 1, 0, 1, 0])] })],
    [
      'an SOA cut short',
      message({ authority: [record('SOA', join(name('ns.test'), name('root.test'), Buffer.alloc(19)))] }),
    ],
    [
      'an SOA with bytes after it',
      message({ authority: [record('SOA', join(name('ns.test'), name('root.test'), Buffer.alloc(21)))] }),
    ],
    ['a text that overruns: cut silently', message({ answers: [record('TXT', join([5], 'abc'))] })],
    ['a text of no strings', message({ answers: [record('TXT', [])] })],
    [
      'an unknown type that overruns: cut silently',
      message({ answers: [record(65_000, 'abc', { length: 9 })] }),
    ],
    ['a CAA cut short: an empty value', message({ answers: [record('CAA', join([0, 5], 'is'))] })],
    ['a CAA of one byte', message({ answers: [record('CAA', [0])] })],
    ['a CAA without a tag', message({ answers: [record('CAA', join([0, 0], 'ca.test'))] })],
    ['a CAA with a tag of spaces', message({ answers: [record('CAA', join([0, 2], '  ca.test'))] })],
    ['an EDNS option that overruns: cut silently', message({ additional: [opt(option(15, [0], 400))] })],
    ['an EDNS option cut short', message({ additional: [opt([0, 15, 0])] })],
    ['an extended error of one byte', message({ additional: [opt(option(15, [0]))] })],
    ['two OPT records: both taken', message({ additional: [opt(), opt()] })],
    ['an OPT record among the answers', message({ answers: [opt()] })],
    ['an OPT record with an owner', message({ additional: [opt([], { owner: name('a.test') })] })],
    ['bytes after the last record: ignored', message({ answers: [a], trailing: [0] })],
    ['more records promised than there are', message({ answers: [a], counts: [2, 0, 0] })],
    ['fewer records promised than there are', message({ answers: [a, a], counts: [1, 0, 0] })],
    ['65,535 records promised', message({ counts: [65_535, 65_535, 65_535] })],
    [
      'a record of class 0x8001: taken for IN',
      message({ answers: [record('A', ADDRESS, { class: 0x8001 })] }),
    ],
    ['a record of class CHAOS', message({ answers: [record('A', ADDRESS, { class: 3 })] })],
    ['a record head cut short', message({ answers: [a.subarray(0, 11)] })],
    ['an owner that points to itself', message({ answers: [record('A', ADDRESS, { owner: pointer(35) })] })],
    ['an owner that points ahead', message({ answers: [record('A', ADDRESS, { owner: pointer(36) }), a] })],
    [
      'an owner that points into the header',
      message({ answers: [record('A', ADDRESS, { owner: pointer(4) })] }),
    ],
    ['a label of kind 0x40', message({ answers: [record('A', ADDRESS, { owner: [0x41, 0, 0] })] })],
    ['a label of kind 0x80', message({ answers: [record('A', ADDRESS, { owner: [0x80, 0] })] })],
    [
      'a name of 256 bytes',
      message({ answers: [record('A', ADDRESS, { owner: labels(...Array<string>(127).fill('a'), '') })] }),
    ],
  ])('%s', (_, given) => {
    expect(decodeAnswer(given, QUESTION, UDP)).toMatchObject({ kind: 'malformed' });
  });

  test('a dot within a label: another name', () => {
    const given = message({ answers: [record('CNAME', labels('a.b', 'example', 'test'))] });
    expect(dnsPacket.decode(given).answers).toMatchObject([{ data: 'a.b.example.test' }]);
    expect(replyOf(given).answers[0]?.data).toEqual({ type: 'CNAME', target: 'a\\046b.example.test' });
  });

  test.each([
    ['NUL', '\0', '\\000'],
    ['a line break', '\n', '\\010'],
    ['ESC', '\x1b', '\\027'],
    ['a space', ' ', '\\032'],
    ['a semicolon', ';', '\\059'],
    ['a backslash', '\\', '\\092'],
    ['a byte above ASCII: U+FFFD', '\xff', '\\255'],
    ['a capital above ASCII', '\xc4', '\\196'],
  ])('%s in a name comes escaped', (_, raw, escaped) => {
    const given = message({ answers: [record('CNAME', labels(`a${raw}b`, 'test'))] });
    expect(replyOf(given).answers[0]?.data).toEqual({ type: 'CNAME', target: `a${escaped}b.test` });
  });

  test('64 KB of pointer chains: 0.3 to 0.7 s of computing', () => {
    const chain = pointerChain(64 * 1024);
    expect(decodeAnswer(chain, QUESTION, UDP)).toMatchObject({
      kind: 'malformed',
      detail: 'more than 16384 bytes',
    });
    // Within the size that is read, each name ends after 127 hops.
    expect(decodeAnswer(pointerChain(16 * 1024), QUESTION, UDP)).toMatchObject({
      kind: 'malformed',
      detail: 'a pointer that does not lead back',
    });
  });
});

/** One record of thousands of pointers, each to the one before, and owners that go through them all. */
function pointerChain(size: number): Buffer {
  const dataStart = 12 + wire.questionOf('shop.example.test', 'A').length + 12;
  const links = Array.from({ length: Math.floor((size / 2 - dataStart) / 2) }, (_, index) =>
    index === 0 ? pointer(12) : pointer(dataStart + 2 * (index - 1)),
  );
  const chain = record(65_000, join(...links));
  const last = pointer(Math.min(dataStart + 2 * (links.length - 1), 0x3fff - 1));
  const owners = Math.floor((size - dataStart - links.length * 2) / 16);
  return message({
    answers: [chain, ...Array.from({ length: owners }, () => record('A', ADDRESS, { owner: last }))],
  });
}

describe('well-formed answers', () => {
  test('are read as dns-packet reads them', () => {
    const given = dnsPacket.encode({
      type: 'response',
      id: 1,
      flags: dnsPacket.AUTHORITATIVE_ANSWER,
      questions: [{ name: 'shop.example.test', type: 'A' }],
      answers: [
        { type: 'CNAME', name: 'shop.example.test', ttl: 5, data: 'a.test' },
        { type: 'A', name: 'a.test', ttl: 6, data: '192.0.2.7' },
        { type: 'MX', name: 'a.test', ttl: 7, data: { preference: 10, exchange: 'mx.test' } },
        {
          type: 'SRV',
          name: 'a.test',
          ttl: 8,
          data: { priority: 1, weight: 2, port: 3, target: 's.test' },
        } as never,
        { type: 'TXT', name: 'a.test', ttl: 9, data: ['one ', 'two'] },
        { type: 'CAA', name: 'a.test', ttl: 10, data: { flags: 128, tag: 'issue', value: 'ca.test; a=b' } },
      ],
      authorities: [
        {
          type: 'SOA',
          name: 'test',
          ttl: 11,
          data: {
            mname: 'ns.test',
            rname: 'root.test',
            serial: 4294967295,
            refresh: 2,
            retry: 3,
            expire: 4,
            minimum: 5,
          },
        },
      ],
    });
    const { answers, authority } = replyOf(given);
    expect([...answers, ...authority]).toEqual<DnsRecord[]>([
      { name: 'shop.example.test', ttl: 5, data: { type: 'CNAME', target: 'a.test' } },
      { name: 'a.test', ttl: 6, data: { type: 'A', address: '192.0.2.7' } },
      { name: 'a.test', ttl: 7, data: { type: 'MX', preference: 10, target: 'mx.test' } },
      { name: 'a.test', ttl: 8, data: { type: 'SRV', priority: 1, weight: 2, port: 3, target: 's.test' } },
      { name: 'a.test', ttl: 9, data: { type: 'TXT', text: 'one two' } },
      { name: 'a.test', ttl: 10, data: { type: 'CAA', flags: 128, tag: 'issue', value: 'ca.test; a=b' } },
      {
        name: 'test',
        ttl: 11,
        data: { type: 'SOA', primary: 'ns.test', serial: 4294967295, refresh: 2, minimum: 5 },
      },
    ]);
  });
});

function replyOf(given: Buffer) {
  const decoded = decodeAnswer(given, QUESTION, UDP);
  if (decoded.kind !== 'reply') throw new Error(JSON.stringify(decoded));
  return decoded.reply;
}
