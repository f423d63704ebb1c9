import type { Facts } from '../gather/facts/facts.js';
import type { Cdn, ProviderFacts } from '../gather/facts/providers.js';
import { isWithin } from '../gather/facts/classify.js';
import { isIpv6, subnetList } from '../names/ip-address.js';
import { addressOf, isTargetAddress, ownAddresses } from '../gather/views/own-records.js';
import { CDNS, DNS_PROVIDERS, HOLDING_HOST, PARKING_SERVICES, PARKING_SOURCE } from './provider-data.js';

/** Adds the DNS provider, the parking service and the CDN of a domain to its facts. Makes no query. */
export function addProvider(facts: Facts): Facts {
  const { ownHosts, parentHosts } = facts.zone;
  const hosts = (ownHosts.length > 0 ? ownHosts : parentHosts).map((host) => host.toLowerCase());
  const dns = commonEntry(DNS_PROVIDERS, hosts);
  const parking = commonEntry(PARKING_SERVICES, hosts);
  const cdn = findCdn(facts);
  // Only the list of the parent says where a registrar moved a domain.
  const delegated = parentHosts.length > 0 ? parentHosts : ownHosts;
  const isHeld =
    delegated.length > 0 &&
    delegated.every((host) => HOLDING_HOST.test(host.toLowerCase()) && !isWithin(host, facts.zone.name));
  const provider: ProviderFacts = {
    ...(dns !== undefined && parking === undefined && !isHeld && { dns }),
    ...(isHeld && { holdingHosts: delegated }),
    ...(parking !== undefined && { parking: { name: parking.name, ...PARKING_SOURCE } }),
    ...(cdn !== undefined && { cdn }),
  };
  return Object.keys(provider).length === 0 ? facts : { ...facts, provider };
}

/** The entry that all hosts belong to. A zone with two providers has no common one. */
function commonEntry<T extends { servers: RegExp }>(
  entries: readonly T[],
  hosts: readonly string[],
): T | undefined {
  const [first] = hosts;
  if (first === undefined) return undefined;
  return entries.find(({ servers }) => hosts.every((host) => servers.test(host)));
}

/**
 * The CDN that the domain's own records lead to, by an alias or by addresses. A CDN behind the target belongs to the
 * platform and is not reported.
 */
function findCdn(facts: Facts): Cdn | undefined {
  const end = facts.relatedNames.chain.findIndex(({ to }) => to === facts.target);
  const aliases = end === -1 ? facts.relatedNames.chain : [];
  const byAlias = CDNS.find((cdn) => aliases.some(({ to }) => cdn.aliases.test(to)));
  if (byAlias !== undefined) return byAlias;
  const addresses = facts.servers
    .flatMap((server) => ownAddresses(facts, server))
    .map(addressOf)
    .filter((address) => !isTargetAddress(facts, address));
  return addresses.length === 0 ? undefined : cdnOf(addresses);
}

/** The CDN that all addresses belong to. */
export function cdnOf(addresses: readonly string[]): Cdn | undefined {
  return CDNS.find((cdn) => {
    const list = subnetList(cdn.subnets);
    return addresses.every((address) => list.check(address, isIpv6(address) ? 'ipv6' : 'ipv4'));
  });
}
