import { describe, expect, test } from 'vitest';
import {
  isResponseTo,
  decodeResponse,
  type DecodedResponse,
} from '../../../src/domain/dns/decode-response.js';
import type { DnsQuestion } from '../../../src/domain/dns/dns.js';
import { SEED, seededRandom, runs } from '../../support/random-runs.js';
import { findOverrun } from './strict-checker.js';
import { ANSWER, join, labels, message, name, opt, option, pointer, record, u16, u32 } from './wire.js';

const QUESTION: DnsQuestion = { name: 'shop.example.test', type: 'A' };
const MUTATIONS = runs(100_000);

/** Realistic responses with every record type and compression. */
const SEEDS: readonly Buffer[] = [
  message({
    answers: [
      record('CNAME', join([5], 'cname', pointer(17))),
      record('A', [192, 0, 2, 1], { owner: pointer(47) }),
      record('A', [192, 0, 2, 2], { owner: pointer(47) }),
    ],
    additional: [opt()],
  }),
  message({
    flags: ANSWER | 3,
    authority: [
      record(
        'SOA',
        join([3], 'ns1', pointer(17), [4], 'root', pointer(17), ...[9, 3600, 900, 604800, 300].map(u32)),
        {
          owner: pointer(17),
        },
      ),
    ],
    additional: [
      opt(join(option(15, join(u16(22), 'no server could be reached')), option(10, Buffer.alloc(16)))),
    ],
  }),
  message({
    answers: [
      record('MX', join(u16(10), [2], 'mx', pointer(17))),
      record('TXT', join([5], 'hello', [0], [11], 'v=spf1 -all')),
      record('CAA', join([0, 5], 'issue', 'ca.example.test; accounturi=a')),
      record('SRV', join(u16(1), u16(2), u16(443), name('srv.example.test'))),
      record('AAAA', Buffer.from('20010db8000000000000000000000001', 'hex')),
      record('DNAME', name('other.example.test')),
    ],
  }),
  message({
    answers: [
      record(
        'HTTPS',
        join(
          u16(1),
          [0],
          option(1, join([2], 'h2')),
          option(4, [192, 0, 2, 1, 192, 0, 2, 2]),
          option(6, Buffer.alloc(16)),
        ),
      ),
      record('HTTPS', join(u16(0), name('alias.example.test'))),
      record(46, Buffer.alloc(40)),
    ],
    authority: ['ns1', 'ns2'].map((host) =>
      record('NS', join([3], host, pointer(17)), { owner: pointer(17) }),
    ),
    additional: [record('A', [192, 0, 2, 53], { owner: labels('ns1', 'example', 'test') })],
  }),
];

describe(`${MUTATIONS} broken responses (PETSTORE_TEST_SEED=${SEED})`, () => {
  test.each(SEEDS.map((seed, index) => ({ index, seed })))('of response $index', ({ index, seed }) => {
    const random = seededRandom(SEED + index);
    const counts = { response: 0, truncated: 0, malformed: 0 };
    expect(decodeResponse(seed, QUESTION, { over: 'udp' }).kind).toBe('response');
    for (let round = 0; round < MUTATIONS / SEEDS.length; round += 1) {
      const broken = mutate(seed, random);
      const decoded = decode(broken);
      counts[decoded.kind] += 1;
      if (decoded.kind !== 'response') continue;
      const overrun = findOverrun(broken);
      if (overrun !== undefined)
        expect.unreachable(`${overrun} bytes out of range in ${broken.toString('hex')}`);
      if (!isPlain(decoded)) expect.unreachable(`not escaped: ${broken.toString('hex')}`);
    }
    // Without both outcomes the property would prove nothing.
    expect(counts.response).toBeGreaterThan(MUTATIONS / 200);
    expect(counts.malformed).toBeGreaterThan(MUTATIONS / 20);
  });

  test('the independent checker finds what dns-packet accepts', () => {
    for (const wrong of [
      message({ answers: [record('A', [1, 2, 3, 4, 5])] }),
      message({ answers: [record('TXT', join([9], 'abc'))] }),
      message({ answers: [record('CNAME', name('a.test'), { length: 2 })] }),
      message({ additional: [opt(option(15, [0], 400))] }),
      message({ trailing: [0] }),
      message({ counts: [1, 0, 0] }),
    ]) {
      expect(findOverrun(wrong)).toBeDefined();
    }
    for (const seed of SEEDS) expect(findOverrun(seed)).toBeUndefined();
  });
});

/** Everything thrown is a crash. */
function decode(broken: Buffer): DecodedResponse {
  try {
    const decoded = decodeResponse(broken, QUESTION, { over: 'udp' });
    if (decoded.kind !== 'malformed' && !isResponseTo(broken, QUESTION)) {
      expect.unreachable(`not a response: ${broken.toString('hex')}`);
    }
    return decoded;
  } catch (error) {
    throw new Error(`crashed at ${broken.toString('hex')}`, { cause: error });
  }
}

/** Whether all texts are printable ASCII. */
function isPlain(decoded: DecodedResponse): boolean {
  let plain = true;
  JSON.stringify(decoded, (_, value: unknown) => {
    if (typeof value === 'string') plain &&= /^[\x20-\x7e]*$/.test(value);
    return value;
  });
  return plain;
}

/** Makes one to four changes: a bit, a byte, a slightly wrong length, a part removed, repeated or moved. */
function mutate(seed: Buffer, random: () => number): Buffer {
  let bytes = Buffer.from(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  for (let changes = 1 + below(4); changes > 0; changes -= 1) {
    const at = below(bytes.length);
    const piece = bytes.subarray(at, at + 1 + below(16));
    switch (below(7)) {
      case 0:
        bytes[at]! ^= 1 << below(8);
        break;
      case 1:
        bytes[at] = below(256);
        break;
      case 2:
        bytes[at]! += below(5) - 2;
        break;
      case 3:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + piece.length)]);
        break;
      case 4:
        bytes = Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]);
        break;
      case 5:
        Buffer.from(piece).copy(bytes, below(bytes.length));
        break;
      default:
        // A random pointer.
        Buffer.from([0xc0, below(256)]).copy(bytes, at);
    }
    if (bytes.length === 0) return bytes;
  }
  return bytes;
}
