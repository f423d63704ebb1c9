import fc from 'fast-check';
import packet from 'dns-packet';
import { describe, expect, test } from 'vitest';
import {
  decodeQuery,
  encodeError,
  encodeResponse,
  type Query,
  type DnsResponse,
} from '../../../src/mock/dns/dns-message.js';
import { readRecord } from '../../../src/mock/dns/zone-file.js';
import { queryBytes, readResponse, type QueryOptions } from './dns-client.js';
import { runs } from '../../support/random-runs.js';

function queryOf(name: string, type: string, options?: QueryOptions): Query {
  const query = decodeQuery(queryBytes(name, type, options));
  if (query === 'ignore' || 'rcode' in query) throw new Error('not a query');
  return query;
}

const reply: DnsResponse = {
  rcode: 'NOERROR',
  authoritative: true,
  answers: [],
  authority: [],
  additional: [],
};
const udp = { over: 'udp', recursionAvailable: false } as const;

const FORMERR = { id: 4_711, rcode: 'FORMERR', flags: 0 } as const;

/** A query with some bytes replaced. */
function changed(changes: Readonly<Record<number, number>>, length?: number): Uint8Array {
  const bytes = queryBytes('shop.example.test', 'A');
  for (const [offset, byte] of Object.entries(changes)) bytes[Number(offset)] = byte;
  return bytes.subarray(0, length);
}

describe('decodes a query', () => {
  test('with its flags and EDNS', () => {
    expect(queryOf('Shop.Example.test', 'CAA', { recursive: true, id: 7, edns: 4_096 })).toMatchObject({
      id: 7,
      recursionDesired: true,
      checkingDisabled: false,
      edns: { udpBytesMax: 4_096, version: 0 },
      question: { name: 'shop.example.test', type: 'CAA' },
    });
    expect(queryOf('.', 'NS', { edns: false })).not.toHaveProperty('edns');
    expect(queryOf('a.test', 'UNKNOWN_999').question.type).toBe('TYPE999');
  });

  test.each<[string, Uint8Array, ReturnType<typeof decodeQuery>]>([
    ['nothing', new Uint8Array(0), 'ignore'],
    ['less than a header', changed({}, 11), 'ignore'],
    ['a response', changed({ 2: 0x80 }), 'ignore'],
    ['another operation', changed({ 2: 0x29 }), { id: 4_711, rcode: 'NOTIMP', flags: 0x2900 }],
    ['no question', changed({ 5: 0 }), FORMERR],
    ['two questions', changed({ 5: 2 }), FORMERR],
    ['an answer section', changed({ 7: 1 }), FORMERR],
    ['a name that points to itself', changed({ 12: 0xc0, 13: 12 }), FORMERR],
    ['a name that points into the header', changed({ 12: 0xc0, 13: 8 }), FORMERR],
    ['a label that runs over the end', changed({ 12: 63 }), FORMERR],
    ['a header and nothing behind', changed({}, 12), FORMERR],
    ['a question without its class', changed({}, 33), FORMERR],
    ['half of an OPT', changed({}, 40), FORMERR],
    ['an OPT that runs over the end', changed({ 45: 9 }), FORMERR],
    ['more records than there are', changed({ 11: 2 }), FORMERR],
  ])('rejects %s', (_, bytes, expected) => {
    expect(decodeQuery(bytes)).toEqual(expected);
  });

  test('rejects two OPT records', () => {
    const bytes = queryBytes('a.test', 'A');
    const twice = Buffer.concat([bytes, bytes.subarray(-11)]);
    twice[11] = 2;
    expect(decodeQuery(twice)).toEqual(FORMERR);
  });

  test('never throws', () => {
    const good = queryBytes('shop.example.test', 'A');
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        decodeQuery(bytes);
        decodeQuery(Buffer.concat([good, bytes]));
        decodeQuery(Buffer.concat([good.subarray(0, 12), bytes]));
      }),
      { numRuns: runs(2_000) },
    );
  });
});

describe('encodes a response', () => {
  test('that repeats the question byte for byte', () => {
    const bytes = encodeResponse(queryOf('sHoP.eXaMpLe.test', 'A'), reply, udp);
    expect(Buffer.from(bytes).toString('latin1')).toContain('\u0004sHoP\u0007eXaMpLe\u0004test');
  });

  test('with all sections', () => {
    const received = readResponse(
      encodeResponse(
        queryOf('shop.example.test', 'MX'),
        {
          rcode: 'NXDOMAIN',
          authoritative: true,
          answers: [readRecord('shop.example.test', 'CNAME', 60, 'hop.example.test')],
          authority: [readRecord('example.test', 'SOA', 900, 'ns1.example.test admin.test 7 2 3 4 5')],
          additional: [readRecord('ns1.example.test', 'AAAA', 2 ** 31 - 1, '2001:db8::1')],
        },
        { over: 'udp', recursionAvailable: true },
      ),
    );
    expect(received).toMatchObject({
      head: 'NXDOMAIN aa ra',
      answers: ['shop.example.test 60 CNAME hop.example.test'],
      authority: ['example.test 900 SOA ns1.example.test admin.test 7 2 3 4 5'],
      additional: ['ns1.example.test 2147483647 AAAA 2001:db8::1'],
    });
  });

  test.each<[string, QueryOptions, number]>([
    ['512 bytes without EDNS', { edns: false }, 512],
    ['at least 512', { edns: 100 }, 512],
    ['what the other end takes', { edns: 800 }, 800],
    ['at most 1232', { edns: 4_096 }, 1_232],
  ])('of %s over UDP, otherwise truncated', (_, options, bytesMax) => {
    const query = queryOf('large.test', 'TXT', options);
    const answerOf = (textBytes: number, over: 'udp' | 'tcp') => {
      const texts = Array.from({ length: Math.ceil(textBytes / 100) }, (__, index) =>
        'x'.repeat(Math.min(100, textBytes - 100 * index)),
      );
      const answers = [readRecord('large.test', 'TXT', 60, texts.join(' '))];
      return encodeResponse(query, { ...reply, answers }, { over, recursionAvailable: false });
    };
    const overhead = answerOf(100, 'udp').length - 100;
    const fits = bytesMax - overhead - Math.ceil(bytesMax / 100) - 20;
    expect(readResponse(answerOf(fits, 'udp'))).toMatchObject({ head: 'NOERROR aa' });
    const short = answerOf(bytesMax, 'udp');
    expect(short.length).toBeLessThan(100);
    expect(readResponse(short)).toMatchObject({ head: 'NOERROR aa tc', answers: [] });
    expect(answerOf(bytesMax, 'tcp').length).toBeGreaterThan(bytesMax);
  });

  test('with EDNS only if the query has it', () => {
    const opt = (options: QueryOptions, plain = false) =>
      readResponse(encodeResponse(queryOf('a.test', 'A', options), reply, { ...udp, plain })).packet
        .additionals;
    expect(opt({})).toMatchObject([{ type: 'OPT', udpPayloadSize: 1_232, ednsVersion: 0 }]);
    expect(opt({ edns: false })).toEqual([]);
    expect(opt({}, true)).toEqual([]);
  });

  test('with the flags copied from the query', () => {
    const flagsFor = (options: QueryOptions) => {
      const bytes = encodeResponse(queryOf('a.test', 'A', options), reply, udp);
      const { flag_rd, flag_cd } = readResponse(bytes).packet;
      return [flag_rd, flag_cd, (bytes.at(-4) ?? 0) >> 7];
    };
    expect(flagsFor({ recursive: true })).toEqual([true, false, 0]);
    expect(flagsFor({ checkingDisabled: true })).toEqual([false, true, 0]);
    expect(flagsFor({ dnssecOk: true })).toEqual([false, false, 1]);
  });
});

test('rejects a packet that is not a query with a header that copies opcode and RD', () => {
  const bytes = encodeError({ id: 0xabcd, rcode: 'NOTIMP', flags: 0x2100 });
  expect([...bytes]).toEqual([0xab, 0xcd, 0xa1, 4, 0, 0, 0, 0, 0, 0, 0, 0]);
});

test('rejects another class, and repeats the question', () => {
  const chaos = packet.encode({
    type: 'query',
    id: 7,
    questions: [{ name: 'version.bind', type: 'TXT', class: 'CH' }],
  });
  const query = decodeQuery(chaos);
  if (query === 'ignore' || !('rcode' in query)) throw new Error('a query');
  expect(packet.decode(Buffer.from(encodeError(query)))).toMatchObject({
    id: 7,
    type: 'response',
    rcode: 'REFUSED',
    questions: [{ name: 'version.bind', type: 'TXT', class: 'CH' }],
  });
});
