import { probeCertificate } from '../certificate/probe-certificate.js';
import { probeTargetCertificates } from '../certificate/probe-target.js';
import { certificateFindings } from '../certificate/certificate-findings.js';
import { certificateReport } from '../certificate/certificate-report.js';
import { type DomainClock, systemClock } from '../concurrency/clock.js';
import type { Finding } from '../finding/finding.js';
import { platformFindings, platformReport } from '../platform/platform-report.js';
import { probePlatform } from '../platform/probe-platform.js';
import type { DomainProbes, RedirectEntry } from '../report/options.js';
import type { ProbeLimits, ProbeRoute } from '../probe/probe-time.js';
import { fetchJson } from '../provider/fetch-json.js';
import { secureContextFor } from '../probe/probe-tls.js';
import { probeRedirects } from '../redirect/probe-redirects.js';
import { checkEntries, indexEntries, probeableEntries } from '../redirect/redirect-entries.js';
import { redirectReports } from '../redirect/redirect-report.js';
import { createStopSignals } from '../concurrency/stop-signal.js';
import { redirectFindings } from '../redirect/redirect-findings.js';

/** Options of the probes. */
export interface ProbeOptions {
  /**
   * Time limit of one connection and its response, in milliseconds.
   *
   * @default 5000
   */
  timeoutMs?: number | undefined;
  clock?: DomainClock | undefined;
  /**
   * Returns at least 0 and less than 1, to choose a path that no site has.
   *
   * @default Math.random
   */
  random?: (() => number) | undefined;
  /** The project's domains in ASCII. Redirects to other domains are reported. Leave it out if they are unknown. */
  attached?: readonly string[] | undefined;
  /**
   * Returns where to connect instead of an address and port, such as a server of a test; `undefined`: to the address
   * itself. An address with a route is probed even if it is reserved. Reports name the original address.
   *
   * @default no routes
   */
  route?: ProbeRoute | undefined;
  /**
   * All redirect entries of the project, to find loops and duplicates. Only the entries of a check are probed and
   * reported.
   *
   * @default the entries of the check
   */
  redirects?: readonly RedirectEntry[] | undefined;
}

const TIMEOUT_MS = 5_000;

/**
 * Creates the probes of certificates and redirects, for the option `probes` of a check. They connect only to public
 * addresses, and to the address in `probe.connect`.
 *
 * The methods reject with InvalidInputError if `probe.ca` has no valid certificate. A failed probe is a finding.
 *
 * @example
 * const probes = createProbes({ timeoutMs: 2_000 });
 * const report = await checkDomain({ domain: 'shop.example.com', target: 'cname.example.net' }, { probes });
 */
export function createProbes(options: ProbeOptions = {}): DomainProbes {
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
    json: (url, addresses, { probe, signal }) =>
      fetchJson({ url, addresses, trust: secureContextFor(probe.ca) }, limitsOf(signal)),
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
