import { systemClock } from '../../time/clock.js';
import { createZoneCache, type ZoneCache } from '../gather/check-context.js';
import type { CheckOptions } from '../report/options.js';
import type { DnsClient } from '../resolver/dns.js';
import { createDnsClient } from '../resolver/dns-client.js';
import { type LoadProbes, probeLoader } from '../run/run-probes.js';
import { createLimiter, type Limiter } from '../concurrency/limiter.js';

/** Shared by watches that run at the same time. */
export interface WatchShare {
  dns: DnsClient;
  /** Limits the checks that run at the same time. */
  limiter: Limiter;
  /** The zone cache of very recent checks, or an empty one. */
  recentZoneCache(): DatedZoneCache;
  loadProbes: LoadProbes;
  /** Closes the DNS client, unless the caller passed it. */
  close(): void;
}

/** A zone cache and its age. */
export interface DatedZoneCache {
  zones: ZoneCache;
  /** When it was created, by the monotonic clock in milliseconds. */
  since: number;
}

const CONCURRENCY = 32;
/** Shorter than the pause between two checks of one domain, so that no check gets the cache of the check before it. */
const RECENT_MS = 3_000;

/** Creates the parts that watches share. Opens no socket before the first query. */
export function openWatchShare(options: CheckOptions): WatchShare {
  const { dns: given, clock = systemClock, concurrency = CONCURRENCY } = options;
  const dns = given ?? createDnsClient();
  let newest: DatedZoneCache | undefined;
  return {
    dns,
    limiter: createLimiter(concurrency),
    loadProbes: probeLoader(options),
    recentZoneCache() {
      const now = clock.monotonic();
      if (newest === undefined || now - newest.since >= RECENT_MS) {
        newest = { zones: createZoneCache(), since: now };
      }
      return newest;
    },
    close() {
      if (given === undefined) dns.close();
    },
  };
}
