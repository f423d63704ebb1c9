import { walkAliases } from './alias-walk.js';
import { addressesIn } from './classify.js';
import type { TargetFacts } from './facts.js';
import type { Inquiry } from './inquiry.js';

/** Finds where the target leads. Once for all domains of a run that share it. */
export function findTarget(inquiry: Inquiry, target: string): Promise<TargetFacts> {
  return inquiry.platforms.get(target, async () => {
    const a = await walkAliases(inquiry, target, 'A');
    // After A, so that the zones on the way are known.
    const aaaa = await walkAliases(inquiry, target, 'AAAA');
    const records = [...(a?.records ?? []), ...(aaaa?.records ?? [])];
    const ttls = records.map(({ ttl }) => ttl);
    return {
      a,
      aaaa,
      addresses: [...new Set(addressesIn(records))],
      ttl: ttls.length === 0 ? undefined : Math.min(...ttls),
    };
  });
}
