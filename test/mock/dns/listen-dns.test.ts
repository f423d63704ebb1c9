import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createVirtualClock } from '../../../src/mock/service/clock.js';
import { listenDns, type DnsServer } from '../../../src/mock/dns/listen-dns.js';
import { frozenClock } from '../send-request.js';

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

/** Responds with the query text and the endpoint: to `later` after a second, to `nothing` never. */
async function serve(
  { port = 0, addresses = ['127.0.0.1'] }: { port?: number; addresses?: string[] } = {},
  clock = createVirtualClock(frozenClock),
): Promise<DnsServer> {
  const server = await listenDns(
    {
      clock,
      handle(packet, { server: address, over }) {
        const text = Buffer.from(packet).toString();
        if (text === 'nothing') return undefined;
        return { packet: Buffer.from(`${text} ${over} ${address}`), delayMs: text === 'later' ? 1_000 : 0 };
      },
    },
    { port, addresses },
  );
  closing.push(() => server.close());
  return server;
}

function udp(): ReturnType<typeof createSocket> {
  const socket = createSocket('udp4');
  closing.push(async () => {
    socket.close();
  });
  return socket;
}

async function queryUdp(port: number, text: string, address = '127.0.0.1'): Promise<[string, string]> {
  const socket = udp();
  socket.send(text, port, address);
  const [bytes, peer] = (await once(socket, 'message')) as [Buffer, { address: string }];
  return [bytes.toString(), peer.address];
}

const framed = (text: string) =>
  Buffer.concat([Buffer.from([text.length >> 8, text.length & 0xff]), Buffer.from(text)]);

async function connectAndClose(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.destroy();
  await once(socket, 'close');
}

/** Sends chunks and reads a number of responses. */
async function queryTcp(port: number, chunks: readonly Buffer[], responseCount: number): Promise<string[]> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  closing.push(async () => {
    socket.destroy();
  });
  for (const chunk of chunks) {
    socket.write(chunk);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const received: string[] = [];
  let pending = Buffer.alloc(0);
  for await (const chunk of socket) {
    pending = Buffer.concat([pending, chunk as Buffer]);
    while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
      received.push(pending.subarray(2, 2 + pending.readUInt16BE(0)).toString());
      pending = pending.subarray(2 + pending.readUInt16BE(0));
    }
    if (received.length >= responseCount) break;
  }
  return received;
}

test('uses one port for UDP and TCP', async () => {
  const { host, port } = await serve();
  expect(host).toBe('127.0.0.1');
  expect(await queryUdp(port, 'hello')).toEqual(['hello udp 127.0.0.1', '127.0.0.1']);
  expect(await queryTcp(port, [framed('hello')], 1)).toEqual(['hello tcp 127.0.0.1']);
});

describe('TCP', () => {
  test('reads several queries in one chunk, and one in several chunks', async () => {
    const { port } = await serve();
    const all = Buffer.concat([framed('one'), framed('two'), framed('three')]);
    expect(await queryTcp(port, [all.subarray(0, 1), all.subarray(1, 7), all.subarray(7)], 3)).toEqual([
      'one tcp 127.0.0.1',
      'two tcp 127.0.0.1',
      'three tcp 127.0.0.1',
    ]);
  });

  test('continues after a client disconnects', async () => {
    const { port } = await serve();
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(framed('hello').subarray(0, 3));
    socket.resetAndDestroy();
    expect(await queryTcp(port, [framed('hello')], 1)).toHaveLength(1);
  });

  test.each(['one chunk', 'many chunks'])(
    'stops reading while a client reads no responses, and then responds to all queries, in %s',
    async (chunks) => {
      const COUNT = 600;
      const RESPONSE_BYTES = 60_000;
      let handled = 0;
      const handle = () => {
        handled += 1;
        return { packet: Buffer.alloc(RESPONSE_BYTES), delayMs: 0 };
      };
      const server = await listenDns(
        { clock: createVirtualClock(frozenClock), handle },
        { port: 0, addresses: [] },
      );
      closing.push(() => server.close());
      const socket = connect({ port: server.port, host: '127.0.0.1', noDelay: true });
      const queries = framed('?').toString('latin1').repeat(COUNT);
      if (chunks === 'one chunk') socket.write(queries, 'latin1');
      else for (let index = 0; index < COUNT; index += 1) socket.write(framed('?'));
      // Each of these needs several turns of the event loop.
      const OTHERS = 20;
      for (let index = 0; index < OTHERS; index += 1) await connectAndClose(server.port);
      // The buffers of the system hold some 10 MB.
      expect(handled).toBeGreaterThan(0);
      expect(handled).toBeLessThan(COUNT / 2);
      let received = 0;
      for await (const chunk of socket as AsyncIterable<Buffer>) {
        received += chunk.length;
        if (received === COUNT * (RESPONSE_BYTES + 2)) break;
      }
      expect(handled).toBe(COUNT);
    },
  );
});

test('skips a query without response, and responds to the next ones', async () => {
  const { port } = await serve();
  const socket = udp();
  socket.send('nothing', port, '127.0.0.1');
  socket.send('something', port, '127.0.0.1');
  const [bytes] = (await once(socket, 'message')) as [Buffer];
  expect(bytes.toString()).toBe('something udp 127.0.0.1');
});

test('delays a response by the virtual clock', async () => {
  const clock = createVirtualClock(frozenClock);
  const { port } = await serve({}, clock);
  const socket = udp();
  const received: string[] = [];
  socket.on('message', (bytes) => received.push(bytes.toString()));
  socket.send('later', port, '127.0.0.1');
  socket.send('now', port, '127.0.0.1');
  await once(socket, 'message');
  expect(received).toEqual(['now udp 127.0.0.1']);
  const late = once(socket, 'message');
  clock.advance(1_000);
  await late;
  expect(received).toEqual(['now udp 127.0.0.1', 'later udp 127.0.0.1']);
});

test.runIf(process.platform === 'linux')('passes the address to the handler', async () => {
  const { port, addresses, missingAddresses } = await serve({ addresses: ['127.0.0.2', '127.0.0.10'] });
  expect([addresses, missingAddresses]).toEqual([['127.0.0.1', '127.0.0.2', '127.0.0.10'], []]);
  expect(await queryUdp(port, 'hello', '127.0.0.10')).toEqual(['hello udp 127.0.0.10', '127.0.0.10']);
});

test('lists the addresses that the machine does not have', async () => {
  // An address of a documentation range.
  const { port, addresses, missingAddresses } = await serve({ addresses: ['192.0.2.1', '127.0.0.1'] });
  expect([addresses, missingAddresses]).toEqual([['127.0.0.1'], ['192.0.2.1']]);
  expect(await queryUdp(port, 'hello')).toEqual(['hello udp 127.0.0.1', '127.0.0.1']);
});

describe('port in use', () => {
  test('for UDP', async () => {
    const { port } = await serve();
    await expect(serve({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  test('for TCP only; closes the UDP socket', async () => {
    const occupied = createServer();
    occupied.listen(0, '127.0.0.1');
    await once(occupied, 'listening');
    const { port } = occupied.address() as { port: number };
    await expect(serve({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    occupied.close();
    await once(occupied, 'close');
    expect((await serve({ port })).port).toBe(port);
  });
});

test('closes at once, with an open connection and a delayed response', async () => {
  const clock = createVirtualClock(frozenClock);
  const server = await serve({}, clock);
  const socket = connect(server.port, '127.0.0.1');
  const client = udp();
  await once(socket, 'connect');
  client.send('later', server.port, '127.0.0.1');
  client.send('now', server.port, '127.0.0.1');
  await once(client, 'message');
  const closed = once(socket, 'close');
  await server.close();
  await closed;
  // The delayed response is due, but its socket is closed.
  clock.advance(1_000);
  closing.splice(0, 1);
  const again = await serve({ port: server.port });
  expect(again.port).toBe(server.port);
});

test('responds to the queries of a TCP connection one after the other', async () => {
  const clock = createVirtualClock(frozenClock);
  const { port } = await serve({}, clock);
  const received = queryTcp(port, [Buffer.concat([framed('later'), framed('now')])], 2);
  await vi.waitFor(() => {
    clock.advance(1_000);
    return Promise.race([received, Promise.reject(new Error('no response yet'))]);
  });
  expect(await received).toEqual(['later tcp 127.0.0.1', 'now tcp 127.0.0.1']);
});
