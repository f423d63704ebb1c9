import { probeCertificate } from '../certificate/probe-certificate.js';
import { probeTargetCertificates } from '../certificate/probe-target.js';
import { certificateFindings } from '../certificate/certificate-findings.js';
import { certificateReport } from '../certificate/certificate-problems.js';
import { systemClock } from '../../time/clock.js';
import type { Finding } from '../finding/finding.js';
import { platformFindings, platformReport } from '../platform/platform-report.js';
import { probePlatform } from '../platform/probe-platform.js';
import type {
  CheckOptions,
  Probed,
  ProbeContext,
  ProbeSubject,
  RedirectEntry,
  TargetCertificate,
} from '../report/options.js';
import type { CertificateReport, PlatformReport, RedirectReport } from '../report/report.js';
import type { ProbeLimits } from '../probe/probe-failure.js';
import { probeRedirects } from '../redirect/probe-redirects.js';
import { checkEntries, indexEntries, probeableEntries } from '../redirect/redirect-entries.js';
import { redirectReports } from '../redirect/redirect-findings.js';
import { joinSignals } from '../concurrency/stop-signal.js';
import { redirectFindings } from '../redirect/redirect-findings.js';

/** The checks that use TLS and HTTP. They reject with InvalidInputError if `probe.ca` has no valid certificate. */
export interface Probes {
  certificate(subject: ProbeSubject): Promise<Probed<CertificateReport>>;
  redirects(
    entries: readonly RedirectEntry[],
    context: ProbeContext,
  ): Promise<Probed<readonly RedirectReport[]>>;
  /**
   * Reads the certificate that addresses serve for the target's name: to learn which authority issues, and whether an
   * address belongs to the platform.
   */
  target(context: ProbeContext, addresses: readonly string[]): Promise<readonly TargetCertificate[]>;
  /** Compares the responses of the domain and the target. Used only with `probe.platform`. */
  platform(subject: ProbeSubject): Promise<Probed<PlatformReport> | undefined>;
  /** Checks redirect entries as data, without requests. Used while the record is not right yet. */
  entries(entries: readonly RedirectEntry[]): readonly Finding[];
}

/** The options of a check that apply to its probes. */
export type ProbeOptions = Pick<CheckOptions, 'random' | 'route' | 'attached' | 'projectRedirects'>;

/** Time limit of one connection and its response, by the system's clock as that of a query. */
const TIMEOUT_MS = 5_000;

/** Creates the probes of a check. They connect only to public addresses, and to the address in `probe.connect`. */
export function createProbes({
  random = Math.random,
  attached,
  projectRedirects,
  route,
}: ProbeOptions): Probes {
  const limitsOf = (signal: AbortSignal | undefined): ProbeLimits => ({
    timeoutMs: TIMEOUT_MS,
    clock: systemClock,
    route,
    stop: joinSignals(signal),
  });
  const index = projectRedirects && indexEntries(projectRedirects);
  const checkAsData = (entries: readonly RedirectEntry[]): Finding[] =>
    checkEntries(entries, { all: projectRedirects, attached, index });
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
      const probeable = probeableEntries(entries, projectRedirects, index);
      const facts = await probeRedirects(probeable, context, limitsOf(context.signal), token);
      return {
        report: redirectReports(entries, facts),
        findings: [...checkAsData(entries), ...facts.flatMap(redirectFindings)],
      };
    },
    entries: checkAsData,
  };
}
