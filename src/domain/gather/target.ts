import { walkAliases } from './alias-walk.js';
import { addressesIn } from '../facts/classify.js';
import type { ServerFacts, TargetFacts } from '../facts/facts.js';
import type { CheckContext } from './check-context.js';
import { resolveTarget } from './resolvers.js';
import { reservedRange } from '../name/reserved-ranges.js';

/** Finds where the target leads. Once for all domains of a run that share it. */
export function findTarget(context: CheckContext, target: string): Promise<TargetFacts> {
  return context.targets.get(target, async () => {
    const a = await walkAliases(context, target, 'A');
    // After A, so that the zones on the way are known.
    const aaaa = await walkAliases(context, target, 'AAAA');
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

/**
 * Adds the addresses that others get for the target, and that it gives when asked again. An ALIAS at an apex is looked up
 * elsewhere and at another time, and a target that rotates, or answers by region, then has others of its addresses. Once
 * for all apexes of a run that share it, and only where there are addresses to compare.
 */
export async function addAlternativeAddresses(
  context: CheckContext,
  target: string,
  platform: TargetFacts,
  servers: readonly ServerFacts[],
): Promise<TargetFacts> {
  const isCompared = servers.some(({ a, aaaa }) => a.outcome === 'value' || aaaa.outcome === 'value');
  if (platform.addresses.length === 0 || !isCompared) return platform;
  return context.targets.get(`${target} widely`, async () => {
    const [byResolvers, a, aaaa] = await Promise.all([
      resolveTarget(context, target),
      walkAliases(context, target, 'A'),
      walkAliases(context, target, 'AAAA'),
    ]);
    // A resolver that filters gives such addresses instead of the target's.
    const isLocal = platform.addresses.some((address) => reservedRange(address) !== undefined);
    const further = byResolvers.filter((address) => isLocal || reservedRange(address) === undefined);
    const again = addressesIn([...(a?.records ?? []), ...(aaaa?.records ?? [])]);
    return { ...platform, addresses: [...new Set([...platform.addresses, ...again, ...further])] };
  });
}
