import { systemClock } from '../../time/clock.js';
import { stopSignalOf } from '../dns/concurrency/stop-signal.js';
import type { CheckOptions } from '../request/options.js';
import { certificateFindings } from './certificate-findings.js';
import { certificateReport } from './certificate-problems.js';
import { platformFindings, platformReport } from './platform-report.js';
import { type CertificateFacts, probeCertificate } from './probe-certificate.js';
import type { ProbeLimits } from './probe-failure.js';
import { type PlatformFacts, probePlatform } from './probe-platform.js';
import type { Probe, ProbeRequest, ProbeResults } from './probe-request.js';
import { probeRedirects, type RedirectFacts } from './probe-redirects.js';
import { checkEntries, parseEntries, probeableEntries, type RedirectProject } from './redirect-entries.js';
import { redirectFindings, redirectReports, whileCertificatePending } from './redirect-findings.js';

/** Time limit of one connection and its response, by the system's clock as that of a query. */
const TIMEOUT_MS = 5_000;

/** Creates the probe of a check. Parses the project's redirect entries once. */
export function createProbe({
  random = Math.random,
  attached,
  projectRedirects: all,
  route = () => undefined,
}: CheckOptions): Probe {
  const project = { all, attached, known: all && parseEntries(all) };
  return async (request) => {
    const { certificate, platform, target, redirects, signal } = request;
    const stop = stopSignalOf(signal);
    const limits: ProbeLimits = { timeoutMs: TIMEOUT_MS, clock: systemClock, route, stop };
    const token = Math.floor(random() * 2 ** 32).toString(16);
    const facts = await Promise.all([
      certificate && probeCertificate(certificate, request, limits),
      platform && target !== undefined ? probePlatform({ ...platform, target }, request, limits) : undefined,
      redirects && probeRedirects(probeableEntries(redirects, project.known), request, limits, token),
    ]);
    return probeResults(request, ...facts, project);
  };
}

/** Reports what the probes of a request found. */
export function probeResults(
  { redirects: requested, entries = [] }: ProbeRequest,
  certificate: CertificateFacts | undefined,
  platform: PlatformFacts | undefined,
  redirects: readonly RedirectFacts[] = [],
  project: RedirectProject = {},
): ProbeResults {
  const certified = certificate && certificateReport(certificate);
  const redirected = [...checkEntries(requested ?? entries, project), ...redirects.flatMap(redirectFindings)];
  return {
    ...(certified && { certificate: certified }),
    ...(requested && { redirects: redirectReports(requested, redirects) }),
    ...(platform && { platform: platformReport(platform) }),
    findings: [
      ...(platform ? platformFindings(platform) : []),
      ...(certificate ? certificateFindings(certificate) : []),
      ...(certified?.status === 'pending' ? whileCertificatePending(redirected) : redirected),
    ],
  };
}
