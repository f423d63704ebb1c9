import type { Finding, Report } from '../../../../src/domain/index.js';

/** A report of a domain that is right, but for what is told. */
export function buildReport(parts: Partial<Report> = {}): Report {
  return {
    domain: { input: 'a.example', ascii: 'a.example', unicode: 'a.example' },
    kind: 'subdomain',
    zone: 'example',
    decidedBy: 'zone-cut',
    expected: [{ type: 'CNAME', name: 'a.example', label: 'a', value: 't.example', ttl: 3600 }],
    estimate: null,
    state: 'verified',
    findings: [],
    observed: { authoritative: [], recursive: [] },
    next: [],
    ...parts,
  };
}

/** That the record is right, but for what is told. */
export function buildFinding(parts: Partial<Finding> = {}): Finding {
  return { id: 'record.ok', axis: 'record', severity: 'info', message: 'right', evidence: [], ...parts };
}
