import type { RedirectFacts, RedirectHop } from '../../src/domain/probe/probe-redirects.js';
import { buildCertificate } from './certificate-builder.js';
import { NOW } from './loopback-servers.js';

export const FROM = 'old.example.test';
export const TO = 'new.example.test';
export const PATH = '/petstore-check/t1?probe=t1';

/** A response that redirects. */
export function redirect(location: string | undefined, status = 301): RedirectHop['response'] {
  return { kind: 'response', status, location };
}

/** A right redirect from https, with overrides of its only request. */
export function redirectFacts(hop: Partial<RedirectHop>): RedirectFacts {
  const url = `https://${FROM}${PATH}`;
  return {
    entry: { from: FROM, to: TO, status: 301 },
    checkedAt: NOW,
    path: PATH,
    ports: { http: 80, https: 443 },
    walks: [
      {
        scheme: 'https',
        hops: [
          {
            url,
            endpoint: { address: '192.0.2.80', port: 443 },
            response: redirect(`https://${TO}${PATH}`),
            certificate: buildCertificate(),
            ...hop,
          },
        ],
      },
    ],
  };
}
