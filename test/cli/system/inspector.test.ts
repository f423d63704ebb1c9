import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { type Answer, decode, encode } from 'dns-packet';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createInspector, type Door } from '../../../src/cli/system/inspector.js';
import { listening } from '../../support/loopback-port.js';

const pem = (name: string): string =>
  readFileSync(new URL(`../../domain/certificates/${name}.pem`, import.meta.url), 'utf8');

async function serveTls(name: string, received: string[] = []): Promise<number> {
  const server = createTlsServer({ key: pem(name), cert: pem(name) }, (socket) => {
    socket.on('error', () => undefined).on('data', (data) => received.push(String(data)));
  });
  return listening(server);
}

/** Answers whoever asks for a tunnel, and leads to this port where the answer is a good one. */
async function serveProxy(answer: string, port: number, heads: string[] = []): Promise<string> {
  const server = createServer((client) => {
    client.once('data', (head) => {
      heads.push(String(head));
      client.write(answer);
      if (!answer.includes(' 200 ')) return;
      const upstream = connect(port, '127.0.0.1');
      upstream.on('error', () => undefined);
      client.pipe(upstream).pipe(client);
    });
  });
  return `http://ida:hunter%402@127.0.0.1:${String(await listening(server))}`;
}

const knock = (door: Partial<Door>, signal = new AbortController().signal) =>
  createInspector().shakeHands({ host: '127.0.0.1', port: 1, isTls: true, ...door }, signal);

test('names the resolvers of the machine', () => {
  expect(createInspector().resolvers()).toBeInstanceOf(Array);
});

describe('asks a resolver', () => {
  const never = new AbortController().signal;

  /** Answers each type of question with these addresses, or with a code of refusal. */
  async function serveNames(records: Readonly<Record<string, string[]>>, code = 0): Promise<string> {
    const socket = createSocket('udp4');
    socket.on('message', (message, { port, address }) => {
      const { id, questions } = decode(message);
      const [{ name, type } = { name: '', type: 'A' }] = questions ?? [];
      const answers = (records[type] ?? []).map((data) => ({ name, type, data, ttl: 60 }) as Answer);
      const answer = encode({ type: 'response', flags: code, ...(id && { id }), questions, answers });
      socket.send(answer, port, address);
    });
    onTestFinished(() => void socket.close());
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    return `127.0.0.1:${String(socket.address().port)}`;
  }

  test.each([
    [{ A: ['192.0.2.80'], AAAA: ['2001:db8::1'] }, ['192.0.2.80', '2001:db8::1']],
    [{ AAAA: ['2001:db8::1'] }, ['2001:db8::1']],
  ])('for addresses of both kinds: %j', async (records, addresses) => {
    const server = await serveNames(records);
    expect(await createInspector().resolve('pets.test', server, never)).toEqual(addresses);
  });

  test.each([
    [3, 'ENOTFOUND'],
    [2, 'ESERVFAIL'],
    [5, 'EREFUSED'],
    [0, 'ENODATA'],
  ])('that says no with code %i: %s', async (code, message) => {
    const server = await serveNames({}, code);
    await expect(createInspector().resolve('pets.test', server, never)).rejects.toThrow(message);
  });

  test('and waits no longer than it is told to', async () => {
    const silent = createSocket('udp4');
    onTestFinished(() => void silent.close());
    await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', resolve));
    const controller = new AbortController();
    const server = `127.0.0.1:${String(silent.address().port)}`;
    const asking = createInspector().resolve('pets.test', server, controller.signal);
    silent.once('message', () => {
      controller.abort(new Error('too long'));
    });
    await expect(asking).rejects.toThrow('too long');
  });

  test('whose address nobody can read', async () => {
    await expect(createInspector().resolve('pets.test', 'nonsense', never)).rejects.toThrow();
  });
});

describe('shakes hands', () => {
  test('sees a certificate that it does not trust, and sends nothing', async () => {
    const received: string[] = [];
    const port = await serveTls('self-signed', received);
    expect(await knock({ port })).toEqual({
      address: '127.0.0.1',
      protocol: 'TLSv1.3',
      certificate: {
        issuer: 'shop.example.test',
        validTo: Date.UTC(2126, 0, 1),
        distrust: 'DEPTH_ZERO_SELF_SIGNED_CERT',
      },
    });
    expect(received).toEqual([]);
  });

  test.each([
    ['expired-2021', 'CERT_HAS_EXPIRED'],
    ['stranger', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['shop', undefined],
  ])('by an authority of its own, through a proxy: %s, %s', async (name, distrust) => {
    const heads: string[] = [];
    const proxyUrl = await serveProxy('HTTP/1.1 200 OK\r\n\r\n', await serveTls(name), heads);
    const seen = await knock({ host: 'shop.example.test', port: 443, proxyUrl, authorities: pem('root') });
    expect(seen.certificate?.distrust).toBe(distrust);
    expect(heads[0]).toMatch(
      /^CONNECT shop\.example\.test:443 HTTP\/1\.1\r\nHost: shop\.example\.test:443\r\n/,
    );
    // ida:hunter@2 in base64.
    expect(heads[0]).toContain('Proxy-Authorization: Basic aWRhOmh1bnRlckAy\r\n');
  });

  test('without TLS there is an address and no more', async () => {
    expect(await knock({ port: await listening(createServer()), isTls: false })).toEqual({
      address: '127.0.0.1',
    });
  });
});

describe('says how far it came', () => {
  test('nobody listens', async () => {
    await expect(knock({ port: 1 })).rejects.toMatchObject({ step: 'connection', message: 'ECONNREFUSED' });
  });

  test('a name that does not exist', async () => {
    await expect(knock({ host: 'pets.invalid' })).rejects.toMatchObject({ step: 'name' });
  });

  test('a server that speaks no TLS', async () => {
    const port = await listening(createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')));
    await expect(knock({ port })).rejects.toMatchObject({ step: 'tls' });
  });

  test.each([
    ['HTTP/1.1 407 Proxy Authentication Required\r\n\r\n', 'the proxy answered 407'],
    ['SSH-2.0-x\r\n\r\n', 'the proxy does not answer as one'],
    ['x'.repeat(20_000), 'the proxy does not answer as one'],
  ])('a proxy that says %j', async (answer, message) => {
    const proxyUrl = await serveProxy(answer, 1);
    await expect(knock({ proxyUrl })).rejects.toMatchObject({ step: 'proxy', message });
  });

  test('a proxy with a certificate that is not trusted gets no login', async () => {
    const received: string[] = [];
    const port = await serveTls('self-signed', received);
    const proxyUrl = `https://ida:hunter2@127.0.0.1:${String(port)}`;
    await expect(knock({ proxyUrl })).rejects.toMatchObject({ step: 'proxy' });
    expect(received).toEqual([]);
  });
});

test('a silent host is left when it takes too long', async () => {
  const port = await listening(createServer());
  const controller = new AbortController();
  const knocking = knock({ port }, controller.signal);
  controller.abort(new Error('too long'));
  await expect(knocking).rejects.toThrow('too long');
  await expect(knock({ port }, controller.signal)).rejects.toThrow('too long');
});
