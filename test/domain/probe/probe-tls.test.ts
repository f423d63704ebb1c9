import { once } from 'node:events';
import { expect, test } from 'vitest';
import { openTls, secureContextFor } from '../../../src/domain/probe/probe-tls.js';
import { AUTHORITY, serveTls, SHOP } from '../loopback-servers.js';

test('accepts every certificate, and reports whether it is trusted', async () => {
  const port = await serveTls('self-signed');
  const socket = openTls({ address: '127.0.0.1', port, host: SHOP, trust: secureContextFor(AUTHORITY) });
  await once(socket, 'secureConnect');
  expect(socket.authorized).toBe(false);
  expect(socket.authorizationError).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
  socket.destroy();
});

test('sends SNI, and does not check the name', async () => {
  const port = await serveTls('stranger');
  const socket = openTls({ address: '127.0.0.1', port, host: SHOP, trust: secureContextFor(AUTHORITY) });
  await once(socket, 'secureConnect');
  expect(socket.authorized).toBe(true);
  expect((socket as unknown as { servername: string }).servername).toBe(SHOP);
  socket.destroy();
});

test('parses the same text once, and another one anew', () => {
  const trust = secureContextFor(AUTHORITY);
  expect(secureContextFor(AUTHORITY)).toBe(trust);
  expect(secureContextFor(`${AUTHORITY}\n`)).not.toBe(trust);
});

test('accepts only PEM', () => {
  expect(() => secureContextFor('')).toThrow('has no valid certificate');
  expect(() =>
    secureContextFor(`${AUTHORITY}\n-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----`),
  ).toThrow('has no valid certificate');
  expect(secureContextFor(undefined)).toBeDefined();
});
