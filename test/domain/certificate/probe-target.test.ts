import { expect, test } from 'vitest';
import { probeTargetCertificates } from '../../../src/domain/certificate/probe-target.js';
import { caaNamesOf } from '../../../src/domain/certificate/probe-target.js';
import { closedPort } from '../../support/loopback-port.js';
import { probeLimits, probeSubject, serveTls } from '../loopback-servers.js';

test.each([
  ['platform', true],
  ['stranger', false],
] as const)("reads the certificate of the %s for the target's name: trusted %s", async (name, isTrusted) => {
  const httpsPort = await serveTls(name);
  const found = await probeTargetCertificates(probeSubject({ httpsPort }), [], probeLimits());
  expect(found).toEqual([
    {
      address: '127.0.0.1',
      port: httpsPort,
      isTrusted,
      authority: 'Petstore test intermediate',
      caaNames: [],
    },
  ]);
});

test('leaves out addresses without a certificate', async () => {
  const closed = probeSubject({ httpsPort: await closedPort() });
  await expect(probeTargetCertificates(closed, [], probeLimits())).resolves.toEqual([]);
});

test('connects to no private address without --connect', async () => {
  const context = probeSubject({ connect: undefined, httpsPort: await serveTls('platform') });
  await expect(probeTargetCertificates(context, ['127.0.0.1'], probeLimits())).resolves.toEqual([]);
});

test.each([
  ["Let's Encrypt", 'letsencrypt.org'],
  ['Google Trust Services', 'pki.goog'],
  ['toString', undefined],
])('the CAA name of %s is %s', (organisation, name) => expect(caaNamesOf(organisation)[0]).toBe(name));
