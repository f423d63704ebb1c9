import type { Probe, ProbeRequest, ProbeResults } from '../../src/domain/probe/probe-request.js';
import type { CertificateReport } from '../../src/domain/report/report.js';

type More = Partial<ProbeResults> | undefined;

/** A probe without a connection: it finds a certificate with this status, and what a test returns. */
export function stubProbe(
  status: CertificateReport['status'],
  more: (request: ProbeRequest) => More | Promise<More> = () => undefined,
): Probe {
  return async (request) => {
    const { findings = [], ...parts } = (await more(request)) ?? {};
    if (request.certificate === undefined) return { ...parts, findings };
    const id = status === 'active' ? 'cert.active' : 'cert.pending';
    const found = { id, axis: 'certificate', severity: 'info', message: '', evidence: [] } as const;
    return { certificate: { status, addresses: [] }, ...parts, findings: [found, ...findings] };
  };
}
