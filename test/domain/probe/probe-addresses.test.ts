import { expect, test } from 'vitest';
import { probeAddresses } from '../../../src/domain/probe/probe-addresses.js';
import { isConnectHost } from '../../../src/domain/request/connect-host.js';
import { probeRequest } from '../loopback-servers.js';

const OTHER = 'old.example.test';

/** Chooses addresses for a host, from the given ones or by a lookup. */
async function of(connect: string | undefined, found?: readonly string[]) {
  const lookedUp: string[] = [];
  const subject = probeRequest(
    { connect },
    {
      addressesOf(name) {
        lookedUp.push(name);
        return Promise.resolve({ outcome: 'found', addresses: ['9.9.9.9', '10.0.0.1'] });
      },
    },
  );
  const find = async () => found ?? (await subject.addressesOf(OTHER)).addresses;
  return { ...(await probeAddresses(subject, find, [443], () => undefined)), lookedUp };
}

test("uses the domain's addresses, each once", async () => {
  const found = await of(undefined, ['1.1.1.1', '2606:4700::1111', '1.1.1.1']);
  expect(found).toEqual({ allowed: ['1.1.1.1', '2606:4700::1111'], refused: [], lookedUp: [] });
});

test("looks up another host's addresses, and skips reserved ones", async () => {
  const { allowed, refused, lookedUp } = await of(undefined);
  expect({ allowed, lookedUp }).toEqual({ allowed: ['9.9.9.9'], lookedUp: [OTHER] });
  expect(refused).toEqual([
    {
      address: '10.0.0.1',
      failure: { kind: 'not-probed', detail: 'not probed: it is reserved for private networks' },
    },
  ]);
});

test('allows at most sixteen addresses', async () => {
  const many = Array.from({ length: 20 }, (_, index) => `1.1.1.${index}`);
  const { allowed, refused } = await of(undefined, many);
  expect(allowed).toEqual(many.slice(0, 16));
  const failure = { kind: 'over-limit', detail: 'not probed: only the first 16 are probed' };
  expect(refused).toEqual(many.slice(16).map((address) => ({ address, failure })));
});

test.each([
  ['127.0.0.1', ['127.0.0.1'], []],
  ['[::1]', ['::1'], []],
  ['LOCALHOST', ['127.0.0.1'], []],
  ['shop.localhost', ['127.0.0.1'], []],
  ['edge.platform.test', ['9.9.9.9', '10.0.0.1'], ['edge.platform.test']],
])('accepts %s from the caller', async (connect, allowed, lookedUp) => {
  expect(await of(connect, ['1.1.1.1'])).toEqual({ allowed, refused: [], lookedUp });
});

test.each([
  [
    ['127.0.0.1', '::1', '[::1]', 'localhost', 'shop.LOCALHOST', 'edge.platform.test', 'edge.platform.test.'],
    true,
  ],
  [
    ['', '127.0.0.1:8443', '[::1]:8443', '999.1.1.1', '2130706433', 'edge.test:443', 'https://edge.test'],
    false,
  ],
])('%j are hosts to connect to: %j', (hosts, expected) => {
  expect(hosts.map(isConnectHost)).toEqual(hosts.map(() => expected));
});
