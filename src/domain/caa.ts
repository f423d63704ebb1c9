import { targetOf } from './classify.js';
import type { CaaFacts, ServerFacts } from './facts.js';
import type { Inquiry } from './inquiry.js';
import type { Lookup } from './lookup.js';
import type { DnsServer } from './resolver/dns.js';
import { parentOf, type ZoneView } from './zone.js';

/**
 * Climbs as a certificate authority does (RFC 8659, section 3): the domain, then each parent up to the top-level domain,
 * until one has CAA records. A step that could not be asked stays in the climb, since an authority refuses because of it.
 *
 * Names in the zone are asked of its servers, so that no resolver hears of the domain; an alias is followed by a resolver
 * from its target on; names above the zone exist, and go to a resolver as well.
 */
export async function climbForCaa(
  inquiry: Inquiry,
  zone: ZoneView,
  name: string,
  servers: readonly ServerFacts[],
): Promise<Omit<CaaFacts, 'issuer'>> {
  const answering = servers
    .filter(({ cname }) => cname.outcome !== 'could-not-ask')
    .map(({ server }) => server);
  const steps: { name: string; lookup: Lookup }[] = [];
  for (let at = name; at !== ''; at = parentOf(at)) {
    const lookup = await askForCaa(inquiry, zone, name, at, answering);
    if (lookup === undefined) continue;
    steps.push({ name: at, lookup });
    if (lookup.records.length > 0) return { steps, owner: at, records: lookup.records };
  }
  return { steps, owner: undefined, records: [] };
}

async function askForCaa(
  inquiry: Inquiry,
  zone: ZoneView,
  name: string,
  at: string,
  servers: readonly DnsServer[],
): Promise<Lookup | undefined> {
  const isInZone = at === zone.name || at.endsWith(`.${zone.name}`);
  if (!isInZone) return inquiry.recurse(at, 'CAA');
  const ask = (): Promise<Lookup | undefined> => throughAlias(inquiry, at, servers);
  return at === name ? ask() : inquiry.authorizations.get(at, ask);
}

async function throughAlias(
  inquiry: Inquiry,
  at: string,
  servers: readonly DnsServer[],
): Promise<Lookup | undefined> {
  const lookup = await inquiry.askAny(servers, at, 'CAA');
  const end = targetOf(lookup?.chain.at(-1));
  if (lookup === undefined || end === undefined || lookup.records.length > 0) return lookup;
  const beyond = await inquiry.recurse(end, 'CAA');
  if (beyond === undefined) return lookup;
  return { ...beyond, question: lookup.question, chain: [...lookup.chain, ...beyond.chain] };
}
