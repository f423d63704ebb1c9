import { systemClock } from '../concurrency/clock.js';
import { createZoneCache, type ZoneCache } from '../gather/check-context.js';
import type { CheckOptions } from '../report/options.js';
import type { DnsClient } from '../resolver/dns.js';
import { createDnsClient } from '../resolver/dns-client.js';
import { createLimiter, type Limiter } from '../concurrency/limiter.js';

/** What waits that go on at the same time have in common. */
export interface WatchShare {
  dns: DnsClient;
  /** Takes turns, so that not all check at once. */
  limiter: Limiter;
  /** What was learnt of zones just now by any of them, or an empty memory. */
  recentZoneCache(): DatedZoneCache;
  /** Closes the client, unless it was handed in. */
  close(): void;
}

/** A memory of zones, and since when it grows. */
export interface DatedZoneCache {
  zones: ZoneCache;
  /** On the monotonic clock, in milliseconds. */
  since: number;
}

const CONCURRENCY = 32;
/** Less than between any two checks of one domain, so that none meets its own memory when it wants to look anew. */
const RECENT_MS = 3_000;

/** Opens what waits share. Nothing is sent before they ask. */
export function openWatchShare({
  dns: given,
  clock = systemClock,
  concurrency = CONCURRENCY,
}: Pick<CheckOptions, 'dns' | 'clock' | 'concurrency'>): WatchShare {
  const dns = given ?? createDnsClient();
  let newest: DatedZoneCache | undefined;
  return {
    dns,
    limiter: createLimiter(concurrency),
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
