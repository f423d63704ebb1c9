import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { nodeHttpTransport } from '../../../src/client/transport/node-http.js';
import { describeTransport } from '../../support/transport-contract.js';

describe('the transport over node-http', () => {
  describeTransport(() => nodeHttpTransport());
});

const pem = (name: string): string =>
  readFileSync(new URL(`../../domain/certificates/${name}.pem`, import.meta.url), 'utf8');

test.each([
  ['nobody but the usual authorities', undefined, 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
  ['the one that signed: now the name is what is wrong', [pem('root')], 'ERR_TLS_CERT_ALTNAME_INVALID'],
])('trusts %s', async (_, authorities, code) => {
  const server = createServer({ key: pem('shop'), cert: pem('shop') }).on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const transport = nodeHttpTransport(authorities);
  onTestFinished(() => transport.close());
  const origin = `https://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const { answer } = transport.send({ method: 'GET', origin, path: '/', headers: {}, bodyMaxBytes: 1 });
  await expect(answer).rejects.toMatchObject({ code });
});
