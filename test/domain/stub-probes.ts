import type { CertificateReport } from '../../src/domain/report/report.js';
import type { Probes } from '../../src/domain/run/probes.js';

/** Probes without a connection: they find nothing, and a certificate with this status. */
export function stubProbes(
  status: CertificateReport['status'],
  parts: Partial<Probes> = {},
): () => Promise<Probes> {
  const probes: Probes = {
    certificate: () =>
      Promise.resolve({
        report: { status, addresses: [] },
        findings: [
          {
            id: status === 'active' ? 'cert.active' : 'cert.pending',
            axis: 'certificate',
            severity: 'info',
            message: '',
            evidence: [],
          },
        ],
      }),
    redirects: () => Promise.resolve({ report: [], findings: [] }),
    target: () => Promise.resolve([]),
    platform: () => Promise.resolve(undefined),
    entries: () => [],
    ...parts,
  };
  return () => Promise.resolve(probes);
}
