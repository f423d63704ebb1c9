import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { describe, expect, onTestFinished, test } from 'vitest';
import { nodeHttpTransport } from '../../../src/client/transport/node-http.js';
import { listening } from '../../support/loopback-port.js';
import { describeTransport } from '../../support/transport-contract.js';

describe('nodeHttpTransport', () => {
  describeTransport(() => nodeHttpTransport());
});

const pem = (name: string): string =>
  readFileSync(new URL(`../../domain/certificates/${name}.pem`, import.meta.url), 'utf8');

test.each([
  ['unknown authority by default', undefined, 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
  ['known authority, wrong host name', [pem('root')], 'ERR_TLS_CERT_ALTNAME_INVALID'],
])('does not trust a server: %s', async (_, caCertificates, code) => {
  const port = await listening(createServer({ key: pem('shop'), cert: pem('shop') }));
  const transport = nodeHttpTransport(caCertificates);
  onTestFinished(() => transport.close());
  const origin = `https://127.0.0.1:${String(port)}`;
  const { response } = transport.send({
    method: 'GET',
    origin,
    path: '/',
    headers: {},
    bodyMaxBytes: 1,
  });
  await expect(response).rejects.toMatchObject({ code });
});
