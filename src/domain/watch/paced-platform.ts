import type { DomainClock } from '../concurrency/clock.js';
import type { DomainProbes, Probed } from '../report/options.js';
import type { PlatformReport } from '../report/report.js';

const FIRST_PAUSE_MS = 30_000;
const PAUSE_MAX_MS = 300_000;

/**
 * Returns the probes of a watch. Its checks request `/` of the platform again only if the addresses of the domain changed,
 * otherwise after 30 s, doubled each time up to 5 minutes. Other checks reuse the last result: a watch polls every few
 * seconds, and each request costs the platform and the old host a page.
 */
export function pacePlatformProbes(probes: DomainProbes, clock: DomainClock): DomainProbes {
  const { target, platform, entries } = probes;
  if (platform === undefined) return probes;
  let last:
    { key: string; at: number; pauseMs: number; result: Probed<PlatformReport> | undefined } | undefined;
  return {
    certificate: (subject) => probes.certificate(subject),
    redirects: (redirects, context) => probes.redirects(redirects, context),
    ...(target && { target: target.bind(probes) }),
    ...(entries && { entries: entries.bind(probes) }),
    async platform(subject) {
      const key = JSON.stringify([subject.target, [...subject.addresses].sort()]);
      const now = clock.monotonic();
      const isSame = last?.key === key;
      if (last !== undefined && isSame && now - last.at < last.pauseMs) return last.result;
      const pauseMs =
        last !== undefined && isSame ? Math.min(2 * last.pauseMs, PAUSE_MAX_MS) : FIRST_PAUSE_MS;
      const result = await platform.call(probes, subject);
      last = { key, at: now, pauseMs, result };
      return result;
    },
  };
}
