import { describe, expect, test } from 'vitest';
import { askServers } from '../../src/domain/authoritative.js';
import { lookAround } from '../../src/domain/nearby.js';
import { findZone } from '../../src/domain/zone.js';
import type { World } from './fake-dns.js';
import { NS1, NS2, TARGET, inquiryOf, worldOf } from './world.js';

async function around(name: string, world: World) {
  const { inquiry, dns } = inquiryOf(world);
  const { zone } = await findZone(inquiry, name);
  const servers = await askServers(inquiry, zone, name);
  const before = dns.asked.length;
  const { wildcard, doubled, doubledControl } = await lookAround(inquiry, zone.name, name, servers);
  return {
    wildcard: wildcard.map(({ outcome }) => outcome),
    doubled: doubled?.outcome,
    control: doubledControl?.outcome,
    asked: dns.asked.slice(before).map((line) => line.replace(/\b[0-9a-v]{12}\./, 'RANDOM.')),
  };
}

const NAME = 'shop.example.test';

describe('around a record', () => {
  test('a sibling that nobody has is asked for', async () => {
    const expected = { wildcard: ['nxdomain', 'nxdomain'], doubled: undefined, control: undefined };
    expect(await around(NAME, worldOf([`shop CNAME ${TARGET}.`]))).toEqual({
      ...expected,
      asked: [`${NS1} CNAME RANDOM.example.test`, `${NS1} A RANDOM.example.test`],
    });
    expect((await around(NAME, worldOf(['shop A 192.0.2.99']))).wildcard).toHaveLength(2);
  });

  test('a wildcard answers for it', async () => {
    expect((await around(NAME, worldOf([`* CNAME ${TARGET}.`]))).wildcard).toEqual(['value', 'nodata']);
  });
});

describe('around a missing record', () => {
  test('the name typed in full is asked for, and a control', async () => {
    expect(await around(NAME, worldOf([`${NAME} CNAME ${TARGET}.`]))).toEqual({
      wildcard: [],
      doubled: 'value',
      control: 'nxdomain',
      asked: [`${NS1} CNAME ${NAME}.example.test`, `${NS1} CNAME RANDOM.example.test.example.test`],
    });
  });

  test('a wildcard would answer for both', async () => {
    const { doubled, control } = await around(
      NAME,
      worldOf([`*.example.test CNAME ${TARGET}.`, 'shop TXT hello']),
    );
    expect([doubled, control]).toEqual(['value', 'value']);
  });

  test('a name that would be too long is not asked for', async () => {
    const long = `${Array(3).fill('a'.repeat(60)).join('.')}.${'b'.repeat(50)}.example.test`;
    expect(long.length).toBeLessThanOrEqual(253);
    expect((await around(long, worldOf([]))).asked).toEqual([]);
  });
});

test('nothing is asked around an apex, nor where nobody answers', async () => {
  expect((await around('example.test', worldOf([]))).asked).toEqual([]);
  const faults = { [NS1]: 'silent', [NS2]: 'silent' } as const;
  expect((await around(NAME, worldOf([], { faults }))).asked).toEqual([]);
});
