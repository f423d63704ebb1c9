import { createServer } from 'node:https';
import { expect, onTestFinished, test } from 'vitest';
import { describeFailure } from '../../../src/cli/errors/describe-failure.js';
import { createTrustingAgent, trustFirst } from '../../../src/cli/system/trust.js';
import { nodeHttpTransport } from '../../../src/client/internal.js';
import { ConnectionError } from '../../../src/errors.js';
import { AUTHORITY, pemOf } from '../../domain/loopback-servers.js';
import { listening } from '../../support/loopback-port.js';

test.each([
  [
    'shop',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'ORIGIN is for shop.example.test, *.example.test. Check the host of the base URL.',
  ],
  ['common-name-only', 'ERR_TLS_CERT_ALTNAME_INVALID', 'ORIGIN is for shop.example.test. Check the host'],
  ['expired-2021', 'CERT_HAS_EXPIRED', 'ORIGIN or of its issuer has expired (its own ends on 2021-'],
  ['from-2120', 'CERT_NOT_YET_VALID', 'ORIGIN or of its issuer is not valid yet (its own begins on 2120-'],
  [
    'without-intermediate',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'ORIGIN is not trusted: the server does not send the certificate of Petstore test intermediate. ' +
      'Inform the operator of the service, or add that certificate to the file of --ca. If the certificate',
  ],
  [
    'self-signed',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'ORIGIN is not trusted. If the certificate or its authority',
  ],
])('%s: %s', async (name, code, hint) => {
  const pem = pemOf(name);
  const server = createServer({ key: pem, cert: pem });
  const origin = `https://127.0.0.1:${String(await listening(server))}`;
  const trust = trustFirst(AUTHORITY, (own) => [own]);
  const transport = nodeHttpTransport(undefined, (module, options) =>
    createTrustingAgent(module, trust, options),
  );
  onTestFinished(() => transport.close());
  const request = { method: 'GET', origin, path: '/', headers: {}, bodyMaxBytes: 10 };
  const cause: unknown = await transport.send(request).response.catch((error: unknown) => error);
  expect(cause).toMatchObject({ code });
  const failure = new ConnectionError('failed', { code, cause, request: { method: 'GET', url: origin } });
  expect(describeFailure(failure).hint).toContain(`The certificate of ${hint}`.replace('ORIGIN', origin));
  // A transport that does not show the certificate.
  const blind = new ConnectionError('failed', { code, request: { method: 'GET', url: origin } });
  expect(describeFailure(blind).hint).toMatch(/^The certificate of \S+ (?!undefined)/);
  expect(describeFailure(blind).hint).not.toContain('its issuer.');
});

// Bun's sockets do not show it before they close.
test('names the certificate that is in the error itself', () => {
  const code = 'ERR_TLS_CERT_ALTNAME_INVALID';
  const cert = { subject: {}, subjectaltname: 'DNS:shop.example.test' };
  const request = { method: 'GET', url: 'https://127.0.0.1' };
  const failure = new ConnectionError('failed', {
    code,
    request,
    cause: Object.assign(new Error(), { cert }),
  });
  expect(describeFailure(failure).hint).toBe(
    'The certificate of https://127.0.0.1 is for shop.example.test. Check the host of the base URL.',
  );
});
