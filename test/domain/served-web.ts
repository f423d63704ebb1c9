import { certificateFindings } from '../../src/domain/probe/certificate-findings.js';
import { certificateReport } from '../../src/domain/probe/certificate-problems.js';
import type { ServedCertificate } from '../../src/domain/probe/read-certificate.js';
import type { ProbeFailure } from '../../src/domain/probe/probe-failure.js';
import type { RedirectHop } from '../../src/domain/probe/probe-redirects.js';
import { checkEntries } from '../../src/domain/probe/redirect-entries.js';
import { redirectFindings, redirectReports } from '../../src/domain/probe/redirect-findings.js';
import type { Probes } from '../../src/domain/run/probes.js';
import { buildCertificate, DAY_MS } from './certificate-builder.js';

/** What the web servers of a domain serve. */
export interface Web {
  /** Instead of a right certificate. */
  certificate?: Partial<ServedCertificate> | ProbeFailure;
  /** Overrides of the requests of the first redirect entry: from http, from https. */
  hops?: (url: string, to: string) => readonly (Partial<RedirectHop> & { url: string })[];
}

/** Probes of servers that serve this: their findings are those of real probes. */
export function webProbes(web: () => Web): () => Promise<Probes> {
  const certificateAt = (now: number, parts: Partial<ServedCertificate> = {}): ServedCertificate =>
    buildCertificate({ validFrom: now - 30 * DAY_MS, validTo: now + 60 * DAY_MS, ...parts });
  const entries: Probes['entries'] = (checked) => checkEntries(checked);
  return () =>
    Promise.resolve({
      entries,
      target: () => Promise.resolve([]),
      platform: () => Promise.resolve(undefined),
      certificate({ domain, target, addresses, now, verifiedAt, verifiedAtSource = 'earlier-check' }) {
        const { certificate = {} } = web();
        const isFailure = 'kind' in certificate && certificate.kind !== 'certificate';
        const result = isFailure
          ? (certificate as ProbeFailure)
          : certificateAt(now.getTime(), certificate as Partial<ServedCertificate>);
        const facts = {
          ...{ domain, target, port: 443, checkedAt: now.getTime(), verifiedAtSource },
          verifiedAt: verifiedAt?.getTime(),
          addresses: addresses.map((address) => ({ address, result })),
        };
        return Promise.resolve({ report: certificateReport(facts), findings: certificateFindings(facts) });
      },
      redirects(checked, { now }) {
        const path = '/petstore-check/1?probe=1';
        const facts = checked.map((entry) => {
          const { from, to, status } = entry;
          const right = (url: string) => [
            { url, response: { kind: 'response', status, location: `https://${to}${path}` } as const },
            { url: `https://${to}${path}` },
          ];
          const walks = (['http', 'https'] as const).map((scheme) => ({
            scheme,
            hops: (web().hops ?? right)(`${scheme}://${from}${path}`, `https://${to}${path}`).map((hop) => ({
              response: { kind: 'response', status: 200, location: undefined } as const,
              ...(hop.url.startsWith('https:') && { certificate: certificateAt(now.getTime()) }),
              ...hop,
            })),
          }));
          return { entry, checkedAt: now.getTime(), path, ports: { http: 80, https: 443 }, walks };
        });
        return Promise.resolve({
          report: redirectReports(checked, facts),
          findings: [...entries(checked), ...facts.flatMap(redirectFindings)],
        });
      },
    });
}
