import { probeCertificate } from '../certificate/probe-certificate.js';
import { probeTargetCertificates } from '../certificate/probe-target.js';
import { certificateFindings } from '../certificate/certificate-findings.js';
import { certificateReport } from '../certificate/certificate-report.js';
import { systemClock } from '../concurrency/clock.js';
import type { Finding } from '../finding/finding.js';
import { platformFindings, platformReport } from '../platform/platform-report.js';
import { probePlatform } from '../platform/probe-platform.js';
import type { DomainProbes, RedirectEntry } from '../report/options.js';
import type { ProbeLimits } from '../probe/probe-time.js';
import { probeRedirects } from '../redirect/probe-redirects.js';
import { checkEntries, indexEntries, probeableEntries } from '../redirect/redirect-entries.js';
import { redirectReports } from '../redirect/redirect-report.js';
import { checkProbeOptions } from './check-arguments.js';
import type { ProbeOptions } from './probe-options.js';
import { createStopSignals } from '../concurrency/stop-signal.js';
import { redirectFindings } from '../redirect/redirect-findings.js';

const TIMEOUT_MS = 5_000;

/**
 * Creates the probes of certificates and redirects, for the option `probes` of a check. They connect only to public
 * addresses, and to the address in `probe.connect`.
 *
 * The methods reject with InvalidInputError if `probe.ca` has no valid certificate. A failed probe is a finding.
 *
 * @throws InvalidInputError for an unknown or invalid option.
 * @example
 * const probes = createProbes({ timeoutMs: 2_000 });
 * const report = await checkDomain({ domain: 'shop.example.com', target: 'cname.example.net' }, { probes });
 */
export function createProbes(options: ProbeOptions = {}): DomainProbes {
  checkProbeOptions(options);
  const {
    timeoutMs = TIMEOUT_MS,
    clock = systemClock,
    random = Math.random,
    attached,
    redirects,
    route,
  } = options;
  const stops = createStopSignals();
  const limitsOf = (signal: AbortSignal | undefined): ProbeLimits => ({
    timeoutMs,
    clock,
    route,
    stop: stops.join([signal]),
  });
  const index = redirects && indexEntries(redirects);
  const checkAsData = (entries: readonly RedirectEntry[]): Finding[] =>
    checkEntries(entries, { all: redirects, attached, index });
  return {
    async certificate(subject) {
      const facts = await probeCertificate(subject, limitsOf(subject.signal));
      return { report: certificateReport(facts), findings: certificateFindings(facts) };
    },
    target: (context, addresses) => probeTargetCertificates(context, addresses, limitsOf(context.signal)),
    async platform(subject) {
      const { target } = subject;
      if (target === undefined) return undefined;
      const facts = await probePlatform({ ...subject, target }, limitsOf(subject.signal));
      return { report: platformReport(facts), findings: platformFindings(facts) };
    },
    async redirects(entries, context) {
      const token = Math.floor(random() * 2 ** 32).toString(16);
      const probeable = probeableEntries(entries, redirects, index);
      const facts = await probeRedirects(probeable, context, limitsOf(context.signal), token);
      return {
        report: redirectReports(entries, facts),
        findings: [...checkAsData(entries), ...facts.flatMap(redirectFindings)],
      };
    },
    entries: checkAsData,
  };
}
