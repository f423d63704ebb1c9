import { probeCertificate } from '../probe/probe-certificate.js';
import { certificateFindings } from '../probe/certificate-findings.js';
import { certificateReport, problemsAt } from '../probe/certificate-problems.js';
import { systemClock } from '../../time/clock.js';
import type { Finding } from '../report/finding.js';
import { platformFindings, platformReport } from '../probe/platform-report.js';
import { probePlatform } from '../probe/probe-platform.js';
import type { CheckOptions, RedirectEntry } from '../request/options.js';
import type { Probed, ProbeContext, ProbeSubject } from '../request/probe-context.js';
import type { CertificateReport, PlatformReport, RedirectReport } from '../report/report.js';
import type { ProbeLimits } from '../probe/probe-failure.js';
import { probeRedirects } from '../probe/probe-redirects.js';
import { checkEntries, parseEntries, probeableEntries } from '../probe/redirect-entries.js';
import { redirectReports } from '../probe/redirect-findings.js';
import { stopSignalOf } from '../dns/concurrency/stop-signal.js';
import { redirectFindings } from '../probe/redirect-findings.js';

/** The checks that use TLS and HTTP. They reject with InvalidInputError if `probe.ca` has no valid certificate. */
export type Probes = ReturnType<typeof createProbes>;

/** The options of a check that apply to its probes. */
export type ProbeOptions = Pick<CheckOptions, 'random' | 'route' | 'attached' | 'projectRedirects'>;

/** Time limit of one connection and its response, by the system's clock as that of a query. */
const TIMEOUT_MS = 5_000;

/** Creates the probes of a check. They connect only to public addresses, and to the address in `probe.connect`. */
export function createProbes({ random = Math.random, attached, projectRedirects, route }: ProbeOptions) {
  const limitsOf = ({ signal }: ProbeContext): ProbeLimits => ({
    timeoutMs: TIMEOUT_MS,
    clock: systemClock,
    route,
    stop: stopSignalOf(signal),
  });
  const known = projectRedirects && parseEntries(projectRedirects);
  /** Checks redirect entries as data, without requests. Used while the record is not right yet. */
  const entries = (checked: readonly RedirectEntry[]): readonly Finding[] =>
    checkEntries(checked, { all: projectRedirects, attached, known });
  return {
    entries,
    async certificate(subject: ProbeSubject): Promise<Probed<CertificateReport>> {
      const facts = await probeCertificate(subject, limitsOf(subject));
      return { report: certificateReport(facts), findings: certificateFindings(facts) };
    },
    /** Finds the addresses that serve the target's certificate, so they belong to the platform. */
    async target(context: ProbeContext, addresses: readonly string[]): Promise<readonly string[]> {
      const { target: domain = '' } = context;
      const subject = { ...context, domain, addresses, verifiedAt: undefined };
      const { addresses: probed, checkedAt } = await probeCertificate(subject, limitsOf(context));
      return probed.flatMap((one) => (problemsAt(one, checkedAt)?.length === 0 ? [one.address] : []));
    },
    /** Compares the responses of the domain and the target. Used only with `probe.platform`. */
    async platform(subject: ProbeSubject): Promise<Probed<PlatformReport> | undefined> {
      const { target } = subject;
      if (target === undefined) return undefined;
      const facts = await probePlatform({ ...subject, target }, limitsOf(subject));
      return { report: platformReport(facts), findings: platformFindings(facts) };
    },
    async redirects(
      checked: readonly RedirectEntry[],
      context: ProbeContext,
    ): Promise<Probed<readonly RedirectReport[]>> {
      const token = Math.floor(random() * 2 ** 32).toString(16);
      const probeable = probeableEntries(checked, known);
      const facts = await probeRedirects(probeable, context, limitsOf(context), token);
      return {
        report: redirectReports(checked, facts),
        findings: [...entries(checked), ...facts.flatMap(redirectFindings)],
      };
    },
  };
}
