import { addressesIn, isWithin } from '../../facts/classify.js';
import type { GlueDifference, ZoneView } from '../../facts/facts.js';
import type { DnsRecord } from '../../resolver/dns.js';

/** Hosts within the zone whose addresses at the parent are not those that the zone's own response has. */
export function glueDifferences(
  { name, parentHosts, parentGlue = [] }: Pick<ZoneView, 'name' | 'parentHosts' | 'parentGlue'>,
  ownGlue: readonly DnsRecord[],
): GlueDifference[] {
  const within = parentHosts.filter((host) => isWithin(host, name));
  return within.flatMap((host) =>
    (['A', 'AAAA'] as const).flatMap((type) => {
      const [atParent = [], inZone = []] = [parentGlue, ownGlue].map((glue) =>
        addressesIn(glue.filter((record) => record.data.type === type && record.name.toLowerCase() === host)),
      );
      const isOutdated = inZone.length > 0 && atParent.some((address) => !inZone.includes(address));
      return isOutdated ? [{ host, atParent, inZone }] : [];
    }),
  );
}
