import { createSocket } from 'node:dgram';
import { type Answer, decode, encode } from 'dns-packet';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createDnsServers } from '../../../src/cli/system/dns-servers.js';

test('lists the servers of the machine', () => {
  expect(createDnsServers().list()).toBeInstanceOf(Array);
});

describe('resolve', () => {
  const never = new AbortController().signal;

  /** Responds to each query type with these addresses, or with this response code. */
  async function serveNames(records: Readonly<Record<string, string[]>>, code = 0): Promise<string> {
    const socket = createSocket('udp4');
    socket.on('message', (message, { port, address }) => {
      const { id, questions } = decode(message);
      const [{ name, type } = { name: '', type: 'A' }] = questions ?? [];
      const answers = (records[type] ?? []).map((data) => ({ name, type, data, ttl: 60 }) as Answer);
      const packet = encode({ type: 'response', flags: code, ...(id && { id }), questions, answers });
      socket.send(packet, port, address);
    });
    onTestFinished(() => void socket.close());
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    return `127.0.0.1:${String(socket.address().port)}`;
  }

  test.each([
    [{ A: ['192.0.2.80'], AAAA: ['2001:db8::1'] }, ['192.0.2.80', '2001:db8::1']],
    [{ AAAA: ['2001:db8::1'] }, ['2001:db8::1']],
  ])('returns addresses of both families: %j', async (records, addresses) => {
    const server = await serveNames(records);
    expect(await createDnsServers().resolve('pets.test', server, never)).toEqual(addresses);
  });

  test.each([
    [3, 'ENOTFOUND'],
    [2, 'ESERVFAIL'],
    [5, 'EREFUSED'],
    [0, 'ENODATA'],
  ])('rejects for response code %i: %s', async (code, message) => {
    const server = await serveNames({}, code);
    await expect(createDnsServers().resolve('pets.test', server, never)).rejects.toThrow(message);
  });

  test('stops when its signal aborts', async () => {
    const silent = createSocket('udp4');
    onTestFinished(() => void silent.close());
    await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', resolve));
    const controller = new AbortController();
    const server = `127.0.0.1:${String(silent.address().port)}`;
    const pending = createDnsServers().resolve('pets.test', server, controller.signal);
    silent.once('message', () => {
      controller.abort(new Error('too long'));
    });
    await expect(pending).rejects.toThrow('too long');
  });

  test('rejects for an invalid server address', async () => {
    await expect(createDnsServers().resolve('pets.test', 'nonsense', never)).rejects.toThrow();
  });
});
