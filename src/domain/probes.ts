import { probeCertificate } from './certificate.js';
import { certificateFindings, certificateReport } from './certificate-report.js';
import { type DomainClock, systemClock } from './clock.js';
import type { DomainProbes } from './options.js';
import type { ProbeLimits } from './probe-time.js';
import { probeRedirects } from './redirect.js';
import { askableEntries } from './redirect-entries.js';
import { redirectReports } from './redirect-report.js';
import { createStops } from './resolver/stop.js';
import { redirectAnswers } from './rules/redirect-answers.js';
import { redirectEntries } from './rules/redirect-entries.js';

/** How the certificate and the redirects are looked at. */
export interface ProbeOptions {
  /** Milliseconds for each connection, with all that is read from it. Default 5,000. */
  timeoutMs?: number | undefined;
  clock?: DomainClock | undefined;
  /** From 0 up to, but not including, 1: makes a path that no site has. Default Math.random. */
  random?: (() => number) | undefined;
  /** The project's domains in ASCII: redirects to others are told. Absent where they are not known. */
  attached?: readonly string[] | undefined;
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
  const { timeoutMs = TIMEOUT_MS, clock = systemClock, random = Math.random, attached } = options;
  const stops = createStops();
  const limitsOf = (signal: AbortSignal | undefined): ProbeLimits => ({
    timeoutMs,
    clock,
    stop: stops.join([signal]),
  });
  return {
    async certificate(subject) {
      const facts = await probeCertificate(subject, limitsOf(subject.signal));
      return { report: certificateReport(facts), findings: certificateFindings(facts) };
    },
    async redirects(entries, subject) {
      const token = Math.floor(random() * 2 ** 32).toString(16);
      const facts = await probeRedirects(askableEntries(entries), subject, limitsOf(subject.signal), token);
      return {
        report: redirectReports(entries, facts),
        findings: [...redirectEntries(entries, attached), ...facts.flatMap(redirectAnswers)],
      };
    },
  };
}
