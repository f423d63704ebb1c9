import { describe, expect, onTestFinished, test } from 'vitest';
import { nodeHttpTransport } from '../../../src/client/transport/node-http.js';
import { writeIdleMaxMs } from '../../../src/client/transport/transport.js';
import { undiciTransport } from '../../../src/client/transport/undici.js';
import { json, startScriptedServer } from '../../support/scripted-server.js';

test.each([
  [undefined, 1_000],
  ['timeout=5', 1_000],
  ['timeout=1', 500],
  ['max=100, timeout=1', 500],
  ['timeout=0', 0],
  ['timeout=x', 1_000],
])('a write may use a connection with Keep-Alive: %s that was idle for %i ms', (header, expected) => {
  expect(writeIdleMaxMs(header)).toBe(expected);
});

describe.each([
  ['node:http', (monotonic: () => number) => nodeHttpTransport(undefined, undefined, monotonic)],
  ['undici', (monotonic: () => number) => undiciTransport(undefined, undefined, monotonic)],
])('%s', (_, createTransport) => {
  /** Sends one request after the other at these times, and returns the number of connections after each. */
  async function connectionsOf(requests: [method: string, at: number][], headers = {}): Promise<number[]> {
    const server = await startScriptedServer(json({}, 200, headers));
    let now = 0;
    const transport = createTransport(() => now);
    onTestFinished(() => transport.close());
    const counts: number[] = [];
    for (const [method, at] of requests) {
      now = at;
      const request = { method, origin: server.origin, path: '/', headers: {}, bodyMaxBytes: 9 };
      await transport.send(method === 'POST' ? { ...request, body: '{}' } : request).response;
      // A connection is free after the end of its response.
      await new Promise(setImmediate);
      counts.push(server.connections);
    }
    return counts;
  }

  test('sends writes in quick succession over one connection', async () => {
    const posts: [string, number][] = [0, 1_000, 2_000, 3_000].map((at) => ['POST', at]);
    expect(await connectionsOf(posts)).toEqual([1, 1, 1, 1]);
  });

  test('sends no write over a connection that was idle for over 1 s', async () => {
    expect(
      await connectionsOf([
        ['POST', 0],
        ['POST', 1_001],
        ['POST', 2_001],
        ['POST', 3_002],
      ]),
    ).toEqual([1, 2, 2, 3]);
  });

  test('sends reads over a connection that was idle for 3 s', async () => {
    expect(
      await connectionsOf([
        ['GET', 0],
        ['GET', 3_000],
        ['GET', 6_000],
      ]),
    ).toEqual([1, 1, 1]);
  });

  // Whether it is used before that is up to Node and undici, which take a margin from the announced time.
  test('sends no write after half of an announced time', async () => {
    const posts: [string, number][] = [
      ['POST', 0],
      ['POST', 501],
    ];
    expect(await connectionsOf(posts, { 'keep-alive': 'timeout=1' })).toEqual([1, 2]);
  });
});
