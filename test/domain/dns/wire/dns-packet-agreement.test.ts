import dnsPacket from 'dns-packet';
import { describe, expect, test } from 'vitest';
import { decodeResponse } from '../../../../src/domain/dns/decode-response.js';
import type { DnsRecord } from '../../../../src/domain/dns/dns.js';
import { ADDRESS, QUESTION, responseOf } from '../exchange-builder.js';
import * as wire from '../wire.js';
import { join, labels, message, name, opt, option, pointer, record } from '../wire.js';

const UDP = { over: 'udp' } as const;

describe('well-formed responses', () => {
  test('are decoded as by dns-packet', () => {
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
    const { answers, authority } = responseOf(given);
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

/** Each name says what dns-packet 5.6.1 does. */
describe('malformed responses that dns-packet accepts', () => {
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
    ['a truncated SRV', message({ answers: [record('SRV', [0, 1, 0, 1, 0])] })],
    [
      'a truncated SOA',
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
    ['a truncated CAA: an empty value', message({ answers: [record('CAA', join([0, 5], 'is'))] })],
    ['a CAA of one byte', message({ answers: [record('CAA', [0])] })],
    ['a CAA without a tag', message({ answers: [record('CAA', join([0, 0], 'ca.test'))] })],
    ['a CAA with a tag of spaces', message({ answers: [record('CAA', join([0, 2], '  ca.test'))] })],
    ['an EDNS option that overruns: cut silently', message({ additional: [opt(option(15, [0], 400))] })],
    ['a truncated EDNS option', message({ additional: [opt([0, 15, 0])] })],
    ['an extended error of one byte', message({ additional: [opt(option(15, [0]))] })],
    ['two OPT records: both taken', message({ additional: [opt(), opt()] })],
    ['an OPT record among the answers', message({ answers: [opt()] })],
    ['an OPT record with an owner', message({ additional: [opt([], { owner: name('a.test') })] })],
    ['bytes after the last record: ignored', message({ answers: [a], trailing: [0] })],
    ['a higher record count than there are records', message({ answers: [a], counts: [2, 0, 0] })],
    ['a lower record count than there are records', message({ answers: [a, a], counts: [1, 0, 0] })],
    ['a record count of 65,535', message({ counts: [65_535, 65_535, 65_535] })],
    ['a record of class 0x8001: read as IN', message({ answers: [record('A', ADDRESS, { class: 0x8001 })] })],
    ['a record of class CHAOS', message({ answers: [record('A', ADDRESS, { class: 3 })] })],
    ['a truncated record head', message({ answers: [a.subarray(0, 11)] })],
    ['an owner that points to itself', message({ answers: [record('A', ADDRESS, { owner: pointer(35) })] })],
    ['an owner that points forward', message({ answers: [record('A', ADDRESS, { owner: pointer(36) }), a] })],
    [
      'an owner that points into the header',
      message({ answers: [record('A', ADDRESS, { owner: pointer(4) })] }),
    ],
    ['a label of type 0x40', message({ answers: [record('A', ADDRESS, { owner: [0x41, 0, 0] })] })],
    ['a label of type 0x80', message({ answers: [record('A', ADDRESS, { owner: [0x80, 0] })] })],
    [
      'a name of 256 bytes',
      message({ answers: [record('A', ADDRESS, { owner: labels(...Array<string>(127).fill('a'), '') })] }),
    ],
  ])('%s', (_, given) => {
    expect(decodeResponse(given, QUESTION, UDP)).toMatchObject({ kind: 'malformed' });
  });

  test('a dot within a label: another name', () => {
    const given = message({ answers: [record('CNAME', labels('a.b', 'example', 'test'))] });
    expect(dnsPacket.decode(given).answers).toMatchObject([{ data: 'a.b.example.test' }]);
    expect(responseOf(given).answers[0]?.data).toEqual({ type: 'CNAME', target: 'a\\046b.example.test' });
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
  ])('%s in a name is escaped', (_, raw, escaped) => {
    const given = message({ answers: [record('CNAME', labels(`a${raw}b`, 'test'))] });
    expect(responseOf(given).answers[0]?.data).toEqual({ type: 'CNAME', target: `a${escaped}b.test` });
  });

  test('64 KB of pointer chains: 0.3 to 0.7 s of CPU time', () => {
    // Each name ends after 127 pointers.
    expect(decodeResponse(pointerChain(0xffff), QUESTION, UDP)).toMatchObject({
      kind: 'malformed',
      detail: 'a compression pointer that does not point backwards',
    });
  });
});

/** One record of thousands of pointers, each to the one before, and owners that follow all of them. */
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
