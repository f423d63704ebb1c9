import { probeCertificate } from '../certificate/probe-certificate.js';
import { certificateFindings } from '../certificate/certificate-findings.js';
import { certificateReport } from '../certificate/certificate-report.js';
import { type DomainClock, systemClock } from '../concurrency/clock.js';
import type { Finding } from '../finding/finding.js';
import type { DomainProbes, RedirectEntry } from '../report/options.js';
import type { ProbeLimits } from '../probe/probe-time.js';
import { probeRedirects } from '../redirect/probe-redirects.js';
import { checkEntries, probeableEntries } from '../redirect/redirect-entries.js';
import { redirectReports } from '../redirect/redirect-report.js';
import { createStopSignals } from '../concurrency/stop-signal.js';
import { redirectFindings } from '../redirect/redirect-findings.js';

/** How the certificate and the redirects are looked at. */
export interface ProbeOptions {
  /** Milliseconds for each connection, with all that is read from it. Default 5,000. */
  timeoutMs?: number | undefined;
  clock?: DomainClock | undefined;
  /** From 0 up to, but not including, 1: makes a path that no site has. Default Math.random. */
  random?: (() => number) | undefined;
  /** The project's domains in ASCII: redirects to others are told. Absent where they are not known. */
  attached?: readonly string[] | undefined;
  /**
   * All redirect entries of the project. Those that a check asks for are judged among them, be it for a circle or for two
   * of one host; no other is looked at on the wire or told of. Default: those asked for are all.
   */
  redirects?: readonly RedirectEntry[] | undefined;
}

const TIMEOUT_MS = 5_000;

/**
 * Makes the probes of certificates and redirects, for the option `probes` of a check. They connect to addresses of the
 * Internet alone, unless `probe.connect` names another.
 *
 * Its methods reject with InvalidInputError where the authorities to trust can't be read, and otherwise never: what could
 * not be looked at is found as such.
 */
export function createProbes(options: ProbeOptions = {}): DomainProbes {
  const { timeoutMs = TIMEOUT_MS, clock = systemClock, random = Math.random, attached, redirects } = options;
  const stops = createStopSignals();
  const limitsOf = (signal: AbortSignal | undefined): ProbeLimits => ({
    timeoutMs,
    clock,
    stop: stops.join([signal]),
  });
  const judge = (entries: readonly RedirectEntry[]): Finding[] =>
    checkEntries(entries, { all: redirects, attached });
  return {
    async certificate(subject) {
      const facts = await probeCertificate(subject, limitsOf(subject.signal));
      return { report: certificateReport(facts), findings: certificateFindings(facts) };
    },
    async redirects(entries, place) {
      const token = Math.floor(random() * 2 ** 32).toString(16);
      const probeable = probeableEntries(entries, redirects);
      const facts = await probeRedirects(probeable, place, limitsOf(place.signal), token);
      return {
        report: redirectReports(entries, facts),
        findings: [...judge(entries), ...facts.flatMap(redirectFindings)],
      };
    },
    entries: judge,
  };
}
