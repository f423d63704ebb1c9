import type { ServedCertificate } from '../../src/domain/probe/read-certificate.js';
import type { ProbeFailure } from '../../src/domain/probe/probe-failure.js';
import type { RedirectHop } from '../../src/domain/probe/probe-redirects.js';
import { probeResults } from '../../src/domain/probe/probe.js';
import type { Probe } from '../../src/domain/probe/probe-request.js';
import { buildCertificate, DAY_MS } from './certificate-builder.js';

/** What the web servers of a domain serve. */
export interface Web {
  /** Instead of a right certificate. */
  certificate?: Partial<ServedCertificate> | ProbeFailure;
  /** Overrides of the requests of the first redirect entry: from http, from https. */
  hops?: (url: string, to: string, status: number) => readonly (Partial<RedirectHop> & { url: string })[];
}

/** A probe of servers that serve this: its findings are those of real probes. */
export function webProbe(web: () => Web): Probe {
  return (request) => {
    const { target, certificate: site, redirects } = request;
    const { certificate = {}, hops = rightHops } = web();
    const checkedAt = request.now.getTime();
    const valid = buildCertificate({
      validFrom: checkedAt - 30 * DAY_MS,
      validTo: checkedAt + 60 * DAY_MS,
    });
    const result = 'detail' in certificate ? certificate : { ...valid, ...certificate };
    const certificateFacts = site && {
      domain: site.domain,
      target,
      port: 443,
      checkedAt,
      verifiedAt: site.verifiedAt?.getTime(),
      verifiedAtSource: site.verifiedAtSource ?? 'earlier-check',
      // The target's own addresses are not compared.
      addresses: site.domain === target ? [] : site.addresses.map((address) => ({ address, result })),
    };
    const redirectFacts = redirects?.map((entry) => {
      const walks = (['http', 'https'] as const).map((scheme) => ({
        scheme,
        hops: hops(`${scheme}://${entry.from}${PATH}`, `https://${entry.to}${PATH}`, entry.status).map(
          (hop) => ({
            response: { kind: 'response', status: 200, location: undefined } as const,
            ...(hop.url.startsWith('https:') && { certificate: valid }),
            ...hop,
          }),
        ),
      }));
      return { entry, checkedAt, path: PATH, ports: { http: 80, https: 443 }, walks };
    });
    return Promise.resolve(probeResults(request, certificateFacts, undefined, redirectFacts));
  };
}

const PATH = '/petstore-check/1?probe=1';

const rightHops: NonNullable<Web['hops']> = (url, to, status) => [
  { url, response: { kind: 'response', status, location: to } },
  { url: to },
];
